import { type IDataObject, type INode, type INodeParameters, NodeConnectionTypes } from 'n8n-workflow';

import { itemsOf } from '../rest.mts';
import { waitFor } from '../waitFor.mts';
import { CREDENTIAL_TYPE, NODE_TYPE, type TenantAndN8n, tenantAndN8nInThisFile } from './tenantAndN8n.mts';

let both: TenantAndN8n;

tenantAndN8nInThisFile((started) => (both = started));

/** Each second. n8n allows no poll time more often than once a minute, but many of them. */
const OFTEN = {
	item: Array.from({ length: 60 }, (_, second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

/** How often each list that polls read has been read so far. */
function timesRead(): Map<string, number> {
	const times = new Map<string, number>();
	for (const { method, path } of both.sandbox.requests())
		if (method === 'GET' && /\/(profiles|notifications|templates)$/.test(path))
			times.set(path, (times.get(path) ?? 0) + 1);
	return times;
}

/** Waits until all published workflows have polled twice more. No more than four of them read the same list. */
async function settled(): Promise<void> {
	const before = timesRead();
	expect(before.size).toBeGreaterThan(0);
	await waitFor('two polls of each workflow', () => {
		const now = timesRead();
		return [...before].every(([path, times]) => (now.get(path) ?? 0) >= times + 8) || undefined;
	});
}

async function polling(
	event: string,
	parameters: INodeParameters = {},
): Promise<{ id: string; versionId: string }> {
	const node = (name: string, type: string, more: Partial<INode> = {}): INode => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...more,
	});
	return await both.rest.createWorkflow({
		name: event,
		nodes: [
			node('Trigger', `${NODE_TYPE}PollingTrigger`, {
				parameters: { event, ...parameters, pollTimes: OFTEN },
				credentials: { [CREDENTIAL_TYPE]: both.credential },
			}),
			node('Behind', 'n8n-nodes-base.noOp'),
		],
		connections: {
			Trigger: { main: [[{ node: 'Behind', type: NodeConnectionTypes.Main, index: 0 }]] },
		},
	});
}

/** The items of all executions of a workflow, the oldest first. */
async function received(workflowId: string): Promise<IDataObject[]> {
	const ids = (await both.rest.executionIdsOf(workflowId)).sort((a, b) => Number(a) - Number(b));
	const executions = await Promise.all(ids.map(async (id) => await both.rest.finished(id)));
	return executions.flatMap((execution) => itemsOf(execution, 'Behind').map(({ json }) => json));
}

const [GROUP, TAG] = [61, 41];
const byId = (id: number) => ({ __rl: true, mode: 'id', value: String(id) });

/** By event, what else it needs, and what tells an item from all others. */
const EVENTS: Record<string, [parameters: INodeParameters, token: (item: IDataObject) => unknown]> = {
	newCustomer: [{}, ({ name }) => name],
	profileChanged: [{ fields: 'custom_1' }, ({ custom_1: value }) => value],
	consentChanged: [{}, ({ event }) => (event as IDataObject).is_opted_in],
	newNotification: [{}, ({ title }) => title],
	joinedGroup: [{ groupId: byId(GROUP) }, ({ name }) => name],
	tagAdded: [{ tagId: byId(TAG) }, ({ name }) => name],
	templateChanged: [{}, ({ status }) => status],
};

/** Has something of everything happen. Returns what the workflows are to be told. */
function happen(round: number): Record<string, unknown> {
	const { customers, groups, notifications, profiles, tags, templates, users } = both.sandbox.store;
	const name = `New ${round}`;
	const customer = customers.create('chatapp', `49170${1_000_000 + round}`, name);
	const id = profiles.ofCustomer(customer.id)?.id ?? 0;
	groups.attach(id, GROUP);
	tags.attach('profile', id, TAG);
	profiles.update(102, { custom_1: `value ${round}` });
	profiles.setConsent(103, round % 2 === 1);
	notifications.add(users.list().records[0].id, `Notice ${round}`, 'Text');
	const status = (['approved', 'rejected', 'pending'] as const)[round % 3];
	templates.review(81, status);
	return {
		...{ newCustomer: name, joinedGroup: name, tagAdded: name, profileChanged: `value ${round}` },
		...{ consentChanged: round % 2 === 1, newNotification: `Notice ${round}`, templateChanged: status },
	};
}

it('a published workflow is started by each event once, over a restart of n8n and a kill between two polls', async () => {
	both.sandbox.tenant.choices.profileTags = 'records';
	both.sandbox.store.profiles.setConsent(103, false);
	const workflows = new Map<string, string>();
	for (const [event, [parameters]] of Object.entries(EVENTS)) {
		const workflow = await polling(event, parameters);
		workflows.set(event, workflow.id);
		await both.rest.publish(workflow);
	}
	const expected: Array<Record<string, unknown>> = [];
	const check = async () => {
		const told = async () =>
			await Promise.all([...workflows].map(async ([event, id]) => [event, await received(id)] as const));
		const areAll = async () => (await told()).every(([, items]) => items.length >= expected.length);
		await waitFor('an item of each event', async () => (await areAll()) || undefined);
		await settled();
		for (const [event, items] of await told())
			expect({ event, told: items.map(EVENTS[event][1]) }).toEqual({
				event,
				told: expected.map((all) => all[event]),
			});
	};
	// Before the restart nothing has started a workflow, so all that n8n has stored is from the publication.
	await both.restartN8n(() => expected.push(happen(1)));
	await check();
	expected.push(happen(2));
	await check();
	process.kill(both.n8n.pid, 'SIGKILL');
	await both.restartN8n(() => expected.push(happen(3)));
	await check();
	const [first] = await received(workflows.get('profileChanged') ?? '');
	expect(first.event).toMatchObject({
		name: 'profileChanged',
		changes: [{ field: 'custom_1', old: 'Prefers mornings', new: 'value 1' }],
	});
	for (const id of workflows.values()) await both.rest.unpublish(id);
	// Seven workflows poll each second, and n8n starts three times.
}, 900_000);

it('Fetch Test Event shows a sample', async () => {
	// Whatever the test before has changed, this is the newest.
	both.sandbox.store.profiles.setConsent(103, false);
	const { id } = await polling('consentChanged');
	const execution = await both.rest.runToEnd(id, 'Trigger');
	expect(itemsOf(execution, 'Trigger')).toMatchObject([
		{ json: { id: 103, event: { name: 'consentChanged', is_opted_in: false } } },
	]);
});
