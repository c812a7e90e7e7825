import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Delivery } from '../../sandbox/server.mts';
import { REFUSED_ADDRESS } from '../engine/refusedAddress.mts';
import { type Data, type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

/** What hears webhooks, and what it heard in this test. */
const receiver = {
	url: '',
	status: 200,
	received: [] as Array<{ headers: IncomingHttpHeaders; body: string }>,
};
const server = createServer((request, response) => {
	void text(request).then((body) => {
		receiver.received.push({ headers: request.headers, body });
		response.writeHead(receiver.status).end('heard');
	});
});
beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});
beforeEach(() => void Object.assign(receiver, { status: 200, received: [] }));
afterAll(() => void server.close());

const reply = async (from_automation?: boolean) => {
	const message = { type: 'text', text: { content: 'Hello' }, from_automation };
	return (await tenant.must<Data<Fields>>('POST', '/conversations/2001/messages', message)).data;
};
const sendTemplate = (more: object) => {
	const plain = { template_name: 'opening_hours', template_language: 'en_US' };
	return tenant.must('POST', '/chatapp/send-template', { customer_id: 102, ...plain, ...more });
};
const register = (fields: object = {}) =>
	tenant.control<Fields>('POST', '/webhooks', { url: receiver.url, ...fields });
const deliveries = async () => (await tenant.control<Data<Delivery[]>>('GET', '/deliveries')).data;
const told = async () => {
	await tenant.deliveriesSettled();
	return receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
};

describe('new-agent-message', () => {
	test('a message with from_automation is told to every webhook, with the Message in it', async () => {
		await register();
		tenant.registerWebhook({ url: receiver.url });
		const message = await reply(true);
		const payload = {
			...{ event: 'new-agent-message', message, conversation: { id: 2001, agent_id: 11 } },
			...{ customer: { id: 101, name: 'Mira Example', display_id: '491700000001' } },
		};
		expect(await told()).toMatchObject([payload, payload]);
		expect(receiver.received[0].headers).toMatchObject({
			...{ 'content-type': 'application/json', 'x-sandbox-event': 'new-agent-message' },
			'x-sandbox-delivery': expect.any(String),
		});
	});

	test('a template with from_automation is told too; without it, nothing is told, nor a change of consent', async () => {
		await register();
		await reply();
		await reply(false);
		await sendTemplate({});
		const profile = tenant.store.profiles.ofCustomer(102)?.id;
		await tenant.must('POST', `/profiles/${profile}/marketing-opt-in`, { opt_in: true });
		await sendTemplate({ from_automation: true });
		expect(await told()).toMatchObject([{ message: { contents: [{ type: 'template' }] } }]);
	});

	test('each status that is given to such a message by hand is told with the message', async () => {
		await register();
		for (const { id } of [await reply(true), await reply()]) {
			await tenant.control('POST', `/messages/${id}/status`, { status: 'read' });
		}
		expect((await told()).map(({ message }) => (message as Fields).status).sort()).toEqual([
			'created',
			'read',
		]);
	});
});

describe('deliveries', () => {
	test('every delivery is recorded with the answer of the receiver, or the reason why there is none', async () => {
		receiver.status = 503;
		await register();
		await register({ url: REFUSED_ADDRESS });
		await reply(true);
		await tenant.deliveriesSettled();
		const body = receiver.received[0].body;
		const heard = { status: 503, answer: 'heard', error: null, attempt: 1, duration_ms: expect.any(Number) };
		expect(await deliveries()).toMatchObject([
			{ url: REFUSED_ADDRESS, status: null, error: expect.stringContaining('ECONNREFUSED') },
			{ url: receiver.url, body, ...heard },
		]);
	});

	test('nothing is repeated by itself; a redelivery sends the same bytes once more, while the webhook is registered', async () => {
		receiver.status = 500;
		const webhook = await register();
		await reply(true);
		await told();
		const [{ id }] = await deliveries();
		await tenant.control('POST', `/deliveries/${id}/redeliver`);
		await told();
		const [first, second] = receiver.received.map(({ body }) => body);
		expect([receiver.received.length, second]).toEqual([2, first]);
		expect(tenant.deliveries()).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
		await tenant.control('DELETE', `/webhooks/${webhook.id}`);
		expect((await tenant.askControl('POST', `/deliveries/${id}/redeliver`)).status).toBe(422);
		await reply(true);
		expect(await told()).toHaveLength(2);
	});

	test('a hundred messages at once are all delivered; what is under way at a reset is noted no more', async () => {
		await register();
		await Promise.all(Array.from({ length: 100 }, () => reply(true)));
		await told();
		expect(new Set(receiver.received.map(({ headers }) => headers['x-sandbox-delivery'])).size).toBe(100);
		await reply(true);
		await tenant.reset();
		await told();
		expect(tenant.deliveries()).toEqual([]);
	});
});

describe('proof of origin', () => {
	const deliver = async (protection: object) => {
		await register(protection);
		await reply(true);
		await told();
		return receiver.received[0];
	};
	const hmac = (text: string) => createHmac('sha256', 'key').update(text);

	test('a secret in a header, or basic authentication', async () => {
		const secretHeader = { name: 'X-Secret', value: 's3cret' };
		const { headers } = await deliver({ secretHeader, basicAuth: { user: 'hook', password: 'päss' } });
		const authorization = `Basic ${Buffer.from('hook:päss').toString('base64')}`;
		expect(headers).toMatchObject({ 'x-secret': 's3cret', authorization });
	});

	test('an HMAC over the raw body, or over timestamp and body, in hex or Base64', async () => {
		const first = await deliver({ signature: { secret: 'key', header: 'x-sig', prefix: 'sha256=' } });
		expect(first.headers['x-sig']).toBe(`sha256=${hmac(first.body).digest('hex')}`);
		await tenant.reset();
		await deliver({ signature: { secret: 'key', encoding: 'base64', timestampHeader: 'x-time' } });
		const { headers, body } = receiver.received[1];
		const time = String(headers['x-time']);
		expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(60);
		expect(headers['x-sandbox-signature']).toBe(hmac(`${time}.${body}`).digest('base64'));
	});

	test('the headers of Standard Webhooks, with the same ID for a redelivery', async () => {
		const key = Buffer.alloc(24, 1);
		await deliver({ standardWebhooks: { secret: `whsec_${key.toString('base64')}` } });
		const [{ id }] = await deliveries();
		await tenant.control('POST', `/deliveries/${id}/redeliver`);
		await told();
		const ids = receiver.received.map(({ headers, body }) => {
			const { 'webhook-id': own, 'webhook-timestamp': time } = headers;
			const signature = createHmac('sha256', key).update(`${String(own)}.${String(time)}.${body}`);
			expect(headers['webhook-signature']).toBe(`v1,${signature.digest('base64')}`);
			expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(60);
			return own;
		});
		expect(ids).toEqual([ids[0], ids[0]]);
	});
});
