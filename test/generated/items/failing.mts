import type { IDataObject, INodeExecutionData, INodeParameters, OnError } from 'n8n-workflow';

import type { NodeRun } from '../../engine/engine.mts';
import { reasonProblem, shownText } from '../tenants/generated.mts';
import type { TenantServer } from '../tenants/tenantServer.mts';
import { type ItemRow, itemsOf, ROWS } from './itemRows.mts';
import { isError, linksOf, runAgainst } from './itemRuns.mts';
import { ItemsTenant, REFUSED } from './itemsTenant.mts';
import type { Outcome } from './results.mts';

const MODES: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];

/** Three items, of which the one in the middle fails. */
interface FailingCase {
	name: string;
	parameters: INodeParameters;
	items: INodeExecutionData[];
	mode: OnError;
	/** Whether all items go out in one request. */
	isBatch: boolean;
	/** Whether the tenant refuses it, and not the node. */
	isRefused: boolean;
}

const WAYS = ['refused', 'invalid'] as const;

function casesOf(
	name: string,
	parameters: INodeParameters,
	itemsOfWay: (way: (typeof WAYS)[number]) => INodeExecutionData[] | undefined,
	isBatch = false,
): FailingCase[] {
	return WAYS.flatMap((way) => {
		const items = itemsOfWay(way);
		return (items ? MODES : []).map((mode) => ({
			name: `one item fails: ${name}: ${way === 'refused' ? 'by the tenant' : 'by the node'}: ${mode}`,
			parameters,
			items: items ?? [],
			mode,
			isBatch,
			isRefused: way === 'refused',
		}));
	});
}

const singleItems = ({ spellings, other, marks, ...row }: ItemRow, way: (typeof WAYS)[number]) =>
	row[way] === undefined
		? undefined
		: itemsOf([spellings[0], marks[0]], [row[way], marks[0]], [other, marks[1]]);

export const columns = (value: IDataObject) => ({ mappingMode: 'defineBelow', value }) as INodeParameters;

export const IMPORT: INodeParameters = {
	...{ resource: 'customer', operation: 'bulkImport' },
	columns: columns({ displayId: '={{ $json.number }}', name: '={{ $json.name }}' }),
};

const importItems = (...numbers: string[]) =>
	numbers.map((number, index) => ({ json: { number, name: `Person ${index}` } }));

const BULK_DELETE: INodeParameters = {
	...{ resource: 'customer', operation: 'bulkDelete', customerIds: '={{ $json.ids }}' },
};

const deleteItems = (...ids: unknown[]) => ids.map((id) => ({ json: { ids: id } as IDataObject }));

const goodNumbers = ['+49 171 1234567', '+49 171 1234568'];

export const FAILING_CASES: FailingCase[] = [
	...ROWS.flatMap((row) => casesOf(row.name, row.parameters, (way) => singleItems(row, way))),
	...casesOf(
		'customer: bulkDelete',
		BULK_DELETE,
		(way) => deleteItems('41', way === 'refused' ? REFUSED : 'none', '43'),
		true,
	),
	...casesOf(
		'customer: bulkImport',
		{ ...IMPORT, options: { invalidValues: 'fail' } },
		(way) => importItems(goodNumbers[0], way === 'refused' ? `+49 171 ${REFUSED}` : 'none', goodNumbers[1]),
		true,
	),
];

const isInput = ({ json }: INodeExecutionData, items: INodeExecutionData[]) =>
	items.some((item) => Object.entries(item.json).every(([name, value]) => json[name] === value));

function stopProblem({ error }: NodeRun, { isBatch, isRefused }: FailingCase, tenant: ItemsTenant) {
	if (!error) return 'the run did not fail';
	const wrong = reasonProblem(error);
	if (wrong !== undefined) return wrong;
	// A request that stands for all items is refused for all of them.
	const expected = isBatch && isRefused ? 0 : 1;
	const { itemIndex } = error.context ?? {};
	if (itemIndex !== expected) return `the error belongs to item ${String(itemIndex)}, not to ${expected}`;
	return isBatch && tenant.applied.length > 0 ? 'others were written all the same' : undefined;
}

