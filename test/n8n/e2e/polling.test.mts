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
		if (method === 'GET' && /\/profiles$/.test(path)) times.set(path, (times.get(path) ?? 0) + 1);
	return times;
}

/** Waits until all published workflows have polled twice more. No more than two of them read the same list. */
async function settled(): Promise<void> {
	const before = timesRead();
	expect(before.size).toBeGreaterThan(0);
	await waitFor('two polls of each workflow', () => {
		const now = timesRead();
		return [...before].every(([path, times]) => (now.get(path) ?? 0) >= times + 4) || undefined;
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

async function receivedOnce(workflowId: string, count: number): Promise<IDataObject[]> {
	await waitFor(`${count} items`, async () => (await received(workflowId)).length >= count || undefined);
	await settled();
	return await received(workflowId);
}

let numbers = 0;
const create = () =>
	both.sandbox.store.customers.create('chatapp', `49170${1_000_000 + ++numbers}`, `New ${numbers}`);

it('a published workflow is started by each change once, over a restart of n8n too', async () => {
	const [customers, changes] = [await polling('newCustomer'), await polling('profileChanged')];
	for (const workflow of [customers, changes]) await both.rest.publish(workflow);
	// Before the restart nothing has started a workflow, so all that n8n has stored is from the publication.
	const { profiles } = both.sandbox.store;
	await both.restartN8n(() => {
		create();
		profiles.update(102, { custom_1: 'while n8n was away' });
	});
	await receivedOnce(customers.id, 1);
	create();
	profiles.update(103, { custom_1: 'while n8n polled' });
	expect((await receivedOnce(customers.id, 2)).map(({ name }) => name)).toEqual(['New 1', 'New 2']);
	await both.restartN8n(() => create());
	expect((await receivedOnce(customers.id, 3)).map(({ name }) => name)).toEqual(['New 1', 'New 2', 'New 3']);
	const items = await received(changes.id);
	expect(items.map(({ id, custom_1: value }) => [id, value])).toEqual([
		[102, 'while n8n was away'],
		[103, 'while n8n polled'],
	]);
	expect(items[0].event).toMatchObject({
		name: 'profileChanged',
		changes: [{ field: 'custom_1', old: 'Prefers mornings', new: 'while n8n was away' }],
	});
	for (const { id } of [customers, changes]) await both.rest.unpublish(id);
});

it('Fetch Test Event shows a sample', async () => {
	const { id } = await polling('consentChanged');
	const execution = await both.rest.runToEnd(id, 'Trigger');
	expect(itemsOf(execution, 'Trigger')).toMatchObject([
		{ json: { id: 102, event: { name: 'consentChanged', is_opted_in: true } } },
	]);
});
