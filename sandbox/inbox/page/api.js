/**
 * Reads or writes the sandbox's control plane.
 * @throws {Error & { status?: number, errors?: Record<string, string[]> }} with the sandbox's own message, and its texts by field
 */
async function request(path, init) {
	const response = await fetch(`/sandbox${path}`, init).catch(() => {
		throw new Error('The sandbox does not answer.');
	});
	const body = await response.json();
	if (response.ok) return body;
	const { message = `Status ${response.status}`, errors = {} } = body;
	throw Object.assign(new Error(message), { status: response.status, errors });
}

const post = (path, body) =>
	request(path, {
		method: 'POST',
		headers: body ? { 'content-type': 'application/json' } : {},
		body: body && JSON.stringify(body),
	});
const remove = (path) => request(path, { method: 'DELETE' });

export const readTenant = () => request('');
export const readConversations = (search, offset) =>
	request(`/inbox/conversations?${new URLSearchParams({ search, offset: String(offset) })}`);
export const readConversation = (id) => request(`/inbox/conversations/${id}`);
export const writeAsCustomer = (id, text) => post(`/conversations/${id}/customer-messages`, { text });
export const redeliver = (id) => post(`/deliveries/${id}/redeliver`);

export const readFaults = () => request('/faults');
export const readOperations = () => request('/inbox/operations');
export const addFault = (fault) => post('/faults', fault);
export const removeFault = (id) => remove(`/faults/${id}`);
export const removeFaults = () => remove('/faults');

export const readClock = () => request('/clock');
export const advanceClock = (span) => post('/clock', { advance: span });
export const setClock = (iso) => post('/clock', { set: iso });
export const resetClock = () => remove('/clock');

export const addCustomers = (counts) => post('/seed', counts);
export const resetTenant = () => post('/reset');

export const readRequests = () => request('/inbox/requests');
export const readRequest = (id) => request(`/inbox/requests/${id}`);
export const clearRequests = () => remove('/requests');

/** Where the page gets an uploaded file from. */
export const fileAddress = (uuid) => `/sandbox/inbox/files/${encodeURIComponent(uuid)}`;

/**
 * Listens to what happens in the sandbox, and goes on after interruptions.
 * @param {(name: string) => void} onEvent `hello` comes first, and again after an interruption
 * @param {(isLive: boolean) => void} onState
 * @param {(error: Error) => void} onRefusal when the sandbox does not let this browser listen
 */
export function listen(onEvent, onState, onRefusal) {
	const source = new EventSource('/sandbox/inbox/events');
	for (const name of ['hello', 'message', 'delivery', 'customer', 'request', 'control', 'reset']) {
		source.addEventListener(name, () => onEvent(name));
	}
	source.addEventListener('open', () => onState(true));
	source.addEventListener('error', () => {
		onState(false);
		if (source.readyState === EventSource.CLOSED) readTenant().catch(onRefusal);
	});
}
