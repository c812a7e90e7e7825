import type { IDataObject } from 'n8n-workflow';

import { send } from '../../http.mts';
import { errorOf, type Execution, itemsOf } from '../rest.mts';
import { waitFor } from '../waitFor.mts';
import { nodeNamed, webhookUrl, withCredential } from '../workflow.mts';
import {
	AGENT_MESSAGE_TRIGGER,
	customerJourney,
	exampleNames,
	MANUAL_START,
	newAgentMessage,
	readExample,
} from './examples.mts';
import { type ChatModel, startChatModel, taggingTurn } from './examplesChatModel.mts';
import { jsonOf, type RecipeRuns, recipesInThisFile } from './recipeRuns.mts';
import {
	CREDENTIAL_TYPE,
	headerSecret,
	type TenantAndN8n,
	WEBHOOK_CREDENTIAL_TYPE,
	WEBHOOK_PATH,
} from './tenantAndN8n.mts';

let both: TenantAndN8n;
let runs: RecipeRuns;
let journey: Execution;
let agentMessage: Execution;

/** The only item that a node of the journey gave. */
const item = (node: string, execution = journey) => {
	const items = itemsOf(execution, node);
	expect(items).toHaveLength(1);
	return items[0];
};

recipesInThisFile((started) => ({ both, runs } = started));

beforeAll(async () => {
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
});

