import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/server.mts';
import { useReceiver } from './receiver.mts';
import { ask, type Data, type Fields, startTenant, until, useTenant } from './tenant.mts';

const tenant = useTenant();
const receiver = useReceiver();

/** So long that nothing happens by itself during a test. */
const MINUTE = 60_000;
const SLOW = { sent: MINUTE, delivered: 2 * MINUTE, read: 3 * MINUTE };

const reply = async (fields: object = {}) =>
	(
		await tenant.must<Data<Fields>>('POST', '/conversations/2001/messages', {
			type: 'text',
			text: { content: 'Hello' },
			...fields,
		})
	).data;
const messageOf = (id: number) => tenant.store.conversations.findMessage(id);
const statusOf = (id: number) => messageOf(id)?.status;
const advance = (minutes: number) => tenant.control('POST', '/clock', { advance: { minutes } });
const told = () =>
	receiver.received.map(
		({ body }) => JSON.parse(body) as { event: string; occurred_at: string; message: Fields },
	);

describe('statuses that follow later', () => {
	test('off by default: a message keeps the status created', async () => {
		const { id } = await reply({ from_automation: true });
		await advance(60 * 24);
		expect(statusOf(id)).toBe('created');
		expect(await tenant.control('GET', '/delivery-statuses')).toEqual({ data: null });
	});

	test('a message becomes sent, delivered and read as time goes by', async () => {
		await tenant.control('POST', '/delivery-statuses', { sent: 30, delivered: 60, read: 90 });
		const seen: string[] = [];
		tenant.tenant.events.on('message', ({ status }) => seen.push(status));
		const { id, status } = await reply();
		expect(status).toBe('created');
		await until(() => (statusOf(id) === 'read' ? true : undefined), 'the message is read');
		expect(seen).toEqual(['created', 'sent', 'delivered', 'read']);
	});

	test('what is due has happened when the clock has been moved', async () => {
		await tenant.control('POST', '/delivery-statuses', SLOW);
		const { id } = await reply();
		const { data: template } = await tenant.must<Data<Fields>>('POST', '/chatapp/send-template', {
			customer_id: 102,
			template_name: 'opening_hours',
			template_language: 'en_US',
		});
		await advance(1);
		expect([statusOf(id), statusOf(template.id)]).toEqual(['sent', 'sent']);
		await advance(1);
		expect(statusOf(id)).toBe('delivered');
		await advance(-1);
		expect(statusOf(id)).toBe('delivered');
		await tenant.control('POST', '/clock', { set: '2099-01-01T00:00:00Z' });
		expect([statusOf(id), statusOf(template.id)]).toEqual(['read', 'read']);
	});

	test('a status that is null never comes, and none comes before the one that it follows', async () => {
		await tenant.control('POST', '/delivery-statuses', { sent: 2 * MINUTE, delivered: MINUTE, read: null });
		const { id } = await reply();
		await advance(1);
		expect(statusOf(id)).toBe('created');
		await advance(1);
		expect(statusOf(id)).toBe('delivered');
		await advance(60 * 24);
		expect(statusOf(id)).toBe('delivered');
	});

	test('messages to certain numbers fail, with latest_error, and are neither delivered nor read', async () => {
		const failing = {
			numbers: ['491700000001'],
			after: 2 * MINUTE,
			type: 'blocked',
			message: 'No such phone',
		};
		await tenant.control('POST', '/delivery-statuses', { ...SLOW, failing });
		const { id } = await reply();
		const { data: other } = await tenant.must<Data<Fields>>('POST', '/chatapp/send-template', {
			customer_id: 102,
			template_name: 'opening_hours',
			template_language: 'en_US',
		});
		await advance(1);
		expect(statusOf(id)).toBe('sent');
		await advance(60);
		expect(messageOf(id)).toMatchObject({
			status: 'failed',
			latest_error: { message_id: id, type: 'blocked', user_friendly_message: 'No such phone' },
		});
		expect(messageOf(other.id)).toMatchObject({ status: 'read' });
		expect(messageOf(other.id)).not.toHaveProperty('latest_error');
	});

	test('a share of the messages fails, the same ones for the same seed', async () => {
		const outcome = async (seed: number) => {
			await tenant.reset();
			await tenant.control('POST', '/delivery-statuses', { ...SLOW, failing: { probability: 0.3, seed } });
			const sent: Fields[] = [];
			for (let number = 0; number < 100; number++) sent.push(await reply());
			await advance(60);
			return sent.map(({ id }) => statusOf(id));
		};
		const first = await outcome(7);
		expect(new Set(first)).toEqual(new Set(['read', 'failed']));
		const failed = first.filter((status) => status === 'failed').length;
		expect(failed).toBeGreaterThan(15);
		expect(failed).toBeLessThan(45);
		expect(await outcome(7)).toEqual(first);
		expect(await outcome(8)).not.toEqual(first);
	});

	test('a reply after the end of its session stays failed', async () => {
		await tenant.control('POST', '/delivery-statuses', SLOW);
		await advance(60 * 25);
		const { id, status } = await reply();
		await advance(60);
		expect([status, statusOf(id)]).toEqual(['failed', 'failed']);
	});

	test("a customer who is deleted meanwhile is in nobody's way", async () => {
		await tenant.control('POST', '/delivery-statuses', SLOW);
		await reply();
		await tenant.must('DELETE', '/customers/101');
		await advance(60);
		expect(await tenant.control('GET', '')).toMatchObject({ holds: { conversations: 0 } });
	});

	test('switched off, messages keep the status that they have; a reset brings back what it was started with', async () => {
		await tenant.control('POST', '/delivery-statuses', SLOW);
		const { id } = await reply();
		await advance(1);
		await tenant.control('DELETE', '/delivery-statuses');
		await advance(60);
		expect(statusOf(id)).toBe('sent');

		const other = await startTenant({ deliveryStatuses: { read: null } });
		const rules = await other.control('GET', '/delivery-statuses');
		expect(rules).toMatchObject({ data: { sent: 200, delivered: 1000, read: null } });
		await other.control('DELETE', '/delivery-statuses');
		await other.control('POST', '/reset');
		expect(await other.control('GET', '/delivery-statuses')).toEqual(rules);
		await other.close();
	});

	test('what is no rule is refused by field', async () => {
		for (const body of [
			{ sent: -1 },
			{ seen: 5 },
			{ failing: { probability: 2 } },
			{ failing: { numbers: ['+49 1700'] } },
		]) {
			const answer = await ask(`${tenant.url}/sandbox/delivery-statuses`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
			expect([body, answer.status]).toEqual([body, 422]);
		}
	});
});

describe('webhooks of statuses', () => {
	test('every status of a message with from_automation is told and signed, with its own time', async () => {
		await tenant.control('POST', '/webhooks', {
			url: receiver.url,
			signature: { secret: 'key', header: 'x-sig' },
		});
		await tenant.control('POST', '/delivery-statuses', SLOW);
		const message = await reply({ from_automation: true });
		for (let minute = 0; minute < 3; minute++) {
			await tenant.deliveriesSettled();
			await advance(1);
		}
		await tenant.deliveriesSettled();
		expect(told()).toMatchObject(
			['created', 'sent', 'delivered', 'read'].map((status) => ({
				event: 'new-agent-message',
				message: { ...message, status },
			})),
		);
		const [accepted, ...later] = told().map(({ occurred_at }) => Date.parse(occurred_at));
		for (const [index, at] of later.entries()) {
			expect(Math.abs(at - accepted - (index + 1) * MINUTE)).toBeLessThan(1_000);
		}
		for (const { headers, body } of receiver.received) {
			expect(headers['x-sig']).toBe(createHmac('sha256', 'key').update(body).digest('hex'));
		}
	});

	test('a message without from_automation changes its status in silence', async () => {
		await tenant.control('POST', '/webhooks', { url: receiver.url });
		await tenant.control('POST', '/delivery-statuses', SLOW);
		const { id } = await reply();
		await advance(60);
		await tenant.deliveriesSettled();
		expect(statusOf(id)).toBe('read');
		expect(receiver.received).toEqual([]);
	});
});

describe('a status by hand', () => {
	const set = (id: number, body: object) =>
		tenant.control<Data<Fields>>('POST', `/messages/${id}/status`, body);

	test('it is there at once, is told, and ends what was planned', async () => {
		await tenant.control('POST', '/webhooks', { url: receiver.url });
		await tenant.control('POST', '/delivery-statuses', SLOW);
		const message = await reply({ from_automation: true });
		expect((await set(message.id, { status: 'delivered' })).data).toEqual({
			...message,
			status: 'delivered',
		});
		await advance(60);
		await tenant.deliveriesSettled();
		expect(statusOf(message.id)).toBe('delivered');
		expect(told().map((event) => event.message.status)).toEqual(['created', 'delivered']);
	});

	test('failed comes with an error, also without words for it', async () => {
		const { id } = await reply();
		expect((await set(id, { status: 'failed' })).data).toMatchObject({
			status: 'failed',
			latest_error: { type: 'undeliverable', original_message: expect.any(String) },
		});
		expect((await set(id, { status: 'failed', type: 'spam', message: 'Blocked' })).data).toMatchObject({
			latest_error: { type: 'spam', original_message: 'Blocked' },
		});
	});

	test('a failure by hand ends what was planned too', async () => {
		await tenant.control('POST', '/delivery-statuses', SLOW);
		const { id } = await reply();
		await tenant.control('POST', `/messages/${id}/failure`, { type: 'spam', message: 'Blocked' });
		await advance(60);
		expect(statusOf(id)).toBe('failed');
	});

	test('unknown messages and statuses and messages of customers are refused', async () => {
		const { data: written } = await tenant.control<Data<Fields>>(
			'POST',
			'/conversations/2001/customer-messages',
			{ text: 'Hi' },
		);
		const { id } = await reply();
		for (const [message, status, expected, more] of [
			[999_999, 'read', 404],
			[id, 'received', 422],
			[id, 'eaten', 422],
			[written.id, 'read', 422],
			[id, 'read', 422, { message: 'An error of a message that was read' }],
		] as const) {
			const answer = await ask(`${tenant.url}/sandbox/messages/${message}/status`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ status, ...more }),
			});
			expect([message, status, answer.status]).toEqual([message, status, expected]);
		}
	});
});

describe('over a restart', () => {
	let folder: string;
	beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'))));
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	test('statuses that became due while nothing ran are made up', async () => {
		const startAt = Date.parse('2031-05-06T07:00:00Z');
		const webhooks = [{ url: receiver.url }];
		const first = await startTenant({ dataDir: folder, startAt, webhooks, deliveryStatuses: SLOW });
		const { data } = await first.must<Data<Fields>>('POST', '/conversations/2001/messages', {
			type: 'text',
			text: { content: 'Hello' },
			from_automation: true,
		});
		await first.deliveriesSettled();
		await first.close();

		const second = await startSandbox({ dataDir: folder, startAt: startAt + 2.5 * MINUTE });
		expect(second.store.conversations.findMessage(data.id)?.status).toBe('delivered');
		await second.deliveriesSettled();
		second.store.clock.advance(MINUTE);
		expect(second.store.conversations.findMessage(data.id)?.status).toBe('read');
		await second.deliveriesSettled();
		await second.close();
		const heard = told()
			.map(({ occurred_at, message }) => `${occurred_at.slice(11, 16)} ${String(message.status)}`)
			.sort();
		expect(heard).toEqual(['07:00 created', '07:01 sent', '07:02 delivered', '07:03 read']);
	});
});