function goneOnProblem(run: NodeRun, { items, mode, isBatch, isRefused }: FailingCase): string | undefined {
	if (run.run.data.resultData.error) return 'the run stopped';
	const errors = mode === 'continueErrorOutput' ? run.errorItems : run.items.filter(isError);
	const others = run.items.filter((item) => !isError(item));
	if (mode === 'continueErrorOutput' && run.items.some(isError)) return 'an error is on the regular output';
	if (others.some((item) => isInput(item, items))) return 'an input item passes as success';
	// A row of an import is there as a row of the file, with the reason.
	const saysWhy = (item: INodeExecutionData) => isError(item) || typeof item.json.reason === 'string';
	if (!errors.every(saysWhy)) return 'an item on the error output does not say why';
	const failed = errors.flatMap(linksOf).sort();
	const done = others.flatMap(linksOf).sort();
	if (!failed.includes(1)) return `errors are linked to ${failed.join(', ') || 'no item'}, not to 1`;
	if (isBatch && isRefused && failed.length !== 3) return `${failed.length} of 3 items have an error`;
	if (!isBatch && failed.length !== 1) return `errors are linked to ${failed.join(', ')}`;
	const all = [...failed, ...done].sort().join(', ');
	if (all !== '0, 1, 2') return `the items that came are linked to ${all}`;
	const order = run.items.map((item) => linksOf(item)[0]).join(', ');
	return mode === 'continueRegularOutput' && !isBatch && order !== '0, 1, 2'
		? `the items come in the order ${order}`
		: undefined;
}

/** Runs three items of which one fails. */
export async function meetFailing(server: TenantServer, one: FailingCase): Promise<Outcome> {
	const tenant = new ItemsTenant();
	const { parameters, items, mode } = one;
	// One after another, so that it is settled what was done before the failure.
	const run = await runAgainst(
		server,
		tenant,
		{ advanced: { maximumTries: 1, maximumInFlight: 1 }, ...parameters },
		items,
		{ onError: mode },
	);
	const problem = mode === 'stopWorkflow' ? stopProblem(run, one, tenant) : goneOnProblem(run, one);
	return { problem, isMet: problem !== undefined || !one.isRefused || tenant.log.length > 0 };
}

/** More rows than go out in one request. */
const MANY = 503;

/** Several requests, of which one fails. */
interface PartialCase {
	name: string;
	parameters: INodeParameters;
	items: INodeExecutionData[];
	/** Words for what was written. */
	written: RegExp;
}

const partial = (first: boolean): { at: number; written: RegExp; what: string } =>
	first
		? { at: 0, written: /500 to 502|\b3 (of|records|customers|were|rows)/, what: 'the first request' }
		: { at: 501, written: /0 to 499|\b500 (of|records|customers|were|rows)/, what: 'the second request' };

const number = (index: number) => `+49171${1_000_000 + index}`;

export const PARTIAL_CASES: PartialCase[] = [true, false].flatMap((first) => {
	const { at, written, what } = partial(first);
	const indexes = Array.from({ length: MANY }, (_, index) => index);
	return [
		{
			name: `what was written is told: customer: bulkDelete: ${what} fails`,
			parameters: BULK_DELETE,
			items: deleteItems(...indexes.map((index) => (index === at ? REFUSED : String(1000 + index)))),
			written,
		},
		{
			name: `what was written is told: customer: bulkImport: ${what} fails`,
			parameters: IMPORT,
			items: importItems(...indexes.map((index) => (index === at ? `+49171${REFUSED}` : number(index)))),
			written,
		},
	];
});

/** Runs more rows than go out in one request, one of which is refused. */
export async function meetPartial(
	server: TenantServer,
	{ parameters, items, written }: PartialCase,
): Promise<Outcome> {
	const tenant = new ItemsTenant();
	const { error } = await runAgainst(server, tenant, parameters, items, { onError: 'stopWorkflow' });
	const isMet = tenant.log.length === 2 && tenant.applied.length === 1;
	if (!error) return { problem: 'the run did not fail', isMet };
	const isTold = written.test(shownText(error));
	const said = shownText(error).replaceAll('\n', ' / ');
	return { problem: reasonProblem(error) ?? (isTold ? undefined : `the error only says: ${said}`), isMet };
}
