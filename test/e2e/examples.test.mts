import type { IDataObject } from 'n8n-workflow';

import { http } from '../http.mts';
import { type Execution, itemsOf } from '../n8n/rest.mts';
import { nodeNamed, webhookUrl, withCredential } from '../n8n/workflow.mts';
import { asAdmin } from '../sandbox/tenantClient.mts';
import { AGENT_MESSAGE_TRIGGER, customerJourney, MANUAL_START, newAgentMessage } from './examples.mts';
import {
	CREDENTIAL_TYPE,
	headerSecret,
	startTenantAndN8n,
	type TenantAndN8n,
	WEBHOOK_CREDENTIAL_TYPE,
	WEBHOOK_PATH,
} from './tenantAndN8n.mts';

jest.setTimeout(60_000);

let both: TenantAndN8n;
let journey: Execution;
let agentMessage: Execution;

/** The only item that a node of the journey gave. */
const item = (node: string, execution = journey) => {
	const items = itemsOf(execution, node);
	expect(items).toHaveLength(1);
	return items[0];
};

async function read<T>(path: string): Promise<T> {
	const { data } = await asAdmin(both.sandbox).get<{ data: T }>(path);
	return data.data;
}

beforeAll(async () => {
	both = await startTenantAndN8n();
	const { rest, sandbox, n8n, credential } = both;
	const secret = await rest.createCredential(headerSecret.credential);
	const listening = await rest.createWorkflow(
		withCredential(newAgentMessage, WEBHOOK_CREDENTIAL_TYPE, secret),
	);
	await rest.publish(listening);
	const url = webhookUrl(n8n.url, nodeNamed(newAgentMessage, AGENT_MESSAGE_TRIGGER), WEBHOOK_PATH);
	sandbox.registerWebhook({ url, ...headerSecret.registration });

	const { id } = await rest.createWorkflow(withCredential(customerJourney, CREDENTIAL_TYPE, credential));
	journey = await rest.runToEnd(id, MANUAL_START);
	[agentMessage] = await rest.executionsOf(listening.id);
	await sandbox.deliveriesSettled();
}, 180_000);

afterAll(async () => await both?.stop(), 60_000);

describe('the customer journey, run by hand', () => {
	it('runs to its end through every node, with linked items', () => {
		expect(journey.data.resultData.error).toBeUndefined();
		expect(journey.status).toBe('success');
		const steps = customerJourney.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
		expect(Object.keys(journey.data.resultData.runData)).toEqual(steps.map(({ name }) => name));
		for (const { name } of steps) expect(item(name).pairedItem).toEqual({ item: 0 });
	});

	it('creates the customer and finds the profile that came with it', () => {
		const order = item('New Order').json;
		const customer = item('Create Customer').json;
		expect(customer).toMatchObject({ channel: 'chatapp', display_id: order.phone, name: 'Nora Newcomer' });
		expect(item('Find Profile').json).toMatchObject({
			customer_id: customer.id,
			phone_number: order.phone,
			name: 'Nora Newcomer',
		});
	});

	it('sets the tags and the consent of the profile, here and in the tenant', async () => {
		const { id } = item('Find Profile').json;
		const titles = ['First order', 'Newsletter'];
		expect(item('Set Tags').json).toMatchObject({
			profile_id: id,
			tags: titles.map((title) => ({ title })),
		});
		expect(await read(`/profiles/${id}/tags`)).toMatchObject(titles.map((title) => ({ title })));
		expect(item('Set Consent').json).toMatchObject({ id, marketing_opt_in: 1 });
		expect(await read(`/profiles/${id}/marketing-opt-in`)).toMatchObject({ id, is_opted_in: true });
	});

	it('uploads the picture byte for byte', async () => {
		const picture = Buffer.from(String(item('Parcel Picture').json.picture), 'base64');
		expect(item('Picture as File').binary?.data).toMatchObject({
			fileName: 'parcel.png',
			mimeType: 'image/png',
		});
		const upload = item('Upload Picture').json;
		expect(upload).toMatchObject({
			name: 'parcel.png',
			type: 'image',
			mime_type: 'image/png',
			size: picture.length,
			public: true,
		});
		const stored = await http.get<Buffer>(String(upload.url), { responseType: 'arraybuffer' });
		expect(stored.data).toEqual(picture);
	});

	it('sends the template to the customer, with the picture and every variable filled in', () => {
		const { order, arrival } = item('New Order').json;
		const sent = item('Send Shipping Notice').json;
		const template = {
			name: 'order_shipped',
			header: { type: 'image', link: item('Upload Picture').json.url },
			body: {
				text: `Good news, Nora Newcomer! Your order ${order} is on its way and should arrive on ${arrival}.`,
			},
		};
		expect(sent).toMatchObject({ status: 'created', contents: [{ template }] });

		const { conversations } = both.sandbox.store;
		const conversation = conversations.ofCustomer(Number(item('Create Customer').json.id));
		expect(sent.conversation_id).toBe(conversation?.id);
		expect(conversations.messages(Number(sent.conversation_id))).toEqual([
			expect.objectContaining({ id: sent.id, source: 'automation', contents: sent.contents }),
		]);
	});

	it('can be run again', async () => {
		const again = await both.rest.runToEnd(journey.workflowId, MANUAL_START);
		expect(again.data.resultData.error).toBeUndefined();
		expect(item('Create Customer', again).json.id).not.toBe(item('Create Customer').json.id);
	});
});

describe('the new agent message', () => {
	it('reaches the published workflow once, as the tenant sent it', () => {
		const [delivery] = both.sandbox.deliveries();
		expect(delivery).toMatchObject({ attempt: 1, status: 200, error: null });
		expect(agentMessage).toMatchObject({ status: 'success', mode: 'webhook' });
		const { message, ...event } = JSON.parse(delivery.body) as IDataObject;
		expect(item(AGENT_MESSAGE_TRIGGER, agentMessage).json).toEqual({ ...(message as IDataObject), event });
	});

	it('ends in a readable line', () => {
		const { name, phone, order, arrival } = item('New Order').json;
		const { id, sent_at } = item('Send Shipping Notice').json;
		expect(item('Summary', agentMessage).json).toEqual({
			summary: `${name} was told: Good news, ${name}! Your order ${order} is on its way and should arrive on ${arrival}.`,
			customer: name,
			phone,
			message_id: id,
			sent_at,
		});
	});
});
