import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { nodeErrorOf } from '../api/errors';
import type { RunContext } from '../api/client';
import { allFailed, sendBatches } from '../core/batches';
import { errorItem, hasErrorOutput } from '../core/errorItems';
import { memberNames } from '../core/field';
import type { Item } from '../core/item';
import { forEachItem } from '../core/run';
import { duplicates, importFields, type ImportSetting, outputMode, repeatedNumbers } from './importFields';
import {
	failOn,
	fileColumns,
	hasTags,
	type ImportRow,
	onePerNumber,
	type Outcome,
	quoteAll,
	readRows,
} from './importRows';
import { objectOrEmpty } from '../values/json';
import { sentences, stringOf } from '../values/text';

const countOf = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : 0);

/** Tells what became of each row of a request. The service only counts them: where it skips some, nobody knows which. */
function outcomeOf({ created_count, updated_count, skipped_count }: IDataObject, rows: number): Outcome {
	const imported = countOf(created_count) + countOf(updated_count);
	if (imported >= rows) return { result: 'created or updated' };
	if (imported === 0 && countOf(skipped_count) >= rows)
		return { result: 'skipped', reason: 'The service has this number already' };
	const reason = `The service counts ${imported} of the ${rows} rows of this request as imported, and does not say which`;
	return { result: 'imported or skipped', reason };
}

/** Makes what each row says of a failure: what is said about the row itself, and then one text about all 100,000 of them. */
function reasonsOf({ message, description }: NodeApiError | NodeOperationError): (row: number) => string {
	const lines = [message, ...stringOf(description).split('\n')];
	const rowIn = (line: string) => /\brow (\d+)\)?: /i.exec(line)?.[1];
	const ofAll = sentences(lines.filter((line) => rowIn(line) === undefined));
	return (row) => sentences([...lines.filter((line) => rowIn(line) === String(row)), ofAll]);
}

/** Tells what became of a row, in words. */
function resultOf({ left, outcome, findings }: ImportRow): { result?: string; reason: string } {
	const found = sentences(findings.flatMap(({ problem, hint }) => [problem, hint]));
	if (left !== undefined) return { result: left, reason: found };
	const { result, reason = '' } = outcome ?? {};
	const isInPart = result === 'created or updated' && found !== '';
	const lost = found && `Left out: ${found}`;
	return { result: isInPart ? 'imported in part' : result, reason: sentences([reason, lost]) };
}

/**
 * Makes the item of a row. At the error output, it has the columns of the file and the reason, so that people can save, mend and
 * import it again.
 */
function itemOfRow(row: ImportRow, json: IDataObject, rejection?: Error): INodeExecutionData {
	const { item, error, told } = row;
	const { result, reason } = resultOf(row);
	const made = error ? errorItem(error, item) : { json: {}, pairedItem: { item } };
	made.json = rejection
		? { ...json, reason }
		: ({ row: row.row, ...told, result, reason, input: json, ...made.json } as IDataObject);
	// It sends the item to the error output. Not enumerable, so that n8n neither stores it nor adds a column for it.
	if (rejection) Object.defineProperty(made, 'error', { value: rejection });
	return made;
}

/** Sums up rows, and what the service counts in each request, in one item that is linked to all rows. */
function summaryOf(rows: ImportRow[], counts: IDataObject[]): INodeExecutionData[] {
	if (rows.length === 0) return [];
	const sumOf = (name: string) => counts.reduce((sum, one) => sum + countOf(one[name]), 0);
	// The service does not count a row that was left out.
	const left = rows.filter((row) => row.left && row.left !== 'empty').length;
	const json: IDataObject = {
		requests: counts.length,
		created_count: sumOf('created_count'),
		updated_count: sumOf('updated_count'),
		skipped_count: sumOf('skipped_count') + left,
	};
	const findings = rows.flatMap(({ row, findings: ofRow }) => ofRow.map((one) => ({ row, ...one })));
	if (findings.length > 0) json.findings = findings as unknown as IDataObject[];
	return [{ json, pairedItem: rows.map(({ item }) => ({ item })) }];
}

const LEFT = [
	['not imported', 'were not imported; the output says why'],
	['skipped', 'were skipped, because another row has their phone number'],
	['value skipped', 'have an invalid value, which was left out; the output names it'],
] as const;

