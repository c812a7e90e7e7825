import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type Mapping, mappedPath } from '../fields/mapping';
import type { BatchRow } from '../runner/batches';
import { ValueProblem } from '../values/conversion';
import { isObject, ownMember } from '../values/json';
import { EMPTY, isBlank, shown } from '../values/text';
import { type ColumnReader, columnReader } from './columnReader';
import { type ImportColumn, importColumns, mappedColumns } from './columns';
import { columns } from './importFields';
import { automaticReader } from './usualNames';

/** The column that tells whom a row is about. */
const PHONE = importColumns[0].displayName;

/** A problem of a row that was not imported completely. */
export interface Finding {
	/** Index of the input item. */
	item: number;
	column: string;
	problem: string;
	/** What the import did with the row. */
	done: 'row skipped' | 'value skipped';
}

export interface Row extends BatchRow<IDataObject> {
	findings: Finding[];
}

/** Makes a reader for each column of the mapping. */
export function readersOf(context: IExecuteFunctions): Array<[ImportColumn, ColumnReader]> {
	// The mapping as the workflow stores it, with its expressions.
	const stored: unknown = context.getNode().parameters[columns.path];
	const mapping: Mapping = isObject(stored) ? stored : {};
	const mapped = mappedColumns(mapping);
	if (mapping.mappingMode === 'autoMapInputData') {
		const automatic = automaticReader(mapped);
		return mapped.map((column) => [column, ({ json }) => automatic(json, column)]);
	}
	return mapped.map((column) => {
		// n8n stores null for a column that is not mapped.
		const value = ownMember(mapping.value ?? {}, column.id) ?? '';
		if (value === '') return [column, () => undefined];
		return [column, columnReader(context, mappedPath(columns.path, column.id), value)];
	});
}

/** Reads an item as a customer, with a finding for each problem. */
export function readRow(
	readers: Array<[ImportColumn, ColumnReader]>,
	item: INodeExecutionData,
	index: number,
): Row {
	const customer: IDataObject = { channel: 'chatapp' };
	const profile: IDataObject = {};
	const findings: Finding[] = [];
	for (const [
		{ displayName, property, inProfile, required = false, isClearable, convert },
		read,
	] of readers) {
		const value = read(item, index);
		const isMissing = value === undefined || (value === null && !isClearable);
		// A required column needs more than spaces.
		const isEmpty = value === '' || isMissing || (required && isBlank(value));
		if (isEmpty && !required) continue;
		const ready = isEmpty ? EMPTY : value instanceof ValueProblem ? value : convert(value);
		if (ready instanceof ValueProblem) {
			const problem = `${displayName} ${ready.problem}`;
			findings.push({
				item: index,
				column: displayName,
				problem,
				done: required ? 'row skipped' : 'value skipped',
			});
			continue;
		}
		(inProfile ? profile : customer)[property] = ready as IDataObject[string];
	}
	return { item: index, value: { ...customer, profile }, findings };
}

/** Maximum number of fields of the input that an error names. */
const MAX_NAMED = 20;

/**
 * Stops an import that has no column with phone numbers, for which a mapping is to blame and not the rows.
 *
 * @throws NodeOperationError with the names of the fields that the input has
 */
export function requirePhoneNumbers(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	readers: Array<[ImportColumn, ColumnReader]>,
): void {
	const [, read] = readers.find(([{ displayName }]) => displayName === PHONE) ?? [];
	// An empty number is one row's problem. An absent one comes from a column that does not exist.
	if (items.length === 0 || items.some((item, index) => read?.(item, index) !== undefined)) return;
	const names = [...new Set(items.flatMap(({ json }) => Object.keys(json)))];
	const named = names.slice(0, MAX_NAMED).map((name) => `"${shown(name)}"`);
	const more = names.length > named.length ? [`${names.length - named.length} more`] : [];
	const seen = names.length > 0 ? `the fields ${[...named, ...more].join(', ')}` : 'no fields';
	throw new NodeOperationError(context.getNode(), 'No item has a phone number; nothing was sent', {
		description: `The input has ${seen}. Map the one with the number to Phone Number in Columns; Map Automatically knows it as phone, mobile or displayId.`,
	});
}

/** Keeps one row of each phone number, according to *Repeated Phone Numbers*. It adds a finding for each other row. */
export function withoutRepetitions(rows: Row[], keep: string, findings: Finding[]): Row[] {
	const kept = new Map<unknown, Row>();
	for (const row of rows) {
		const number = row.value.display_id;
		const before = kept.get(number);
		const loser = before && keep === 'first' ? row : before;
		if (loser) {
			findings.push({
				item: loser.item,
				column: PHONE,
				problem: `${PHONE} ${String(number)} is also that of item ${loser === row ? before?.item : row.item}`,
				done: 'row skipped',
			});
		}
		if (loser !== row) {
			// Deleting first moves the winning row to its own position in the order.
			kept.delete(number);
			kept.set(number, row);
		}
	}
	return [...kept.values()];
}

/**
 * Stops the import before a request is sent.
 *
 * @throws NodeOperationError with the first ten findings, if there are any
 */
export function failOn(context: IExecuteFunctions, findings: Finding[]): void {
	if (findings.length === 0) return;
	const first = findings.slice(0, 10).map(({ item, problem }) => `Item ${item}: ${problem}`);
	const more = findings.length > first.length ? [`… and ${findings.length - first.length} more`] : [];
	throw new NodeOperationError(
		context.getNode(),
		`${findings.length} values cannot be imported; nothing was sent`,
		{
			itemIndex: findings[0].item,
			description: [...first, ...more, 'Correct them, or set Invalid Values to skip them.'].join('\n'),
		},
	);
}
