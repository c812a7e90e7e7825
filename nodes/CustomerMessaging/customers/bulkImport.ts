import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IPairedItemData,
	NodeOperationError,
} from 'n8n-workflow';

import type { RunContext } from '../api/client';
import { sendBatches } from '../core/batches';
import { hasErrorOutput, isErrorItem } from '../core/errorItems';
import { memberNames } from '../core/field';
import type { Item, ValueOf } from '../core/item';
import { forEachItem } from '../core/run';
import { duplicates, importFields, outputMode, repeatedNumbers } from './importFields';
import { failOn, hasTags, type ImportRow, onePerNumber, type Outcome, quoted, rowReader } from './importRows';
import { isObject } from '../values/json';
import { stringOf } from '../values/text';

const countOf = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : undefined);

/** Tells what became of each row of a request. The service only counts them: where it skips some, nobody knows which. */
export function outcomeOf(
	{ created_count, updated_count, skipped_count }: IDataObject,
	rows: number,
	existing: ValueOf<typeof duplicates>,
): Outcome {
	const [created, updated, skipped] = [created_count, updated_count, skipped_count].map(countOf);
	const imported = (created ?? 0) + (updated ?? 0);
	if (imported >= rows) return { result: 'created or updated' };
	if (imported === 0 && skipped !== undefined && skipped >= rows) {
		const left = existing === 'skip' ? 'has this number already' : 'left this customer as it is';
		return { result: 'skipped', reason: `The service ${left}` };
	}
	const result = 'imported or skipped';
	if (created === undefined || updated === undefined)
		return { result, reason: 'The service gives no readable count of its imports' };
	const reason = `The service imported ${imported} of the ${rows} rows of this request, and does not say which`;
	return { result, reason };
}

function itemOfRow(
	{ line, told, findings, left, item, outcome }: ImportRow,
	input: INodeExecutionData,
): INodeExecutionData {
	const found = findings.map(({ problem }) => problem).join('; ');
	const { result, reason = '' } = outcome ?? { result: left };
	// A row that went out did so without these values.
	const reasons = [reason, found !== '' && left === undefined ? `Left out: ${found}` : found];
	const why = reasons.filter((one) => one !== '').join('. ');
	return {
		// Without a reason, n8n's table would show "undefined".
		json: { line, ...told, result, reason: why, row: input.json } as IDataObject,
		pairedItem: { item },
	};
}

function failedRow(
	row: ImportRow,
	failed: INodeExecutionData,
	input: INodeExecutionData,
): INodeExecutionData {
	const { error, details } = failed.json;
	const isUnclear = isObject(details) && details.outcome === 'unknown';
	row.outcome = { result: isUnclear ? 'unknown' : 'not imported', reason: stringOf(error) };
	failed.json = { ...itemOfRow(row, input).json, ...failed.json };
	return failed;
}

/** Sums up rows, and what the service counts in each request, in one item that is linked to all rows. */
function summaryOf(rows: ImportRow[], answers: IDataObject[]): INodeExecutionData[] {
	if (rows.length === 0) return [];
	const none = { created_count: 0, updated_count: 0, skipped_count: 0 };
	const counts: Record<string, number> = { requests: answers.length, ...(answers.length === 0 && none) };
	// The service does not count a row that was left out.
	const left = rows.flatMap((row) => (row.left && row.left !== 'empty' ? [{ skipped_count: 1 }] : []));
	for (const [name, value] of [...answers, ...left].flatMap((answer) => Object.entries(answer))) {
		const count = countOf(value);
		if (count !== undefined) counts[name] = (counts[name] ?? 0) + count;
	}
	const findings = rows.flatMap((row) => row.findings);
	const json = { ...counts, ...(findings.length > 0 && { findings }) } as IDataObject;
	return [{ json, pairedItem: rows.map(({ item }) => ({ item })) }];
}

