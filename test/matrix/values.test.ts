import { readFileSync, writeFileSync } from 'node:fs';

import { expectOnlyOpenFailures } from '../openFailures/openFailures';
import { ContractTenant } from './contractTenant';
import { inChunks } from './exchange';
import { matrixTable, TABLE_FILE } from './matrixTable';
import { ODD_VALUES } from './oddValues';
import { nameOf, nodeDescription, shownOperations, shownParameters } from './shownParameters';
import { type Cell, MatrixRow } from './valueMatrix';

const tenant = ContractTenant.inThisFile();

/** An expression that only names the field, which the nodes read themselves, and one that n8n has to evaluate. */
const PLAIN = 'VALUE';
const COMPUTED = '[VALUE][0]';

describe('a value means what it says, or the item fails', () => {
	const rows: MatrixRow[] = [];
	const cells: Cell[][] = [];
	const operations = new Set<string>();
	let parameters = 0;
	let unusable: string[] = [];

	beforeAll(async () => {
		const shared = new Set<unknown>();
		for (const operation of shownOperations(await nodeDescription())) {
			operations.add(nameOf(operation));
			const shown = await shownParameters(tenant, operation);
			for (const parameter of shown) {
				const { property, within } = parameter;
				const [outermost = property] = within;
				const isOfAll = outermost.displayOptions === undefined;
				// What all operations have in common is looked at once; n8n's own options are not this package's.
				if (property.type === 'notice' || property.noDataExpression) continue;
				if ('isNodeSetting' in outermost || (isOfAll && shared.has(property))) continue;
				if (isOfAll) shared.add(property);
				parameters++;
				rows.push(new MatrixRow(tenant, { operation, shown, parameter }));
			}
		}
		unusable = (await inChunks(rows, async (row) => await row.begin())).flat();
		cells.push(...(await inChunks(rows, async (row) => await row.cells(PLAIN), 2)));
	}, 300_000);

	it('looks at every parameter of every operation with every value', () => {
		expect(unusable).toEqual([]);
		expect(operations.size).toBeGreaterThan(70);
		expect(rows).toHaveLength(parameters);
		expect(parameters).toBeGreaterThan(200);
		expect(new Set(rows.map(({ name }) => name)).size).toBe(parameters);
		expect(cells.flat()).toHaveLength(parameters * (ODD_VALUES.length + 1));
	});

	it('only what is known to be wrong is wrong', async () => {
		const found = new Map<string, string>();
		for (const [index, row] of rows.entries()) {
			for (const { value, failure } of cells[index])
				if (failure !== undefined) found.set(`${row.name} = ${value}`, failure);
		}
		expectOnlyOpenFailures('matrix', found);
	});

	it('the table is the one that is committed (npm run matrix writes it)', () => {
		const table = matrixTable(rows.map((row, index) => ({ row, cells: cells[index] })));
		if (process.env.WRITE_MATRIX === '1') writeFileSync(TABLE_FILE, table);
		const committed = readFileSync(TABLE_FILE, 'utf8').split('\n');
		const different = table.split('\n').filter((line) => !committed.includes(line));
		expect(different.slice(0, 20).map((line) => line.slice(0, 120))).toEqual([]);
		expect(table.split('\n')).toHaveLength(committed.length);
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
