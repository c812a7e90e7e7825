import type { INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { loadedPackage } from '../../engine/engine.mts';
import { expectNone } from '../../engine/expectNone.mts';
import { TenantServer } from '../tenants/tenantServer.mts';
import { FAILING_CASES, meetFailing, meetPartial, PARTIAL_CASES } from './failing.mts';
import { ROWS } from './itemRows.mts';
import { meetOrder, ORDER_CASES } from './order.mts';
import { Results } from './results.mts';

const server = TenantServer.inEachFile();
const results = new Results();

/** Operations that take one item, so that there is nothing between items. */
const OF_ONE_ITEM = ['message: sendAndWait'];

/** Names of the operations that are shown with a property. */
function operationsOf({ displayOptions }: INodeProperties): string[] {
	const { resource = [], operation = [] } = displayOptions?.show ?? {};
	return resource.flatMap((one) => operation.map((other) => `${String(one)}: ${String(other)}`));
}

it('all operations that take a record are among the rows', async () => {
	const loader = await loadedPackage();
	const { description } = NodeHelpers.getVersionedNodeType(loader.getNode('customerMessaging').type);
	const taking = description.properties
		.filter(({ type, required }) => type === 'resourceLocator' && required)
		.flatMap(operationsOf);
	expect(new Set(taking).size).toBeGreaterThan(35);
	const covered = new Set(ROWS.map(({ name }) => name));
	expectNone(
		[...new Set(taking)]
			.filter((name) => !covered.has(name) && !OF_ONE_ITEM.includes(name))
			.map(
				(name) =>
					`test/generated/items/itemRows.mts: no row for "${name}"; say in one what two items for one record mean`,
			),
	);
});

it('items for the same record keep their order', async () => {
	await results.add(ORDER_CASES, async (one) => await meetOrder(server, one));
});

it('one item of several fails in each mode of errors', async () => {
	await results.add(FAILING_CASES, async (one) => await meetFailing(server, one));
});

it('a batch of which a part was written tells so', async () => {
	await results.add(PARTIAL_CASES, async (one) => await meetPartial(server, one));
});

it('what the cases are about happened', () => {
	expect(ORDER_CASES.length).toBeGreaterThan(80);
	expect(FAILING_CASES.length).toBeGreaterThan(250);
	expect(results.names.length).toBeGreaterThan(370);
	expect(results.vacuous).toEqual([]);
});

it('every case is met as it has to be', () => {
	results.expectNoFailures();
});
