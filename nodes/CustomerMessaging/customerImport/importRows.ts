import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type Mapping, mappedPath } from '../fields/mapping';
import type { BatchRow } from '../runner/batches';
import { fieldReader, LEFT_TO_N8N } from '../runner/fieldExpression';
import type { ValueOf } from '../runner/operation';
import { ValueProblem } from '../values/conversion';
import { isObject, ownMember } from '../values/json';
import { EMPTY, isBlank, shown, stringOf } from '../values/text';
import { automaticReader, type ImportColumn, importColumns, mappedColumns } from './customerColumns';
import { columns, type duplicates, type invalidValues, type repeatedNumbers } from './importFields';

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

/** A customer to import. */
export interface ImportRow extends BatchRow<IDataObject> {
	/** What the item of the row says about rows like it. */
	settings: {
		existing: ValueOf<typeof duplicates>;
		invalid: ValueOf<typeof invalidValues>;
		repeated: ValueOf<typeof repeatedNumbers>;
	};
	findings: Finding[];
	/** Whether the item has the column with the phone number, which may be empty. */
	hasNumber: boolean;
}

/** A column with the function that reads it from an item. */
type ReadColumn = [ImportColumn, (item: INodeExecutionData, index: number) => unknown];

/**
 * Makes a reader for each column of the mapping.
 *
 * n8n would take many seconds to evaluate 10,000 rows of ten columns. So a mapping that only names a field is read from
 * the item itself, and a fixed value is never evaluated.
 */
export function readersOf(context: IExecuteFunctions): ReadColumn[] {
	// The mapping as the workflow stores it, with its expressions.
	const stored: unknown = context.getNode().parameters[columns.path];
	const mapping: Mapping = isObject(stored) ? stored : {};
	const mapped = mappedColumns(mapping);
	if (mapping.mappingMode === 'autoMapInputData') {
		const automatic = automaticReader(mapped);
		return mapped.map((column) => [column, ({ json }) => automatic(json, column)]);
	}
	return mapped.map((column): ReadColumn => {
		// n8n stores null for a column that is not mapped.
		const value = ownMember(mapping.value ?? {}, column.id) ?? '';
		if (value === '') return [column, () => undefined];
		const read = fieldReader(value);
		const path = mappedPath(columns.path, column.id);
		return [
			column,
			({ json }, index) => {
				const found = read(json);
				return found === LEFT_TO_N8N ? context.getNodeParameter(path, index, undefined) : found;
			},
		];
	});
}

/** Reads an item as a customer, with a finding for each problem. */
export function readRow(
	readers: ReadColumn[],
	item: INodeExecutionData,
	index: number,
	settings: ImportRow['settings'],
): ImportRow {
	const customer: IDataObject = { channel: 'chatapp' };
	const profile: IDataObject = {};
	const findings: Finding[] = [];
	let hasNumber = false;
	for (const [column, read] of readers) {
		const { displayName, property, inProfile, required = false, isClearable, convert } = column;
		const value = read(item, index);
		if (displayName === PHONE) hasNumber = value !== undefined;
		const isEmpty = isBlank(value) && !(value === null && isClearable);
		if (isEmpty && !required) continue;
		const ready = isEmpty ? EMPTY : value instanceof ValueProblem ? value : convert(value);
		if (ready instanceof ValueProblem) {
			const problem = `${displayName} ${ready.problem}`;
			const done = required ? 'row skipped' : 'value skipped';
			findings.push({ item: index, column: displayName, problem, done });
		} else (inProfile ? profile : customer)[property] = ready as IDataObject[string];
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
export function requirePhoneNumbers(context: IExecuteFunctions, rows: ImportRow[]): void {
	// An empty number is one row's problem. An absent one comes from a column that does not exist.
	if (rows.length === 0 || rows.some(({ hasNumber }) => hasNumber)) return;
	const names = [...new Set(context.getInputData().flatMap(({ json }) => Object.keys(json)))];
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
export function withoutRepetitions(rows: ImportRow[]) {
	const repeated: Finding[] = [];
	const refused: Finding[] = [];
	const kept = new Map<unknown, ImportRow>();
	for (const row of rows) {
		const number = row.value.display_id;
		const before = kept.get(number);
		const [loser, winner] = row.settings.repeated === 'first' && before ? [row, before] : [before, row];
		if (loser) {
			const finding: Finding = {
				item: loser.item,
				column: PHONE,
				problem: `${PHONE} ${stringOf(number)} is also that of item ${winner.item}`,
				done: 'row skipped',
			};
			repeated.push(finding);
			if (row.settings.repeated === 'fail') refused.push(finding);
		}
		if (winner === row) {
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
