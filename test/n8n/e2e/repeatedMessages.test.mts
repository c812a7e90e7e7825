import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { http } from '../../http.mts';
import { itemsOf } from '../rest.mts';
import { waitFor } from '../waitFor.mts';
import { chain, nodeOf, stepOf, webhookOf } from './agentWorkflows.mts';
import { type TenantAndN8n, tenantAndN8nInThisFile } from './tenantAndN8n.mts';

let both: TenantAndN8n;
let agentId: number;

tenantAndN8nInThisFile((started) => {
	both = started;
	[{ id: agentId }] = both.sandbox.store.agents.list('chatapp').records;
});

const byId = (value: number | string) => ({ __rl: true, mode: 'id', value });

/** Sends a template to the number of the item. */
const template = (options: IDataObject): INodeParameters => ({
	resource: 'message',
	operation: 'sendTemplate',
	phoneNumber: '={{ $json.query.phone }}',
	agentId: byId(agentId),
	templateName: byId("={{ $json.query.template ?? 'opening_hours' }}"),
	templateLanguage: 'en_US',
	options: options as never,
});

/** The option, with the phone number as the key. */
const once = (values: IDataObject = {}) => ({
	sendOnce: { values: { key: '={{ $json.query.phone }}', ...values } },
});

/** Publishes a workflow that starts with each request. The function returned executes it once. */
async function published(parameters: INodeParameters) {
	const path = randomUUID();
	const step = stepOf(both.credential, parameters, { onError: 'continueRegularOutput' });
	await both.rest.publish(await both.rest.createWorkflow(chain('Send once', [webhookOf(path), step])));
	const url = (query: Record<string, string>) =>
		`${both.n8n.url}/webhook/${path}?${new URLSearchParams(query).toString()}`;
	// n8n answers 500 when it could not start an execution, as when its database was busy for too long. Senders then try again.
	return async (query: Record<string, string>) =>
		await waitFor('n8n to execute the workflow', async () => {
			const { status, data } = await http.get<IDataObject>(url(query));
			return status >= 500 ? undefined : data;
		});
}

const phone = (index: number) => `49171${1_000_000 + index}`;

/** The bodies of the templates that arrived. */
const sent = () =>
	both.sandbox
		.requests()
		.filter(({ path }) => path.endsWith('/chatapp/send-template'))
		.map(({ body }) => Buffer.from(body, 'base64').toString('utf8'));

const bodyTo = (to: string) =>
	`{"phone_number":${to},"agent_id":${agentId},"template_name":"opening_hours","template_language":"en_US","template_components":[]}`;

beforeEach(() => both.sandbox.clearRequests());

describe('over a restart of n8n', () => {
	let withKey: Awaited<ReturnType<typeof published>>;

	/** What came of an execution once n8n, which has just started, knows its webhooks. */
	const known = async (execute: typeof withKey, query: Record<string, string>) =>
		await waitFor('n8n to know its webhooks', async () => {
			const given = await execute(query);
			return typeof given === 'object' && !('code' in given) ? given : undefined;
		});

	beforeAll(async () => {
		both.sandbox.clearRequests();
		withKey = await published(template(once()));
		expect(await withKey({ phone: phone(200) })).toMatchObject({ status: 'created' });
		expect(sent()).toEqual([bodyTo(phone(200))]);
		await both.restartN8n();
	});

	it('a key is used', async () => {
		expect(await known(withKey, { phone: phone(200) })).toMatchObject({ result: 'skipped' });
		expect(sent()).toEqual([]);
	});
});

it('test executions count', async () => {
	const parameters = {
		...template(once({ key: 'a test' })),
		phoneNumber: phone(500),
		templateName: byId('opening_hours'),
	};
	const workflow = chain('By hand', [
		nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1),
		stepOf(both.credential, parameters),
	]);
	const { id } = await both.rest.createWorkflow(workflow);
	const first = itemsOf(await both.rest.runToEnd(id, 'Start'), 'Step');
	const second = itemsOf(await both.rest.runToEnd(id, 'Start'), 'Step');
	expect([first[0].json.status, second[0].json.result]).toEqual(['created', 'skipped']);
	expect(sent()).toEqual([bodyTo(phone(500))]);
});
