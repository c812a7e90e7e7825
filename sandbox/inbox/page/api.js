/**
 * Reads or writes the sandbox's control plane.
 * @throws {Error} with the sandbox's own message
 */
async function request(path, init) {
	const response = await fetch(`/sandbox${path}`, init);
	const body = await response.json();
	if (!response.ok) throw new Error(body.message ?? `Status ${response.status}`);
	return body;
}

const post = (path, body) =>
	request(path, {
		method: 'POST',
		headers: body ? { 'content-type': 'application/json' } : {},
		body: body && JSON.stringify(body),
	});

export const readTenant = () => request('');
export const readConversations = (search, offset) =>
	request(`/inbox/conversations?${new URLSearchParams({ search, offset: String(offset) })}`);
export const readConversation = (id) => request(`/inbox/conversations/${id}`);
export const writeAsCustomer = (id, text) => post(`/conversations/${id}/customer-messages`, { text });
export const redeliver = (id) => post(`/deliveries/${id}/redeliver`);

/** Where the page gets an uploaded file from. */
export const fileAddress = (uuid) => `/sandbox/inbox/files/${encodeURIComponent(uuid)}`;

/**
 * Listens to what happens in the sandbox, and goes on after interruptions.
 * @param {(name: string, data: object) => void} onEvent `hello` comes first, and again after an interruption
 * @param {(isLive: boolean) => void} onState
 * @param {(error: Error) => void} onRefusal when the sandbox does not let this browser listen
 */
export function listen(onEvent, onState, onRefusal) {
	const source = new EventSource('/sandbox/inbox/events');
	for (const name of ['hello', 'message', 'delivery', 'customer', 'reset']) {
		source.addEventListener(name, ({ data }) => onEvent(name, JSON.parse(data)));
	}
	source.addEventListener('open', () => onState(true));
	source.addEventListener('error', () => {
		onState(false);
		if (source.readyState === EventSource.CLOSED) readTenant().catch(onRefusal);
	});
}
