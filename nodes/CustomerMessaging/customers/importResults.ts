import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../values/json';
import { stringOf } from '../values/text';
import type { ValueOf } from '../core/item';
import type { duplicates } from './importFields';
import type { ImportRow, Outcome } from './importRows';

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

export function itemOfRow(
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

export function failedRow(
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
export function summaryOf(rows: ImportRow[], answers: IDataObject[]): INodeExecutionData[] {
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