/** How many requests are under way at once, unless rows have tags: two requests could create a tag twice. */
const IN_FLIGHT = 4;

/**
 * Makes the output: an item for each row, or the summary. Rows that were not imported go to the error output, if there is one.
 */
async function outputOf(
	context: RunContext<IExecuteFunctions>,
	isSummed: boolean,
	rows: ImportRow[],
	counts: IDataObject[],
): Promise<INodeExecutionData[]> {
	const notImported = new NodeOperationError(context.getNode(), 'The row was not imported');
	const hasErrors = hasErrorOutput(context.getNode());
	const empty = hasErrors ? (await fileColumns(context)).empty : {};
	const items: INodeExecutionData[] = [];
	await forEachItem(context, ({ json }, index) => {
		const row = rows[index];
		const error = row.error ?? (row.left === 'not imported' && hasErrors ? notImported : undefined);
		if (error === undefined && (isSummed || row.left === 'empty')) return;
		const rejection = hasErrors ? error : undefined;
		items.push(itemOfRow(row, rejection ? { ...empty, ...json } : json, rejection));
	});
	for (const [what, words] of LEFT) {
		const count = rows.filter(({ left, findings }) => (left ?? findings.at(0)?.done) === what).length;
		if (count > 0) context.api.note(words, count);
	}
	const summed = isSummed ? rows.filter(({ error }) => error === undefined) : [];
	return [...summaryOf(summed, counts), ...items];
}

/** Checks all rows before the first request, because the service skips invalid values silently. */
async function importRows(
	context: RunContext<IExecuteFunctions>,
	first: Item<ImportSetting>,
	rows: ImportRow[],
): Promise<INodeExecutionData[]> {
	// Phone numbers may need it.
	await context.api.settings;
	const existing = first.get(duplicates);
	const { labels, unmapped } = await readRows(context, first, rows);
	const unique = onePerNumber(rows, first.get(repeatedNumbers));
	failOn(context, rows);

	const counts: IDataObject[] = [];
	const send = async (batch: ImportRow[]) => {
		try {
			const { content } = await context.api.send({
				method: 'POST',
				url: '/customers/bulk-import',
				body: { duplicates: existing, customers: batch.map(({ value }) => value) },
				labels: () => ({ ...memberNames(importFields), ...labels }),
				entryName: (place) => (place < batch.length ? `row ${batch[place].row}` : `entry ${place + 1}`),
			});
			const ofRequest = objectOrEmpty(content);
			counts.push(ofRequest);
			const outcome = outcomeOf(ofRequest, batch.length);
			for (const row of batch) row.outcome = outcome;
			return {};
		} catch (failure) {
			const error = nodeErrorOf(context, failure, batch[0].item);
			const reasonFor = reasonsOf(error);
			const result = error.context.outcome === 'unknown' ? 'unknown' : 'not imported';
			for (const row of batch) Object.assign(row, { error, outcome: { result, reason: reasonFor(row.row) } });
			throw error;
		}
	};
	await sendBatches(context, unique, send, unique.some(hasTags) ? 1 : IN_FLIGHT);
	const items = await outputOf(context, first.get(outputMode) === 'summary', rows, counts);
	const { rows: count, names } = unmapped;
	if (count > 0) context.api.note(`have fields that no column takes: ${quoteAll(names)}`, count);
	return items;
}

/** Imports all items as rows of one list. The settings of the first item count for all rows. */
export async function importCustomers(
	context: RunContext<IExecuteFunctions>,
	first: Item<ImportSetting>,
): Promise<INodeExecutionData[]> {
	const rows: ImportRow[] = [];
	return await importRows(context, first, rows).catch(async (failure: unknown) => {
		const error = nodeErrorOf(context, failure);
		const failed = await allFailed(context, error);
		if (!hasErrorOutput(context.getNode())) return failed;
		const reasonFor = reasonsOf(error);
		const { empty } = await fileColumns(context);
		for (const [index, { json }] of context.getInputData().entries()) {
			const row: ImportRow | undefined = rows[index];
			const reason = row?.fails ? resultOf({ ...row, left: 'not imported' }).reason : reasonFor(index + 2);
			failed[index].json = { ...empty, ...json, reason };
		}
		return failed;
	});
}
