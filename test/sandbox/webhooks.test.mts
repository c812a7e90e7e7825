import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Delivery } from '../../sandbox/server.mts';
import { REFUSED_ADDRESS } from '../engine/refusedAddress.mts';
import { useReceiver } from './receiver.mts';
import { type Data, type Fields, until, useTenant } from './tenant.mts';

const tenant = useTenant();

const receiver = useReceiver();

const reply = async (from_automation?: boolean) =>
	(
		await tenant.must<Data<Fields>>('POST', '/conversations/2001/messages', {
			type: 'text',
			text: { content: 'Hello' },
			from_automation,
		})
	).data;
const register = (fields: object = {}) =>
	tenant.control<Fields>('POST', '/webhooks', { url: receiver.url, ...fields });
const deliveries = async () => (await tenant.control<Data<Delivery[]>>('GET', '/deliveries')).data;

describe('new-agent-message', () => {
	test('a message with from_automation is told to every webhook, with the Message in it', async () => {
		await register();
		await register();
		const message = await reply(true);
		await tenant.deliveriesSettled();
		expect(receiver.received).toHaveLength(2);
		expect(JSON.parse(receiver.received[0].body)).toMatchObject({
			event: 'new-agent-message',
			message,
			conversation: { id: 2001 },
			customer: { id: 101, name: 'Mira Example' },
		});
		expect(receiver.received[0].headers).toMatchObject({
			'content-type': 'application/json',
			'x-sandbox-event': 'new-agent-message',
			'x-sandbox-delivery': expect.any(String),
		});
	});

	test('a template with from_automation is told too', async () => {
		await register();
		await tenant.must('POST', '/chatapp/send-template', {
			customer_id: 102,
			template_name: 'opening_hours',
			template_language: 'en_US',
			from_automation: true,
		});
		await tenant.deliveriesSettled();
		expect(JSON.parse(receiver.received[0].body)).toMatchObject({
			message: { contents: [{ type: 'template' }] },
			customer: { id: 102 },
		});
	});

	test('a message without from_automation, or with false, is not told', async () => {
		await register();
		await reply();
		await reply(false);
		await tenant.must('POST', '/chatapp/send-template', {
			customer_id: 102,
			template_name: 'opening_hours',
			template_language: 'en_US',
		});
		await tenant.deliveriesSettled();
		expect(receiver.received).toEqual([]);
		expect(await deliveries()).toEqual([]);
	});

	test('a change of consent is no webhook', async () => {
		await register();
		await tenant.must('POST', '/profiles/103/marketing-opt-in', { opt_in: true });
		await tenant.deliveriesSettled();
		expect(receiver.received).toEqual([]);
	});

	test('the answer does not wait for the receiver', async () => {
		let release = () => {};
		const slow = createServer((_request, response) => {
			release = () => response.end();
		});
		await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
		await register({ url: `http://127.0.0.1:${(slow.address() as AddressInfo).port}/` });
		await reply(true);
		expect(await deliveries()).toMatchObject([{ status: null, finished_at: null }]);
		await until(() => {
			release();
			return tenant.deliveries()[0].finished_at ?? undefined;
		}, 'the slow receiver has answered');
		expect(await deliveries()).toMatchObject([{ status: 200 }]);
		await new Promise((resolve) => slow.close(resolve));
	});
});

describe('deliveries', () => {
	test('every delivery is recorded with the answer of the receiver and how long it took', async () => {
		receiver.answer = () => 503;
		await register();
		await reply(true);
		await tenant.deliveriesSettled();
		expect(await deliveries()).toMatchObject([
			{
				url: receiver.url,
				status: 503,
				answer: 'heard',
				error: null,
				attempt: 1,
				duration_ms: expect.any(Number),
			},
		]);
		expect((await deliveries())[0].body).toBe(receiver.received[0].body);
	});

	test('a receiver that is not there is recorded with the reason', async () => {
		await register({ url: REFUSED_ADDRESS });
		await reply(true);
		await tenant.deliveriesSettled();
		expect(await deliveries()).toMatchObject([
			{ status: null, error: expect.stringContaining('ECONNREFUSED') },
		]);
	});

	test('nothing is repeated by itself; a redelivery sends the same bytes once more', async () => {
		receiver.answer = () => 500;
		await register();
		await reply(true);
		await tenant.deliveriesSettled();
		expect(receiver.received).toHaveLength(1);
		const [first] = await deliveries();
		await tenant.control('POST', `/deliveries/${first.id}/redeliver`);
		await tenant.deliveriesSettled();
		expect(receiver.received).toHaveLength(2);
		expect(receiver.received[1].body).toBe(receiver.received[0].body);
		expect(await deliveries()).toMatchObject([{ attempt: 2 }, { attempt: 1 }]);
	});

	test('a hundred messages at once are all delivered', async () => {
		await register();
		await Promise.all(Array.from({ length: 100 }, () => reply(true)));
		await tenant.deliveriesSettled();
		expect(new Set(receiver.received.map(({ headers }) => headers['x-sandbox-delivery'])).size).toBe(100);
	});

	test('a webhook that is no longer registered hears nothing', async () => {
		const webhook = await register();
		await tenant.control('DELETE', `/webhooks/${webhook.id}`);
		await reply(true);
		await tenant.deliveriesSettled();
		expect(receiver.received).toEqual([]);
	});
});

describe('proof of origin', () => {
	const deliver = async (protection: object) => {
		await register(protection);
		await reply(true);
		await tenant.deliveriesSettled();
		return receiver.received[0];
	};

	test('a secret in a header', async () => {
		const { headers } = await deliver({ secretHeader: { name: 'X-Secret', value: 's3cret' } });
		expect(headers['x-secret']).toBe('s3cret');
	});

	test('basic authentication', async () => {
		const { headers } = await deliver({ basicAuth: { user: 'hook', password: 'päss' } });
		expect(headers.authorization).toBe(`Basic ${Buffer.from('hook:päss').toString('base64')}`);
	});

	test('an HMAC over the raw body', async () => {
		const { headers, body } = await deliver({
			signature: { secret: 'key', header: 'x-sig', prefix: 'sha256=' },
		});
		expect(headers['x-sig']).toBe(`sha256=${createHmac('sha256', 'key').update(body).digest('hex')}`);
	});

	test('an HMAC over timestamp and raw body, other algorithm and encoding', async () => {
		const { headers, body } = await deliver({
			signature: { secret: 'key', algorithm: 'sha384', encoding: 'base64', timestampHeader: 'x-time' },
		});
		const time = String(headers['x-time']);
		expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(60);
		expect(headers['x-sandbox-signature']).toBe(
			createHmac('sha384', 'key').update(`${time}.${body}`).digest('base64'),
		);
	});
});
