import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { http } from '../../http.mts';
import type { Execution } from '../rest.mts';
import { nodeNamed } from '../workflow.mts';
import { asAdmin } from '../../sandbox/tenantClient.mts';
import { chain, stepOf, webhookOf } from './agentWorkflows.mts';
import { campaignWithinHours, MANUAL_START } from './examples.mts';
import { jsonOf, RecipeRuns, withParameters } from './recipeRuns.mts';
import { startTenantAndN8n, type TenantAndN8n } from './tenantAndN8n.mts';

jest.setTimeout(400_000);

let both: TenantAndN8n;
let runs: RecipeRuns;

beforeAll(async () => {
	both = await startTenantAndN8n();
	runs = new RecipeRuns(both);
}, 300_000);

beforeEach(async () => await both.sandbox.reset());

afterAll(async () => await both?.stop(), 60_000);

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const templates = () => runs.sent('POST', /\/send-template$/);

/** What n8n's list of executions can be filtered by. */
const notesOf = ({ data }: Execution) => data.resultData.metadata;

describe('campaign within hours and a budget', () => {
	/** All three people of the tenant are in the group. The first and the last one have agreed to marketing messages. */
	beforeEach(async () => {
		const tenant = asAdmin(both.sandbox);
		for (const profile of [500002, 500003])
			await tenant.post(`/profiles/${profile}/groups`, { groups: [{ id: 61 }] });
		await tenant.post('/profiles/500003/marketing-opt-in', { opt_in: true });
	});

	/** The recipe with other hours and another budget. */
	async function create(hours: IDataObject, amount = '25') {
		const { options } = nodeNamed(campaignWithinHours, 'Send to Each').parameters as {
			options: IDataObject;
		};
		const changed = {
			...options,
			sendingHours: { values: { days: EVERY_DAY, timeZone: 'UTC', ...hours } },
			budget: { values: { amount, currency: 'EUR' } },
		};
		return await runs.create(withParameters(campaignWithinHours, { 'Send to Each': { options: changed } }));
	}

	const results = (execution: Execution) => jsonOf(execution, 'Tell What Was Sent');

	it('waits for the hours, also over a restart, and sends to each person once', async () => {
		const begin = DateTime.utc().plus({ seconds: 75 }).startOf('minute').plus({ minutes: 1 });
		const { id } = await create({
			from: begin.toFormat('HH:mm'),
			to: begin.plus({ hours: 12 }).toFormat('HH:mm'),
		});
		const execution = await both.rest.run(id, MANUAL_START);
		await runs.waits(execution);
		expect(jsonOf(await both.rest.execution(execution), 'Send to Each')).toEqual(
			[
				{ customer_id: 101, name: 'Mira Example', phone_number: '491700000001' },
				{ customer_id: 102, name: 'Jonas Sample', phone_number: '491700000002' },
				{ customer_id: 103, name: 'Test Tester', phone_number: '447700900003' },
			].map((person) => ({
				...{ ...person, template: 'welcome', language: 'en_US', result: 'skipped' },
				reason: expect.stringMatching(/^It is \w{3} \d\d:\d\d in UTC: outside the sending hours$/),
				send_after: begin.toISO({ suppressMilliseconds: true }),
			})),
		);
		expect(templates()).toEqual([]);

		// On a slow machine, the hours begin before n8n is there again.
		await both.restartN8n(() => expect(templates()).toEqual([]));
		const finished = await both.rest.finished(execution, 250_000);
		expect(finished.status).toBe('success');
		expect(DateTime.utc() >= begin).toBe(true);
		expect(
			templates()
				.map(({ customer_id }) => customer_id)
				.sort(),
		).toEqual([101, 103]);
		expect(templates().find(({ customer_id }) => customer_id === 103)).toMatchObject({
			template_name: 'welcome',
			template_components: [
				{ type: 'header', parameters: [{ parameter_name: 'first_name', text: 'Test' }] },
				{ type: 'body', parameters: [{ text: 'Test' }, { text: 'Sunset Parcels' }] },
				{ type: 'button', parameters: [{ coupon_code: 'SPRING10' }] },
			],
		});
		const sent = { result: 'sent', reason: '' };
		expect(results(finished)).toEqual([
			{ customer_id: 101, ...sent },
			{
				customer_id: 102,
				result: 'skipped',
				reason: 'The recipient has not opted in to marketing messages',
			},
			{ customer_id: 103, ...sent },
		]);
		expect(notesOf(finished)).toMatchObject({ customer_id: '101, 102, 103' });
	});

	it('within the hours, sends at once as far as the budget suffices', async () => {
		const { id } = await create({ from: '00:00', to: '24:00' }, '0.15');
		const finished = await both.rest.runToEnd(id, MANUAL_START);
		expect(templates()).toHaveLength(1);
		expect(
			results(finished)
				.map(({ result }) => result)
				.sort(),
		).toEqual(['sent', 'skipped', 'skipped']);
		expect(results(finished).map(({ reason }) => reason)).toContainEqual(
			expect.stringMatching(
				/^The budget of 0\.15 EUR does not suffice: 0\.\d+ are spent, the message costs 0\.\d+$/,
			),
		);
		const hints = finished.data.resultData.runData['Send to Each'][0].hints?.map(({ message }) => message);
		expect(hints).toContainEqual(
			expect.stringMatching(/^1 of 3 items were paid from the budget: 0\.\d+ EUR are spent\.$/),
		);
	});
});

it('a contact limit holds over executions and a restart', async () => {
	const [{ id: agentId }] = both.sandbox.store.agents.list('chatapp').records;
	const path = randomUUID();
	const parameters: INodeParameters = {
		...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '={{ $json.query.phone }}' },
		agentId: { __rl: true, mode: 'id', value: agentId },
		templateName: { __rl: true, mode: 'id', value: 'opening_hours' },
		templateLanguage: 'en_US',
		options: { contactLimit: { values: { messages: 2, days: 7 } } },
	};
	const step = stepOf(both.credential, parameters);
	await both.rest.publish(await both.rest.createWorkflow(chain('Contact limit', [webhookOf(path), step])));
	const send = async (phone: string) =>
		(await http.get<IDataObject>(`${both.n8n.url}/webhook/${path}?phone=${phone}`)).data;
	const skipped = {
		result: 'skipped',
		reason: 'The recipient has got 2 messages of this node in the last 7 days',
	};
	for (const expected of [{ status: 'created' }, { status: 'created' }, skipped])
		expect(await send('491719999001')).toMatchObject(expected);
	await both.restartN8n();
	expect(await send('491719999001')).toEqual({
		...{ name: null, customer_id: null, phone_number: '491719999001' },
		...{ language: 'en_US', template: 'opening_hours', ...skipped },
	});
	expect(await send('491719999002')).toMatchObject({ status: 'created' });
	expect(templates()).toHaveLength(3);
});
