import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { TestTenant } from '../../engine/tenant.mts';
import { MESSY_LISTS, read, saved } from './messyList.mts';

const tenant = TestTenant.inEachTest();

const importing = async (given: Array<Record<string, unknown>>, options: INodeParameters = {}) =>
	await tenant.run(
		{ resource: 'customer', operation: 'bulkImport', options },
		{ items: given.map((json) => ({ json: json as IDataObject })), onError: 'continueErrorOutput' },
	);

const sent = () =>
	tenant
		.sent()
		.flatMap(
			({ body }) =>
				(JSON.parse(body) as { customers: Array<{ display_id: string; profile: object }> }).customers,
		);

const imported = ['created or updated', 'imported in part'];

describe.each(MESSY_LISTS)('%s', (_what, rows, given) => {
	const indexes = (isWanted: (row: (typeof rows)[number]) => boolean) =>
		rows.flatMap((row, index) => (isWanted(row) ? [index] : []));
	const rejected = indexes(({ result }) => result === 'not imported');
	const isEmpty = ({ result, reason }: (typeof rows)[number]) => result === 'skipped' && reason === '';

	it('comes out with what became of each row, and those to correct as rows of the file', async () => {
		const { items, errorItems, error } = await importing(given);
		expect(error).toBeUndefined();
		const ofOutput = indexes((row) => row.result !== 'not imported' && !isEmpty(row));
		expect(items.map(({ json }) => [json.row, json.result, json.reason, json.input])).toEqual(
			ofOutput.map((index) => {
				const { result, reason } = rows[index];
				const why = reason === undefined ? '' : (expect.stringContaining(reason) as string);
				return [index + 2, result, why, given[index]];
			}),
		);
		expect(errorItems.map(({ json, pairedItem }) => [Object.entries(json), pairedItem])).toEqual(
			rejected.map((item) => [
				[
					...Object.entries(given[item]),
					['reason', expect.stringContaining(rows[item].reason ?? '') as string],
				],
				{ item },
			]),
		);
		const profiles = rows.flatMap(({ result, profile }) =>
			imported.includes(result) ? [profile ?? expect.anything()] : [],
		);
		expect(sent().map(({ profile }) => profile)).toEqual(profiles);
	});

	it('is imported whole after the error output was saved, corrected and imported again', async () => {
		const { errorItems } = await importing(given);
		const before = sent();
		tenant.sandbox.clearRequests();
		const file = read(saved(errorItems.map(({ json }) => json)));
		const again = file.map((row, index) => {
			const mended = Object.entries(rows[rejected[index]].mend ?? {});
			// The mark of the first file is in the name of its first column.
			const named = mended.map(([name, value]) => [
				Object.keys(row).find((one) => one.endsWith(name)) ?? name,
				value,
			]);
			return { ...row, ...(Object.fromEntries(named) as object) };
		});
		const { items, errorItems: left, error, run } = await importing(again);
		expect(error).toBeUndefined();
		expect(left).toEqual([]);
		expect(items.map(({ json }) => [json.result, json.reason])).toEqual(
			rejected.map(() => ['created or updated', '']),
		);
		const hints = run.data.resultData.runData.Node[0].hints?.map(({ message }) => message) ?? [];
		expect(hints.join('\n')).not.toContain('reason');
		const people = new Set([...before, ...sent()].map(({ display_id }) => display_id));
		expect(people.size).toBe(rows.filter((row) => row.result !== 'skipped').length);
		// Whoever imports the whole list once more changes nobody, if existing customers are skipped.
		const once = await importing(again, { duplicates: 'skip' });
		expect(once.items.map(({ json }) => json.result)).toEqual(once.items.map(() => 'skipped'));
	});

	it('is summed up, and its ambiguous dates are read as the import is told', async () => {
		const options = { output: 'summary', ambiguousDates: 'dayFirst' };
		const { items, errorItems } = await importing(given, options);
		const created_count = indexes(({ result }) => imported.includes(result)).length;
		const skipped_count = rows.filter((row) => !isEmpty(row)).length - created_count;
		expect(items).toMatchObject([{ json: { requests: 1, created_count, updated_count: 0, skipped_count } }]);
		expect(errorItems).toHaveLength(rejected.length);
		expect(JSON.stringify(items[0].json)).not.toContain('day or month first?');
	});
});
