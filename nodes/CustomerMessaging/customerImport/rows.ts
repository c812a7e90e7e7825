import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type Mapping, mappedPath } from '../fields/mapping';
import type { BatchRow } from '../runner/batches';
import type { ValueOf } from '../runner/operation';
import { ValueProblem } from '../values/conversion';
import { isObject, ownMember } from '../values/json';
import { EMPTY, isBlank, shown } from '../values/text';
import { type ColumnReader, columnReader } from './columnReader';
import { type ImportColumn, importColumns, mappedColumns } from './columns';
import { columns, type duplicates, type invalidValues, type repeatedNumbers } from './importFields';
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

/** What the item of a row says about rows like it. */
export interface RowSettings {
	existing: ValueOf<typeof duplicates>;
	invalid: ValueOf<typeof invalidValues>;
	repeated: ValueOf<typeof repeatedNumbers>;
}

export interface Row extends BatchRow<IDataObject> {
	settings: RowSettings;
	findings: Finding[];
	/** Whether the item has the column with the phone number, which may be empty. */
	hasNumber: boolean;
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
	settings: RowSettings,
): Row {
	const customer: IDataObject = { channel: 'chatapp' };
	const profile: IDataObject = {};
	const findings: Finding[] = [];
	let hasNumber = false;
	for (const [
		{ displayName, property, inProfile, required = false, isClearable, convert },
		read,
	] of readers) {
		const value = read(item, index);
		if (displayName === PHONE) hasNumber = value !== undefined;
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
	return { item: index, value: { ...customer, profile }, findings, hasNumber, settings };
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
	rows: Row[],
): void {
	// An empty number is one row's problem. An absent one comes from a column that does not exist.
	if (rows.length === 0 || rows.some(({ hasNumber }) => hasNumber)) return;
	const names = [...new Set(items.flatMap(({ json }) => Object.keys(json)))];
	const named = names.slice(0, MAX_NAMED).map((name) => `"${shown(name)}"`);
	const more = names.length > named.length ? [`${names.length - named.length} more`] : [];
	const seen = names.length > 0 ? `the fields ${[...named, ...more].join(', ')}` : 'no fields';
	throw new NodeOperationError(context.getNode(), 'No item has a phone number; nothing was sent', {
		description: `The input has ${seen}. Map the one with the number to Phone Number in Columns; Map Automatically knows it as phone, mobile or displayId.`,
	});
}

/**
 * Keeps one row of each phone number, according to *Repeated Phone Numbers* of the later of two rows. Each other row has a
 * finding, which is among `refused` where the later row says that the import fails.
 */
export function withoutRepetitions(rows: Row[]): { unique: Row[]; repeated: Finding[]; refused: Finding[] } {
	const repeated: Finding[] = [];
	const refused: Finding[] = [];
	const kept = new Map<unknown, Row>();
	for (const row of rows) {
		const number = row.value.display_id;
		const before = kept.get(number);
		const loser = before && row.settings.repeated === 'first' ? row : before;
		if (loser) {
			const finding: Finding = {
				item: loser.item,
				column: PHONE,
				problem: `${PHONE} ${String(number)} is also that of item ${loser === row ? before?.item : row.item}`,
				done: 'row skipped',
			};
			repeated.push(finding);
			if (row.settings.repeated === 'fail') refused.push(finding);
		}
		if (loser !== row) {
			// Deleting first moves the winning row to its own position in the order.
			kept.delete(number);
			kept.set(number, row);
		}
	}
	return { unique: [...kept.values()], repeated, refused };
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
