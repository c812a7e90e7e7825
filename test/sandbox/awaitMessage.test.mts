import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, type Fields, startTenant, until, useTenant } from './tenant.mts';

const tenant = useTenant();

const MIRA = '491700000001';
const NEW = '4915112345678';

const write = (content: string, of = tenant) =>
	of.must<{ data: Fields }>('POST', '/conversations/2001/messages', { type: 'text', text: { content } });
const sendTemplate = (phone_number: string) =>
	tenant.must<{ data: Fields }>('POST', '/chatapp/send-template', {
		phone_number: Number(phone_number),
		template_name: 'opening_hours',
		template_language: 'en_US',
	});
const wait = (query: Record<string, string | number>, signal?: AbortSignal) =>
	ask(
		`${tenant.url}/sandbox/messages/await?${new URLSearchParams(query as Record<string, string>).toString()}`,
		{ signal },
	);
const waiting = () => tenant.tenant.events.listenerCount('message');

describe('await a message', () => {
	test('it is answered at once when it is there already, as the customer sees it', async () => {
		const { data: sent } = await sendTemplate(NEW);
		const answer = await wait({ to: NEW, timeout: 0 });
		expect(answer).toMatchObject({
			status: 200,
			body: { data: { ...sent, to: NEW, customer_id: 104, template: 'opening_hours' } },
		});
		expect((answer.body as { data: { text: string } }).data.text).toMatch(/open/i);
	});

	test('it is answered when the message comes, and not by one to somebody else or with another text', async () => {
		const answer = wait({ to: NEW, text: 'open' });
		await until(() => waiting() || undefined, 'somebody waits');
		await write('We are open');
		expect(waiting()).toBe(1);
		const { data: sent } = await sendTemplate(NEW);
		expect((await answer).body).toMatchObject({ data: { id: sent.id, to: NEW } });
		expect(waiting()).toBe(0);
	});

	test.each([
		['customer_id', { customer_id: 101 }],
		['conversation_id', { conversation_id: 2001 }],
		['a part of the text', { text: 'ell' }],
		['nothing at all', {}],
	])('a message is found by %s', async (_name, query) => {
		const { data: sent } = await write('Hello');
		expect((await wait({ ...query, timeout: 0 })).body).toMatchObject({ data: { id: sent.id, to: MIRA } });
	});

	test.each([
		['customer_id', { customer_id: 102 }],
		['conversation_id', { conversation_id: 2002 }],
		['text', { text: 'hello' }],
		['template', { template: 'opening_hours' }],
		['number', { to: '49170000000' }],
		['time', { since: '2099-01-01T00:00:00Z' }],
		['message before', { after: 99_999 }],
	])('a message with another %s is none', async (_name, query) => {
		await write('Hello');
		expect((await wait({ ...query, timeout: 0 })).status).toBe(408);
	});

	test('what customers write is no message to them', async () => {
		await tenant.control('POST', '/conversations/2001/customer-messages', { text: 'Hello?' });
		expect((await wait({ to: MIRA, timeout: 0 })).body).toMatchObject({ came: [] });
	});

	test('the demo data does not count, unless since or after ask for it', async () => {
		expect((await wait({ to: MIRA, timeout: 0 })).status).toBe(408);
		const first = { data: { id: 30_001, template: 'order_shipped' } };
		expect((await wait({ to: MIRA, timeout: 0, after: 0 })).body).toMatchObject(first);
		expect((await wait({ to: MIRA, timeout: 0, since: '2020-01-01T00:00:00+02:00' })).body).toMatchObject(
			first,
		);
	});

	test('what came before a reset or a loaded snapshot does not count either', async () => {
		await write('Early');
		tenant.saveSnapshot('later');
		expect((await wait({ to: MIRA, timeout: 0 })).status).toBe(200);
		tenant.loadSnapshot('later');
		expect((await wait({ to: MIRA, timeout: 0 })).status).toBe(408);
		await tenant.reset();
		expect((await wait({ to: MIRA, timeout: 0 })).status).toBe(408);
	});

	test('after leads from one message to the next', async () => {
		const ids = [];
		for (const content of ['one', 'two', 'three']) ids.push((await write(content)).data.id);
		const found = [];
		let after = 30_003;
		for (let index = 0; index < 3; index++) {
			({ id: after } = await tenant.nextMessage({ to: MIRA, after, timeout: 0 }));
			found.push(after);
		}
		expect(found).toEqual(ids);
	});

	test('a message that failed did not come, and is told; it can be asked for', async () => {
		await tenant.control('POST', '/clock', { advance: { days: 3 } });
		const { data: sent } = await write('Too late');
		expect(await wait({ to: MIRA, timeout: 0 })).toMatchObject({
			status: 408,
			body: { came: [{ id: sent.id, latest_error: { type: 'session_expired' } }] },
		});
		expect((await wait({ to: MIRA, timeout: 0, status: 'failed' })).status).toBe(200);
	});

	test('a later failure is waited for too', async () => {
		const { data: sent } = await write('Hello');
		const answer = wait({ to: MIRA, status: 'failed' });
		await until(() => waiting() || undefined, 'somebody waits');
		await tenant.control('POST', `/messages/${sent.id}/failure`, { type: 'x', message: 'Not in use' });
		expect((await answer).body).toMatchObject({ data: { id: sent.id, status: 'failed' } });
	});

	test('after the time-out one sentence says what was awaited, and what came instead', async () => {
		const startedAt = performance.now();
		await write('Hello');
		expect(await wait({ to: NEW, text: 'Bye', template: 'x', timeout: 60 })).toMatchObject({
			status: 408,
			body: {
				message: `No message to ${NEW} of the template "x" with the text "Bye" came within 60 ms. One other came to ${MIRA}, "Hello".`,
				came: [{ to: MIRA, text: 'Hello' }],
			},
		});
		expect(performance.now() - startedAt).toBeGreaterThan(55);
		await tenant.reset();
		expect((await wait({ conversation_id: 2001, timeout: 0 })).body).toEqual({
			message: 'No message in conversation 2001 came within 0 ms. Nothing else came.',
			came: [],
		});
	});

	test('a client that goes away is waited for no longer', async () => {
		const left = new AbortController();
		const answer = wait({ to: NEW }, left.signal);
		await until(() => waiting() || undefined, 'somebody waits');
		left.abort();
		await expect(answer).rejects.toThrow();
		await until(() => waiting() === 0 || undefined, 'nobody waits');
		await write('Still there');
	});

	test.each([
		['txet', 'x'],
		['to', '+49'],
		['since', 'yesterday'],
		['timeout', '-1'],
		['status', 'gone'],
		['customer_id', 'x'],
	])('%s=%s is refused by its name', async (name, value) => {
		const { status, body } = await wait({ [name]: value });
		expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([422, [name]]);
	});

	test('a time-out without an end is refused', async () => {
		expect((await wait({ timeout: 'Infinity' })).status).toBe(422);
	});

	test.each(['+49 151 12345678', '0049 (151) 123-45678', ' 4915112345678', '(49) 151-123.45678'])(
		'the number may be written as %j',
		async (to) => {
			const { data: sent } = await sendTemplate(NEW);
			expect((await wait({ to, timeout: 0 })).body).toMatchObject({ data: { id: sent.id } });
		},
	);
});

