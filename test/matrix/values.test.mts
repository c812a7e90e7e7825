import { expectNone } from '../engine/expectNone.mts';
import { expectOnlyOpenFailures } from '../openFailures/openFailures.mts';
import { ContractTenant } from './contractTenant.mts';
import { inChunks } from './exchange.mts';
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

beforeAll(async () => {
	taking = await matrixRows(tenant);
}, 60_000);

describe('a value means what it says, or the item fails', () => {
	const rows: MatrixRow[] = [];
	const cells: Cell[][] = [];
	const operations = new Set<string>();
	let unusable: string[] = [];

	beforeAll(async () => {
		for (const operation of shownOperations(await nodeDescription())) operations.add(nameOf(operation));
		rows.push(...taking.map((row) => new MatrixRow(tenant, row)));
		unusable = (await inChunks(rows, async (row) => await row.begin())).flat();
		cells.push(...(await inChunks(rows, async (row) => await row.cells(PLAIN), 2)));
	}, 300_000);

	it('looks at every parameter of every operation with every value', () => {
		expect(unusable).toEqual([]);
		expect(operations.size).toBeGreaterThan(70);
		expect(rows.length).toBeGreaterThan(200);
		expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
		expect(cells.flat()).toHaveLength(rows.length * (ODD_VALUES.length + 1));
	});

	it('only what is known to be wrong is wrong', async () => {
		const found = new Map<string, string>();
		for (const [index, row] of rows.entries()) {
			for (const { value, failure } of cells[index])
				if (failure !== undefined) found.set(`${row.name} = ${value}`, failure);
		}
		expectOnlyOpenFailures('matrix', found);
	});

	it('the table is the one that is committed', () => {
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
		const different = firstOfKind.flatMap((row, at) =>
			computed[at].flatMap(({ value, outcome }, column) => {
				const plain = cells[rows.indexOf(row)][column].outcome;
				return outcome === plain ? [] : [`${row.name} = ${value}: ${outcome}, not ${plain}`];
			}),
		);
		expect(firstOfKind.length).toBeGreaterThan(15);
		expect(different.slice(0, 20)).toEqual([]);
	}, 300_000);
});

describe('a value that is nearly right means what a person would take it for, or the item fails', () => {
	const rows: NearRow[] = [];
	const cells: NearCell[][] = [];
	let unusable: string[] = [];

	beforeAll(async () => {
		const seen = new Set<string>();
		for (const row of taking) {
			const { path } = row.parameter;
			// What all lists have is typed in once: it is the same parameter everywhere.
			rows.push(new NearRow(tenant, row, false, !OF_LISTS.includes(path) || !seen.has(path)));
			seen.add(path);
			if (path.startsWith('columns.')) rows.push(new NearRow(tenant, row, true));
		}
		unusable = (await inChunks(rows, async ({ matrix }) => await matrix.begin())).flat();
		cells.push(...(await inChunks(rows, async (row) => await row.cells(), 2)));
	}, 300_000);

	it('looks at every parameter with every value of its kind', () => {
		expect(unusable).toEqual([]);
		expect(rows.length).toBeGreaterThan(220);
		expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
		const expected = rows.reduce((count, { kind }) => count + NEAR_VALUES[kind].length, 0);
		expect(cells.flat()).toHaveLength(expected);
		const looked = cells.flat().filter(({ runs }) => runs > 0);
		expect(looked.length).toBeGreaterThan(0.97 * expected);
		expect(looked.filter(({ runs }) => runs === 2).length).toBeGreaterThan(expected / 2);
	});

	it('only what is known to be wrong is wrong', () => {
		const found = new Map(
			rows.flatMap(({ name }, index) =>
				cells[index].flatMap(({ failures }) =>
					[...failures].map(([value, failure]): [string, string] => [`${name} = ${value}`, failure]),
				),
			),
		);
		expectOnlyOpenFailures('nearValues', found);
	});

	it('the table is the one that is committed', () => {
		const shown = rows.map(({ name, kind }, index) => ({
			name,
			kind,
			outcomes: cells[index].map(({ outcome }) => outcome),
		}));
		expectNone(differencesOf(NEAR_TABLE, shown));
	});
});
