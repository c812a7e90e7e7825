import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	columns,
	duplicates,
	invalidValues,
	outputMode,
	repeatedNumbers,
} from '../../customerImport/importFields';
import {
	failOn,
	type Finding,
	readersOf,
	readRow,
	requirePhoneNumbers,
	type Row,
	withoutRepetitions,
} from '../../customerImport/rows';
import { sendBatches } from '../../runner/batches';
import { batchOperation } from '../../runner/declare';
import { forEachItem } from '../../runner/eventLoop';
import { memberNames } from '../../runner/field';
import type { Read } from '../../runner/operation';
import { isPage, unwrapped } from '../../transport/answer';
import { unreadableError } from '../../transport/errors';
import { noteOutcome } from '../../transport/nodeRun';
import { nameFields } from '../../transport/errorBody';
import { request } from '../../transport/request';
import { isObject } from '../../values/json';

const fields = [duplicates, columns, invalidValues, repeatedNumbers, outputMode] as const;

/** Sums the counts of all requests in one item, linked to all rows. Error items follow it. */
function summary(results: INodeExecutionData[]): INodeExecutionData[] {
	const done = results.filter(({ json }) => json.error === undefined);
	const sums: IDataObject = { requests: done.length };
	for (const { json } of done) {
		for (const [name, count] of Object.entries(json)) {
			if (typeof count === 'number') sums[name] = Number(sums[name] ?? 0) + count;
		}
	}
	const links = done.flatMap(({ pairedItem }) => (Array.isArray(pairedItem) ? pairedItem : []));
	return [{ json: sums, pairedItem: links }, ...results.filter(({ json }) => json.error !== undefined)];
}

/**
 * Imports the customers of all input items.
 *
 * The service skips invalid values and does not report them. So the node checks all rows before the first request.
 */
async function importAll(
	context: IExecuteFunctions,
	read: Read<(typeof fields)[number]>,
): Promise<INodeExecutionData[]> {
	const invalid = read(invalidValues);
	const keep = read(repeatedNumbers);
	const existing = read(duplicates);
	const isSummary = read(outputMode) === 'summary';
	const readers = readersOf(context);
	nameFields(context, () =>
		Object.fromEntries([
			...Object.entries(memberNames(fields)),
			...readers.map(([{ property, displayName }]) => [property, displayName]),
		]),
	);
	const rows: Row[] = [];
	await forEachItem(context, (item, index) => rows.push(readRow(readers, item, index)));
	requirePhoneNumbers(context, context.getInputData(), rows);
	const findings = rows.flatMap((row) => row.findings);
	if (invalid === 'fail') failOn(context, findings);
	if (invalid === 'skipRow') for (const finding of findings) finding.done = 'row skipped';
	const usable = rows.filter((row) => row.findings.every(({ done }) => done === 'value skipped'));
	const repeated: Finding[] = [];
	const unique = withoutRepetitions(usable, keep, repeated);
	if (keep === 'fail') failOn(context, repeated);

	const results = await sendBatches(context, unique, async (customers) => {
		const answer = await request(context, {
			method: 'POST',
			url: '/customers/bulk-import',
			body: { duplicates: existing, customers },
		});
		if (isPage(answer.body)) throw unreadableError(context.getNode(), answer, undefined, 'POST');
		const counts = unwrapped(answer.body);
		return isObject(counts) ? counts : {};
	});
	const output = isSummary ? summary(results) : results;
	const found = [...findings, ...repeated].sort((a, b) => a.item - b.item);
	const skipped = new Set(found.filter(({ done }) => done === 'row skipped').map(({ item }) => item)).size;
	if (skipped > 0) await noteOutcome(context, 'were not imported; see findings in the first item', skipped);
	if (found.length === 0) return output;
	// The first item has the findings and counts their rows. If every row was skipped, there is no item yet.
	let first = output.find(({ json }) => json.error === undefined);
	if (!first) {
		first = { json: {}, pairedItem: found.map(({ item }) => ({ item })) };
		output.unshift(first);
	}
	const left = Number(first.json.skipped_count) || 0;
	const counts = skipped > 0 && { skipped_count: left + skipped };
	first.json = { ...first.json, ...counts, findings: found };
	return output;
}

export const bulkImport = batchOperation('POST /customers/bulk-import', {
	fields,
	reads: fields,
	all: importAll,
});
