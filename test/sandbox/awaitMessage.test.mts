import { ask, type Fields, startTenant, until, useTenant } from './tenant.mts';

const tenant = useTenant();

const MIRA = '491700000001';
const NEW = '4915112345678';

const write = async (content: string) => {
	const body = { type: 'text', text: { content } };
	return (await tenant.must<{ data: Fields }>('POST', '/conversations/2001/messages', body)).data;
};
const sendTemplate = async () => {
	const plain = { template_name: 'opening_hours', template_language: 'en_US' };
	const body = { phone_number: Number(NEW), ...plain };
	return (await tenant.must<{ data: Fields }>('POST', '/chatapp/send-template', body)).data;
};
const wait = (query: Record<string, string | number>, signal?: AbortSignal) =>
	ask(`${tenant.url}/sandbox/messages/await?${new URLSearchParams(query as never).toString()}`, { signal });
const untilWaiting = (count: number) =>
	until(() => tenant.tenant.events.listenerCount('message') === count || undefined, 'somebody waits');

describe('await a message', () => {
	test('it is answered at once when it is there already, as the customer sees it', async () => {
		const sent = await sendTemplate();
		const { status, body } = await wait({ to: NEW, timeout: 0 });
		const read = {
			to: NEW,
			customer_id: 104,
			template: 'opening_hours',
			text: expect.stringMatching(/open/i),
		};
		expect([status, body]).toMatchObject([200, { data: { ...sent, ...read } }]);
	});

	test('it is answered when the message comes, and not by one to somebody else', async () => {
		const answer = wait({ to: NEW, text: 'open' });
		await untilWaiting(1);
		await write('We are open');
		const { id } = await sendTemplate();
		expect((await answer).body).toMatchObject({ data: { id, to: NEW } });
		await untilWaiting(0);
	});

	test.each<[Record<string, string | number>, number]>([
		[{}, 200],
		[{ conversation_id: 2001 }, 200],
		[{ text: 'ell' }, 200],
		[{ to: '0049 (170) 000-0001' }, 200],
		[{ conversation_id: 2002 }, 408],
		[{ text: 'hello' }, 408],
		[{ template: 'opening_hours' }, 408],
		[{ to: '49170000000' }, 408],
		[{ status: 'failed' }, 408],
		[{ after: 99_999 }, 408],
		[{ txet: 'x' }, 422],
		[{ to: '+49' }, 422],
		[{ timeout: -1 }, 422],
		[{ status: 'gone' }, 422],
	])('of a message to Mira, "Hello", %j is answered with %i', async (query, status) => {
		await write('Hello');
		expect((await wait({ timeout: 0, ...query })).status).toBe(status);
	});

	test('neither what customers write counts, nor the demo data, unless after asks for it, nor what came before a reset', async () => {
		tenant.writeAsCustomer(MIRA, 'Hello?');
		expect((await wait({ timeout: 0 })).body).toMatchObject({ came: [] });
		expect(await tenant.nextMessage({ after: 0 })).toMatchObject({ id: 30_001, template: 'order_shipped' });
		const [{ id: after }, { id }] = [await write('Early'), await write('Later')];
		expect(await tenant.nextMessage({ to: MIRA, after })).toMatchObject({ id });
		await tenant.reset();
		expect((await wait({ timeout: 0 })).status).toBe(408);
	});

	test('a message that failed did not come, and is told; a later failure can be waited for', async () => {
		const { id } = await write('Hello');
		const answer = wait({ to: MIRA, status: 'failed' });
		await untilWaiting(1);
		const set = await tenant.control('POST', `/messages/${id}/status`, {
			status: 'failed',
			reason: 'Not in use',
		});
		const latest_error = { type: 'undeliverable', user_friendly_message: 'Not in use' };
		expect(set).toMatchObject({ data: { id, status: 'failed', latest_error } });
		expect((await answer).body).toMatchObject({ data: { id, status: 'failed' } });
		expect((await wait({ timeout: 0 })).body).toMatchObject({ came: [{ id, latest_error }] });
	});

	test('after the time-out one sentence says what was awaited, and what came instead', async () => {
		await write('Hello');
		expect(await wait({ to: NEW, text: 'Bye', template: 'x', timeout: 60 })).toMatchObject({
			status: 408,
			body: {
				message: `No message to ${NEW} of the template "x" with the text "Bye" came within 60 ms. One other came to ${MIRA}, "Hello".`,
				came: [{ to: MIRA, text: 'Hello' }],
			},
		});
	});

	test('a client that goes away is waited for no longer, and all waits end when the sandbox closes', async () => {
		const left = new AbortController();
		const answer = wait({ to: NEW }, left.signal);
		await untilWaiting(1);
		left.abort();
		await expect(answer).rejects.toThrow();
		await untilWaiting(0);
		const other = await startTenant();
		const next = expect(other.nextMessage({ to: NEW })).rejects.toThrow('The sandbox was closed.');
		await Promise.all([next, other.close()]);
	});
});
