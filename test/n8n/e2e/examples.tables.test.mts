import type { INode } from 'n8n-workflow';

import { generation } from '../generation.mts';
import { webhookUrl, nodeNamed } from '../workflow.mts';
import { asAdmin } from '../../sandbox/tenantClient.mts';
import { agentEvaluation, MANUAL_START, undeliveredNextMorning } from './examples.mts';
import { type ChatRequest, startChatModel, taggingTurn } from './examplesChatModel.mts';
import { jsonOf, RecipeRuns, withParameters } from './recipeRuns.mts';
import {
	headerSecret,
	startTenantAndN8n,
	type TenantAndN8n,
	WEBHOOK_CREDENTIAL_TYPE,
	WEBHOOK_PATH,
} from './tenantAndN8n.mts';

jest.setTimeout(120_000);

let both: TenantAndN8n;
let runs: RecipeRuns;

beforeAll(async () => {
	both = await startTenantAndN8n();
	runs = new RecipeRuns(both);
}, 300_000);

beforeEach(async () => await both.sandbox.reset());

afterAll(async () => await both?.stop(), 60_000);

it('n8n 2 has a node that creates data tables, and n8n 1 none', async () => {
	const [newest] = (await both.rest.nodeTypes()).filter(({ name }) => name === 'n8n-nodes-base.dataTable');
	const resources = newest.properties.find(({ name }) => name === 'resource')?.options ?? [];
	expect(resources.some((option) => 'value' in option && option.value === 'table')).toBe(generation === 2);
});

function undeliveredMessages() {
	const templates = () => runs.sent('POST', /\/send-template$/);

	/** Has an automation write into the conversation. Outside the session, the message is not delivered. */
	async function say(content: string): Promise<number> {
		const { data } = await asAdmin(both.sandbox).post<{ data: { id: number } }>(
			'/conversations/2001/messages',
			{ type: 'text', text: { content }, from_automation: true },
		);
		await both.sandbox.deliveriesSettled();
		return data.data.id;
	}

	it('keeps the message that failed, and sends it the next morning, once', async () => {
		const id = await runs.publish(undeliveredNextMorning, {
			[WEBHOOK_CREDENTIAL_TYPE]: headerSecret.credential.data,
		});
		const trigger: INode = nodeNamed(undeliveredNextMorning, 'Undelivered Message');
		const url = webhookUrl(both.n8n.url, trigger, WEBHOOK_PATH);
		both.sandbox.registerWebhook({ url, ...headerSecret.registration });
		// An account without the template: the step creates it, as a person does before publishing.
		await both.rest.runToEnd(id, MANUAL_START);
		await say('In time');
		both.sandbox.store.clock.advance(1000 * 60 * 60 * 1000);
		const failed = await say('Your parcel is\nat the shop');
		const kept = await runs.succeeded(id, 2);
		expect(jsonOf(kept, 'Keep the Message')).toMatchObject([
			{
				...{ message_id: String(failed), customer_id: 101, text: 'Your parcel is\nat the shop' },
				...{ reason: expect.stringContaining('Send a template'), sent_again: null, result: null },
			},
		]);
		expect(templates()).toEqual([]);

		// Two mornings at the same instant both find the message.
		const mornings = await Promise.all([1, 2].map(() => both.rest.runToEnd(id, 'Every Morning')));
		expect(mornings.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(templates()).toMatchObject([
			{
				...{ customer_id: 101, template_name: 'message_again' },
				template_components: [
					{ type: 'body', parameters: [{ type: 'text', text: 'Your parcel is at the shop' }] },
				],
			},
		]);
		const noted = mornings.flatMap((morning) => jsonOf(morning, 'Note What Was Sent'));
		expect(noted).toContainEqual(expect.objectContaining({ message_id: String(failed), result: 'sent' }));

		const next = await both.rest.runToEnd(id, 'Every Morning');
		expect(jsonOf(next, 'Get What Is Kept')).toEqual([]);
		expect(templates()).toHaveLength(1);
	});
}

function evaluation() {
	it('measures each question of the data set', async () => {
		// It does as it is told, but tags the wrong person for one of the questions, without looking them up.
		const careless = (request: ChatRequest) => {
			const wish = request.messages.find(({ role }) => role === 'user')?.content;
			if (!wish?.startsWith('Tag Jonas')) return taggingTurn(request);
			if (request.messages.some(({ role }) => role === 'tool')) return { text: 'Done' };
			return { tool: 'Add_Tag', arguments: { profile_id: 500003, tag: 'Newsletter' } };
		};
		const model = await startChatModel(careless);
		try {
			const openAiApi = { apiKey: 'none', url: model.url };
			const first = await runs.create(agentEvaluation, { openAiApi });
			const filled = await both.rest.runToEnd(first.id, MANUAL_START);
			const again = await both.rest.runToEnd(first.id, MANUAL_START);
			expect(jsonOf(again, 'Keep the Row')).toHaveLength(jsonOf(filled, 'Keep the Row').length);
			const [{ id: value }] = jsonOf(filled, 'Create the Table');
			expect(jsonOf(again, 'Create the Table')).toMatchObject([{ id: value }]);

			const dataTableId = { __rl: true, mode: 'list', value };
			const chosen = withParameters(agentEvaluation, { 'Data Set': { dataTableId } });
			const { id } = await runs.create(chosen, { openAiApi });
			const cases = await both.rest.evaluate(id);
			const metrics = cases.map((one) => {
				const [{ question }] = jsonOf(one, 'Data Set');
				return { question, ...jsonOf(one, 'Tools Used')[0], ...jsonOf(one, 'Right Profile')[0] };
			});
			expect(metrics).toHaveLength(3);
			expect(metrics).toEqual(
				expect.arrayContaining([
					{ question: 'Tag Mira Example as VIP', 'Tools Used': 1, 'Right Profile': 1 },
					{ question: 'Tag Jonas Sample as Newsletter', 'Tools Used': 0.5, 'Right Profile': 0 },
					{ question: 'Tag Nora Nowhere as VIP', 'Tools Used': 1, 'Right Profile': 1 },
				]),
			);
			expect(await runs.tagsOf('491700000001')).toContain('VIP');
		} finally {
			await model.close();
		}
	});
}

if (generation === 2) {
	describe('undelivered messages the next morning', undeliveredMessages);
	describe('the evaluation of an agent', evaluation);
}