const LEFT = [
	['not imported', 'were not imported; their reason or finding says why'],
	['skipped', 'were skipped, because another row has their phone number'],
	['value skipped', 'have an invalid value, which was left out; their reason or finding names it'],
] as const;

const MAX_LINES = 20;

/** Names lines for people, who would otherwise look for them on all pages of the output. */
function inLines(lines: number[]): string {
	const more = lines.length > MAX_LINES ? ` and ${lines.length - MAX_LINES} more` : '';
	return `(${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, MAX_LINES).join(', ')}${more})`;
}

/** How many requests are under way at once, unless rows have tags: two requests could create a tag twice. */
const IN_FLIGHT = 4;

/**
 * Makes the output: an item for each row, or the summary. Rows that were not imported go to the error output, if there is one.
 */
async function outputOf(
	context: RunContext<IExecuteFunctions>,
	isSummed: boolean,
	rows: ImportRow[],
	answers: IDataObject[],
	failed: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const notImported = new NodeOperationError(node, 'The row was not imported');
	const errors = new Map(failed.map((item) => [(item.pairedItem as IPairedItemData).item, item]));
	const items: INodeExecutionData[] = [];
	const summed: ImportRow[] = [];
	await forEachItem(context, (input, index) => {
		const row = rows[index];
		// Each row that was sent has an outcome or failed.
		const error = row.left || row.outcome ? undefined : errors.get(index);
		if (error) return void items.push(failedRow(row, error, input));
		if (isSummed) summed.push(row);
		const isError = row.left === 'not imported' && hasErrorOutput(node);
		if ((isSummed || row.left === 'empty') && !isError) return;
		const made = itemOfRow(row, input);
		items.push(made);
		if (!isError) return;
		made.json.error = made.json.reason;
		// It sends the item to the error output. Not enumerable, so that n8n does not store it for each row.
		Object.defineProperty(made, 'error', { value: notImported });
	});
	for (const [what, words] of LEFT) {
		const found = rows.filter(({ left, findings }) => (left ?? findings.at(0)?.done) === what);
		const lines = found.map(({ line }) => line);
		if (lines.length > 0) context.api.note(`${words} ${inLines(lines)}`, lines.length);
	}
	return [...summaryOf(summed, answers), ...items];
}

/**
 * The settings of the first item count for all rows. The service skips invalid values silently, so all rows are checked before
 * the first request.
 */
export async function importCustomers(
	context: RunContext<IExecuteFunctions>,
	first: Item<(typeof importFields)[number]>,
): Promise<INodeExecutionData[]> {
	// Phone numbers may need it.
	await context.api.settings();
	const reader = rowReader(context, first);
	const existing = first.get(duplicates);
	const isSummed = first.get(outputMode) === 'summary';
	const rows: ImportRow[] = [];
	await forEachItem(context, (item, index) => rows.push(reader.read(item, index)));
	reader.requireColumns();
	const unique = onePerNumber(rows, first.get(repeatedNumbers));
	failOn(context, rows);

	const answers: IDataObject[] = [];
	const send = async (batch: ImportRow[]) => {
		const body = await context.api.send({
			method: 'POST',
			url: '/customers/bulk-import',
			body: { duplicates: existing, customers: batch.map(({ value }) => value) },
			labels: () => ({ ...memberNames(importFields), ...reader.labels }),
			entryName: (place) => (place < batch.length ? `line ${batch[place].line}` : `entry ${place + 1}`),
		});
		const counts = isObject(body) ? body : {};
		answers.push(counts);
		const outcome = outcomeOf(counts, batch.length, existing);
		for (const row of batch) row.outcome = outcome;
		return {};
	};
	const sent = await sendBatches(context, unique, send, unique.some(hasTags) ? 1 : IN_FLIGHT);
	const items = await outputOf(context, isSummed, rows, answers, sent.filter(isErrorItem));
	const { rows: count, names } = reader.unmapped;
	if (count > 0) context.api.note(`have fields that no column takes: ${quoted(names)}`, count);
	return items;
}
