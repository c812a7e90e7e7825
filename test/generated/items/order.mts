import type { TenantServer } from '../tenants/tenantServer.mts';
import { type ItemRow, itemsOf, ROWS } from './itemRows.mts';
import { isError, linksOf, runAgainst } from './itemRuns.mts';
import { ItemsTenant } from './itemsTenant.mts';
import type { Outcome } from './results.mts';

interface OrderCase {
	name: string;
	row: ItemRow;
	records: [unknown, unknown];
}

/** Two items for one record, written in the same way and in two. */
export const ORDER_CASES: OrderCase[] = ROWS.flatMap((row) => {
	const [first, second] = row.spellings;
	const alike: OrderCase = { name: `same record twice: ${row.name}`, row, records: [first, first] };
	if (first === second) return [alike];
	const inTwoWays: OrderCase = {
		name: `same record, written in two ways: ${row.name}`,
		row,
		records: [first, second],
	};
	// The tenant could not tell which of two items deletes the record.
	return row.meaning === 'first deletes' ? [inTwoWays] : [alike, inTwoWays];
});

/** Tells the request of the first item, as far as the two differ. */
function isOfFirst({ row: { meaning, marks }, records: [first, second] }: OrderCase) {
	if (meaning === 'in order' || meaning === 'last wins')
		return (text: string) => text.includes(String(marks[0]));
	return (text: string) => first === second || text.split(/[/ ]/).includes(String(first));
}

function tenantProblem({ meaning, marks, set = '' }: ItemRow, tenant: ItemsTenant): string | undefined {
	const texts = marks.map(String);
	if (meaning === 'union' || meaning === 'without') {
		const kept = tenant.setOf(set).join(', ');
		const wanted = meaning === 'union' ? ['1', ...texts].join(', ') : '1';
		return kept === wanted ? undefined : `${set} is ${kept || 'empty'}, not ${wanted}`;
	}
	if (meaning !== 'in order' && meaning !== 'last wins') return undefined;
	const applied = tenant.applied.map((request) => texts.find((text) => request.includes(text)));
	return applied.join(', ') === texts.join(', ')
		? undefined
		: `carried out in the order ${applied.join(', ')}, not ${texts.join(', ')}`;
}

/** Runs two items for one record, where the request of the first takes its time. */
export async function meetOrder(server: TenantServer, one: OrderCase): Promise<Outcome> {
	const { row, records } = one;
	const { marks, meaning, parameters } = row;
	const attached = meaning === 'without' ? ['1', ...marks.map(String)] : ['1'];
	const tenant = new ItemsTenant(isOfFirst(one), attached);
	const items = itemsOf([records[0], marks[0]], [records[1], marks[1]]);
	const run = await runAgainst(server, tenant, parameters, items, { onError: 'continueRegularOutput' });
	const links = run.items.map(linksOf);
	const failed = run.items.findIndex(isError);
	// What is gone the second time may be told as an error, the first time not.
	const isFailureWrong = failed >= 0 && !(meaning === 'first deletes' && links[failed][0] === 1);
	const given =
		meaning === 'each' || meaning === 'first deletes' || links.length === 2
			? [...new Set(links.flat())].join(', ')
			: 'too few';
	const problem =
		tenantProblem(row, tenant) ??
		(isFailureWrong
			? `item ${links[failed][0]} failed: ${String(run.items[failed].json.error)}`
			: undefined) ??
		(given === '0, 1' ? undefined : `the items that came are linked to ${given}`);
	return { problem, isMet: tenant.log.length >= 2 };
}
