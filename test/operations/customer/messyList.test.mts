import type { INodeParameters } from 'n8n-workflow';

import type { NodeRunOptions } from '../../engine/engine.mts';
import { TestTenant } from '../../engine/tenant.mts';
import { MESSY_CSV, MESSY_ROWS } from './messyList.mts';

const tenant = TestTenant.inEachTest();

/** The rows of the file, as n8n's node reads it with these separators: the mark stays in the name of the first column. */
function rowsOf(csv: string) {
	const [names, ...rows] = csv
		.trimEnd()
		.split('\r\n')
		.map((line) =>
			[...line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g)].map(
				([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
			),
		);
	return rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [names[index], cell])));
}

const items = rowsOf(MESSY_CSV).map((json) => ({ json }));

const importing = async (more: INodeParameters = {}, options: Partial<NodeRunOptions> = {}) =>
	await tenant.run(
		{
			...{ resource: 'customer', operation: 'bulkImport' },
			columns: { mappingMode: 'autoMapInputData', value: null },
			...more,
		},
		{ items, onError: 'continueErrorOutput', ...options },
	);

const sent = () =>
	tenant
		.sent()
		.flatMap(({ body }) => (JSON.parse(body) as { customers: Array<{ profile: object }> }).customers);

const by = (isWanted: (result: string) => boolean) =>
	MESSY_ROWS.filter(({ expected }) => isWanted(expected.result));
const isLeft = (result: string) => result === 'not imported';

it('has 200 rows, of which a file shows each at its line', () => {
	expect(MESSY_ROWS).toHaveLength(200);
	expect(MESSY_CSV.startsWith('\ufeffName;Mobil;')).toBe(true);
	const lines = MESSY_CSV.split('\r\n');
	for (const { line, cells } of MESSY_ROWS)
		expect(lines[line - 1]).toContain(`${cells.Name};${cells.Mobil};`);
});

it('each row comes out with its line and what became of it, and those to correct on the error output', async () => {
	const run = await importing();
	expect(run.error).toBeUndefined();
	const outcomes = ({ json }: (typeof run.items)[number]) => [json.line, json.result, json.reason];
	const expected = (rows: typeof MESSY_ROWS) =>
		rows.map(({ line, expected: { result, reason = '' } }) => [line, result, reason]);
	expect(run.items.map(outcomes)).toEqual(expected(by((result) => !isLeft(result))));
	expect(run.errorItems.map(outcomes)).toEqual(expected(by(isLeft)));
	for (const { json, pairedItem } of [...run.items, ...run.errorItems]) {
		const { item } = pairedItem as { item: number };
		expect(json.line).toBe(item + 2);
		expect(json.row).toEqual(items[item].json);
	}
});

it('what goes out is what the cells say', async () => {
	await importing();
	const imported = by((result) => result === 'created or updated');
	expect(imported).toHaveLength(140);
	expect(sent().map(({ profile }) => profile)).toEqual(imported.map(({ expected }) => expected.profile));
});

it('a summary counts all rows, beside those to correct', async () => {
	const { items: summary, errorItems } = await importing({ output: 'summary' });
	expect(summary).toMatchObject([
		{ json: { requests: 1, created_count: 140, updated_count: 0, skipped_count: 60 } },
	]);
	expect(errorItems.map(({ json }) => json.line)).toEqual(by(isLeft).map(({ line }) => line));
});

it('a second time changes nobody where existing customers are skipped', async () => {
	await importing();
	const { items: again } = await importing({ duplicates: 'skip' });
	expect(again.map(({ json }) => json.result)).toEqual(again.map(() => 'skipped'));
});

it('dates that can be read in two ways are read as the import is told', async () => {
	const { items: given } = await importing({ ambiguousDates: 'dayFirst' });
	const isAsked = ({ json }: (typeof given)[number]) => String(json.reason).includes('day or month first?');
	expect(given.filter(isAsked)).toEqual([]);
	expect(sent()).toContainEqual(expect.objectContaining({ profile: { date_of_birth: '1990-12-04' } }));
});
