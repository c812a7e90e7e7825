import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	duplicates,
	importFields,
	invalidValues,
	outputMode,
	repeatedNumbers,
} from '../../customerImport/importFields';
import {
	failOn,
	readersOf,
	readRow,
	requirePhoneNumbers,
	type ImportRow,
	withoutRepetitions,
} from '../../customerImport/importRows';
import { sendBatches } from '../../runner/batches';
import { forEachItem } from '../../runner/eventLoop';
import { memberNames } from '../../runner/field';
import type { ReadOfItem } from '../../runner/operation';
import { isPage, unwrapped } from '../../transport/responseBody';
import { unreadableError } from '../../transport/errors';
import { noteOutcome } from '../../transport/nodeRun';
import { request } from '../../transport/request';
import { isObject } from '../../values/json';
import { numericOf } from '../../values/numbers';

const linksOf = ({ pairedItem }: INodeExecutionData) => (Array.isArray(pairedItem) ? pairedItem : []);

/** Sums the counts of all requests in one item, linked to the rows of all of them. Error items follow it. */
function summary(results: INodeExecutionData[]): INodeExecutionData[] {
	const done = results.filter(({ json }) => json.error === undefined);
	const sums: IDataObject = { requests: done.length };
	for (const { json } of done) {
		for (const [name, count] of Object.entries(json)) {
			if (typeof count === 'number') sums[name] = numericOf(sums[name] ?? 0) + count;
		}
	}
	return [
		{ json: sums, pairedItem: done.flatMap(linksOf) },
		...results.filter(({ json }) => json.error !== undefined),
	];
}

/**
 * Imports the customers of all input items, each by the settings of its own item.
 *
 * The service skips invalid values and does not report them. So the node checks all rows before the first request.
 */
export async function importCustomers(
	context: IExecuteFunctions,
	readOf: ReadOfItem<(typeof importFields)[number]>,
): Promise<INodeExecutionData[]> {
	const isSummary = readOf(0)(outputMode) === 'summary';
	const readers = readersOf(context);
	const labels = () => ({
		...memberNames(importFields),
		...Object.fromEntries(readers.map(([{ property, displayName }]) => [property, displayName])),
	});
	const rows: ImportRow[] = [];
	await forEachItem(context, (item, index) => {
		const read = readOf(index);
		const settings = {
			existing: read(duplicates),
			invalid: read(invalidValues),
			repeated: read(repeatedNumbers),
		};
		rows.push(readRow(readers, item, index, settings));
	});
	requirePhoneNumbers(context, rows);
	const findings = rows.flatMap((row) => row.findings);
	const findingsOf = (invalid: string) =>
		rows.filter(({ settings }) => settings.invalid === invalid).flatMap((row) => row.findings);
	failOn(context, findingsOf('fail'));
	for (const finding of findingsOf('skipRow')) finding.done = 'row skipped';
	const usable = rows.filter((row) => row.findings.every(({ done }) => done === 'value skipped'));
	const { unique, repeated, refused } = withoutRepetitions(usable);
	failOn(context, refused);

	// Rows may share a request, which says once what happens to existing customers.
	const choices = [...new Set(unique.map(({ settings }) => settings.existing))];
	const groups = choices.map((choice) => unique.filter(({ settings }) => settings.existing === choice));
	const results = await sendBatches(context, groups, async (batch) => {
		const answer = await request(context, {
			method: 'POST',
			url: '/customers/bulk-import',
			body: { duplicates: batch[0].settings.existing, customers: batch.map(({ value }) => value) },
			labels,
		});
		if (isPage(answer.body)) throw unreadableError(context, answer, 'POST');
		const counts = unwrapped(answer.body);
		return isObject(counts) ? counts : {};
	});
	const output = isSummary ? summary(results) : results;
	const found = [...findings, ...repeated].sort((a, b) => a.item - b.item);
	const skipped = new Set(found.filter(({ done }) => done === 'row skipped').map(({ item }) => item));
	if (skipped.size > 0)
		await noteOutcome(context, 'were not imported; see findings in the first item', skipped.size);
	if (found.length === 0) return output;
	// The first item has the findings and counts their rows. If every row was skipped, there is no item yet.
	let first = output.find(({ json }) => json.error === undefined);
	if (!first) {
		first = { json: {}, pairedItem: [] };
		output.unshift(first);
	}
	if (isSummary || linksOf(first).length === 0) {
		const linked = linksOf(first).map((link) => (typeof link === 'number' ? link : link.item));
		first.pairedItem = [...linked, ...skipped].sort((a, b) => a - b).map((item) => ({ item }));
	}
	const left = numericOf(first.json.skipped_count) || 0;
	const counts = skipped.size > 0 && { skipped_count: left + skipped.size };
	first.json = { ...first.json, ...counts, findings: found };
	return output;
}