describe('the customer journey, run by hand', () => {
	it('runs to its end through every node, with linked items', () => {
		expect(journey.data.resultData.error).toBeUndefined();
		expect(journey.status).toBe('success');
		const steps = customerJourney.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
		expect(Object.keys(journey.data.resultData.runData)).toEqual(steps.map(({ name }) => name));
		for (const { name } of steps) expect(item(name).pairedItem).toEqual({ item: 0 });
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
});

/** What a recipe gives when it is started in the editor as it has been imported. */
interface Promised {
	/** The trigger whose button is pressed. */
	from: string;
	/** Nodes and their items. */
	gives: Record<string, object[]>;
	/** Answers the question that the recipe asks. */
	answer?: (runs: RecipeRuns) => Promise<void>;
}

const TOLD = 'Mira Example was told: Your parcel is at the shop';

const PROMISES: Record<string, Promised> = {
	'ai-agent-tags': { from: 'Chat', gives: { 'AI Agent': [{ output: 'Mira Example is tagged now.' }] } },
	'both-writings-of-a-number': {
		from: MANUAL_START,
		gives: { 'Create the Person': [{}], 'Change the Person': [{ email: 'ana@mail.example' }] },
	},
	'consent-form': {
		from: 'Consent Form',
		gives: { Proof: [{ phone: '491700000401', answer: 'I agree', is_opted_in: true }] },
	},
	'crm-tag-sync': {
		from: 'CRM Webhook',
		gives: { 'Set Tags': [{ tags: [{ title: 'Loyal' }, { title: 'VIP' }] }, { tags: [] }] },
	},
	'csv-bulk-import': {
		from: 'Upload a CSV',
		gives: {
			'All Taken Over': [{ row: 2, result: 'created or updated' }],
			'What Was Left Out': [{ row: 3, result: 'imported in part' }],
		},
	},
	'customer-journey': {
		from: MANUAL_START,
		gives: { 'Send Shipping Notice': [{ status: 'created' }] },
	},
	'failed-message-fallback': {
		from: 'When the Shop Has a Text',
		gives: { 'Tell What Was Sent': [{ sent_as: 'text' }] },
	},
	'failed-message-ticket': {
		from: 'Failed Agent Message',
		gives: {
			Ticket: [{ subject: 'Message 30004 to Mira Example was not delivered', reference: 'message-30004' }],
			'Open Ticket': [{ id: 'T-1' }],
		},
	},
	'everybody-with-tag': {
		from: MANUAL_START,
		gives: {
			'Only This Tag': [{ title: 'VIP' }],
			'Send to Each': [{ status: 'created', customer_id: 101 }],
		},
	},
	'group-campaign': {
		from: MANUAL_START,
		gives: { 'Count What Was Sent': [{ sent: 1, skipped: 0, failed: 0 }] },
		async answer(runs) {
			const [{ text }] = runs.sent('POST', /\/conversations\/2001\/messages$/) as Array<{
				text: { content: string };
			}>;
			const [, approve] = /^Send it: (\S+)$/m.exec(text.content) ?? [];
			await send(approve, { method: 'POST', body: new URLSearchParams({ answer: 'approve' }) });
		},
	},
	'hand-over-to-colleague': {
		from: 'Chat',
		gives: { 'AI Agent': [{ output: 'Mira Example is with a colleague now.' }] },
	},
	'mcp-server': {
		from: MANUAL_START,
		gives: { 'Preview the Welcome': [{ ready: true, text: expect.stringContaining('Hi Mira') }] },
	},
	'new-agent-message': { from: AGENT_MESSAGE_TRIGGER, gives: { Summary: [{ summary: TOLD }] } },
	'opt-out-link': { from: MANUAL_START, gives: { 'Send the Message': [{ status: 'created' }] } },
	'order-shipped-template': {
		from: 'Shop Webhook',
		gives: { Sent: [{ order: 'A-301' }], 'Not Sent': [] },
	},
	'person-export': {
		from: MANUAL_START,
		gives: { 'Read Everything': [{ profile: { id: 102 }, customer: { id: 101 }, unreadable: {} }] },
	},
	'same-conversation': {
		from: MANUAL_START,
		gives: { 'Send the Text': [{ conversation_id: 2001, status: 'created' }] },
	},
	'agent-evaluation': {
		from: 'Data Set',
		gives: { 'Tools Used': [{ 'Tools Used': 1 }], 'Right Profile': [{ 'Right Profile': 1 }] },
	},
	'undelivered-next-morning': {
		from: 'Undelivered Message',
		gives: { 'Keep the Message': [{ message_id: '30004', customer_id: 101, sent_again: null }] },
	},
};

describe('right after its import, with no more than the credential chosen', () => {
	let model: ChatModel;

	beforeAll(async () => {
		model = await startChatModel(taggingTurn);
	});

	beforeEach(async () => await both.sandbox.reset());

	afterAll(async () => await model?.close());

	const create = async (name: string) => {
		const example = readExample(name);
		const wantsModel = example.nodes.some(({ credentials }) => credentials?.openAiApi);
		return await runs.create(example, wantsModel ? { openAiApi: { apiKey: 'none', url: model.url } } : {});
	};

	it.each(Object.entries(PROMISES))('%s runs at once', async (name, { from, gives, answer }) => {
		const { id } = await create(name);
		const started = await both.rest.run(id, from);
		if (answer) {
			await runs.waits(started);
			await answer(runs);
		}
		const execution = await both.rest.finished(started);
		expect(errorOf(execution)).toBeUndefined();
		expect(execution.status).toBe('success');
		for (const [node, items] of Object.entries(gives)) expect(jsonOf(execution, node)).toMatchObject(items);
	});

	it('opt-out-link runs from the page too, and changes nothing with the sample', async () => {
		const { id } = await create('opt-out-link');
		const execution = await both.rest.runToEnd(id, 'Link Was Opened');
		expect(errorOf(execution)).toBeUndefined();
		expect(jsonOf(execution, 'Ask for Confirmation')).toHaveLength(1);
		expect(both.sandbox.requests()).toEqual([]);
	});

	it('both-writings-of-a-number makes one person of both', async () => {
		const { id } = await create('both-writings-of-a-number');
		expect(errorOf(await both.rest.runToEnd(id, MANUAL_START))).toBeUndefined();
		expect(runs.customerOf('5215512345678')).toBeDefined();
		expect(runs.customerOf('525512345678')).toBeUndefined();
	});

	it('hand-over-to-colleague assigns the colleague, and a bot in place of the running one', async () => {
		const { id } = await create('hand-over-to-colleague');
		expect(errorOf(await both.rest.runToEnd(id, 'Chat'))).toBeUndefined();
		expect(runs.sent('POST', /\/send-template$/)).toMatchObject([
			{ customer_id: 101, template_name: 'opening_hours', assign_bot_id: 1, assign_user_id: 2 },
		]);
	});

	it('appointment-confirmation runs at once, and each customer has a page of their own', async () => {
		const { id } = await create('appointment-confirmation');
		expect(errorOf(await both.rest.runToEnd(id, MANUAL_START))).toBeUndefined();
		const messages = await waitFor('two questions', () => {
			const sent = runs.sent('POST', /send-template$/);
			return sent.length === 2 ? sent : undefined;
		});
		for (const { template_components } of messages) {
			const link = String(JSON.stringify(template_components)).match(/"text":"(\d[^"]*)"\}\]\}\]$/);
			const page = await send(`${both.n8n.url}/webhook-waiting/${link?.[1]}`);
			expect(page).toMatchObject({ status: 200, body: expect.stringContaining('Will you come?') });
		}
	});

	it('each of the recipes is among them', () => {
		// Others wait for a person or a time (examples.sequences.test.mts).
		const waits = (name: string) =>
			/"(n8n-nodes-base\.wait|sendAndWait)"/.test(JSON.stringify(readExample(name)));
		const waiting = exampleNames.filter((name) => !(name in PROMISES) && waits(name));
		expect([...Object.keys(PROMISES), ...waiting].sort()).toEqual(exampleNames.sort());
	});
});
