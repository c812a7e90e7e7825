import { expectNoFailures, expectNone } from '../../engine/expectNone.mts';
import { ContractTenant } from './contractTenant.mts';
import { type Exchange, inChunks } from './exchange.mts';
import { differencesOf, NEAR_TABLE, ODD_TABLE } from './matrixTable.mts';
import { type NearCell, NearRow } from './nearMatrix.mts';
import { NEAR_VALUES } from './nearValues.mts';
import { ODD_VALUES } from './oddValues.mts';
import { nameOf, nodeDescription, shownOperations } from './shownParameters.mts';
import { type Cell, MatrixRow, matrixRows, type Row } from './valueMatrix.mts';

const tenant = ContractTenant.inThisFile();

/** An expression that only names the field, which the nodes read themselves, and one that n8n has to evaluate. */
const PLAIN = 'VALUE';
const COMPUTED = '[VALUE][0]';

/** Parameters that the lists have in common. */
const OF_LISTS = ['limit', 'returnAll', 'simple'];

/** What takes a value. */
let taking: Row[] = [];

/** What came of typed values, for both tables. */
const typedRuns = new Map<string, Promise<Exchange>>();

beforeAll(async () => {
	taking = await matrixRows(tenant);
});

describe('a value means what it says, or the item fails', () => {
	const rows: MatrixRow[] = [];
	const cells: Cell[][] = [];

	beforeAll(async () => {
		rows.push(...taking.map((row) => new MatrixRow(tenant, row, {}, false, typedRuns)));
		expectNone((await inChunks(rows, async (row) => await row.begin())).flat());
		cells.push(...(await inChunks(rows, async (row) => await row.cells(PLAIN), 2)));
	});

	it('each value does, in each parameter, as the table that is committed says', () => {
		expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
		const failures = rows.flatMap(({ name }, index) =>
			cells[index].flatMap(
				({ value, failure }): Array<[string, string]> =>
					failure === undefined ? [] : [[`${name} = ${value}`, failure]],
			),
		);
		// No table is written of what is wrong.
		expectNoFailures(new Map(failures));
		expect(cells.flat()).toHaveLength(taking.length * (ODD_VALUES.length + 1));
		const shown = rows.map(({ name, kind }, index) => ({
			name,
			kind,
			outcomes: cells[index].map(({ outcome }) => outcome),
		}));
		expectNone(differencesOf(ODD_TABLE, shown));
	});

	it('an expression that n8n evaluates does the same as one that the nodes read themselves', async () => {
		const firstOfKind = rows.filter(
			(row, index) =>
				rows.findIndex((other) => other.kind === row.kind && other.container === row.container) === index,
		);
		const computed = await inChunks(firstOfKind, async (row) => await row.cells(COMPUTED), 2);
		expect(computed).not.toEqual([]);
		expectNone(
			firstOfKind.flatMap((row, at) =>
				computed[at].flatMap(({ value, outcome }, column) => {
					const plain = cells[rows.indexOf(row)][column].outcome;
					return outcome === plain ? [] : [`${row.name} = ${value}: ${outcome}, not ${plain}`];
				}),
			),
		);
	});
});

describe('a value that is nearly right means what a person would take it for, or the item fails', () => {
	const rows: NearRow[] = [];
	const cells: NearCell[][] = [];

	beforeAll(async () => {
		const operations = shownOperations(await nodeDescription());
		for (const row of taking) {
			const { path } = row.parameter;
			// What all lists have is typed in once: it is the same parameter everywhere.
			const first = operations.find(({ properties }) => properties.some(({ name }) => name === path));
			const isTyped = !OF_LISTS.includes(path) || (first && nameOf(first)) === nameOf(row.operation);
			rows.push(new NearRow(tenant, row, false, isTyped, typedRuns));
			if (path.startsWith('columns.')) rows.push(new NearRow(tenant, row, true, false, typedRuns));
		}
		expectNone((await inChunks(rows, async ({ matrix }) => await matrix.begin())).flat());
		cells.push(...(await inChunks(rows, async (row) => await row.cells(), 2)));
	});

	it('each value does, in each parameter of its kind, as the table that is committed says', () => {
		expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
		const failures = rows.flatMap(({ name }, index) =>
			cells[index].flatMap((cell) =>
				[...cell.failures].map(([value, failure]): [string, string] => [`${name} = ${value}`, failure]),
			),
		);
		// No table is written of what is wrong.
		expectNoFailures(new Map(failures));
		const expected = rows.reduce((count, { kind }) => count + NEAR_VALUES[kind].length, 0);
		expect(cells.flat()).toHaveLength(expected);
		expect(cells.flat().some(({ runs }) => runs === 2)).toBe(true);
		const shown = rows.map(({ name, kind }, index) => ({
			name,
			kind,
			outcomes: cells[index].map(({ outcome }) => outcome),
		}));
		expectNone(differencesOf(NEAR_TABLE, shown));
	});
});