describe('nextMessage', () => {
	test('it waits in the same process, and its error says what came instead', async () => {
		const next = tenant.nextMessage({ to: Number(MIRA), text: 'Hel' });
		await write('Hello');
		expect(await next).toMatchObject({ text: 'Hello', to: MIRA });
		await expect(tenant.nextMessage({ to: NEW, timeout: 0 })).rejects.toThrow('One other came to');
	});

	test.each<[object, string]>([
		[{ timeout: -1 }, 'The timeout must be >= 0.'],
		[{ timeout: Infinity }, 'The timeout must be <= 600000.'],
		[{ since: 'yesterday' }, 'The since must be a time such as 2031-05-06T07:08:09Z.'],
		[{ txet: 'Hello' }, 'The txet is not known.'],
	])('%p is refused at once, rather than waited for', async (wanted, problem) => {
		await expect(tenant.nextMessage(wanted)).rejects.toThrow(problem);
	});

	test('it ends when the sandbox closes, and so does a request', async () => {
		const other = await startTenant();
		const next = other.nextMessage({ to: NEW });
		const answer = ask(`${other.url}/sandbox/messages/await?to=${NEW}`).catch(() => ({ status: 503 }));
		await until(() => other.tenant.events.listenerCount('message') === 2 || undefined, 'both wait');
		await Promise.all([
			expect(next).rejects.toThrow('The sandbox was closed.'),
			expect(answer).resolves.toMatchObject({ status: 503 }),
			other.close(),
		]);
	});

	test('what a data folder holds at the start does not count', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
		const first = await startTenant({ dataDir: folder });
		await write('Yesterday', first);
		await first.close();
		const second = await startTenant({ dataDir: folder });
		await expect(second.nextMessage({ timeout: 0 })).rejects.toThrow('Nothing else came.');
		await second.close();
		rmSync(folder, { recursive: true });
	});
});
