import { expectNoFailures } from '../../engine/expectNone.mts';
import { ContractTenant } from './contractTenant.mts';
import { inChunks, noticed } from './exchange.mts';
import { ODD_VALUES } from './oddValues.mts';
import { type SweptRow, sweptRows } from './sweptRow.mts';

const tenant = ContractTenant.inThisFile();

/** An expression that only names the field, which the nodes read themselves, and one that n8n has to evaluate. */
const PLAIN = 'VALUE';
const COMPUTED = '[VALUE][0]';

let rows: SweptRow[] = [];

beforeAll(async () => {
	rows = await sweptRows(tenant);
});

/** What is wrong, by the name of the parameter and of the value. */
async function failuresOf(
	some: SweptRow[],
	problemOf: (row: SweptRow, value: (typeof ODD_VALUES)[number]) => Promise<string | undefined>,
): Promise<Map<string, string>> {
	const cells = some.flatMap((row) => ODD_VALUES.map((value) => ({ row, value })));
	const problems = await inChunks(cells, async ({ row, value }) => await problemOf(row, value));
	return new Map(
		cells.flatMap(({ row, value }, index): Array<[string, string]> => {
			const problem = problems[index];
			return problem === undefined ? [] : [[`${row.name} = ${value.name}`, problem]];
		}),
	);
}

it('a value of its own does in each parameter what it does when a person types it', async () => {
	expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
	const problems = await inChunks(rows, async (row) => await row.ownProblem(PLAIN));
	expectNoFailures(
		new Map(
			rows.flatMap(({ name }, index): Array<[string, string]> => {
				const problem = problems[index];
				return problem === undefined ? [] : [[name, problem]];
			}),
		),
	);
});

it('an unusual value goes out in each parameter as the contract allows, or an error names it and nothing is written', async () => {
	expectNoFailures(await failuresOf(rows, async (row, value) => await row.problemWith(value, PLAIN)));
});

it('an expression that n8n evaluates does the same as one that the nodes read themselves', async () => {
	const firstOfKind = rows.filter(
		(row, index) =>
			rows.findIndex((other) => other.kind === row.kind && other.container === row.container) === index,
	);
	expect(firstOfKind).not.toEqual([]);
	expectNoFailures(
		await failuresOf(firstOfKind, async (row, { value }) => {
			const [plain, computed] = [
				await row.byExpression(PLAIN, value),
				await row.byExpression(COMPUTED, value),
			];
			return noticed(plain) === noticed(computed) ? undefined : 'not the same';
		}),
	);
});
