import type { IDataObject, IExecuteFunctions, INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type Mapping, mappedPath } from '../fields/mapping';
import { type BatchRow, firstIndexOf } from '../core/batches';
import { fieldReader, LEFT_TO_N8N } from '../core/itemContext';
import { memberNames } from '../core/field';
import type { Item, ValueOf } from '../core/item';
import { forEachItem } from '../core/run';
import { InvalidValue, orInvalid } from '../values/parse';
import { objectOrEmpty, ownMember } from '../values/json';
import { spellingsOf } from '../values/phoneNumber';
import { isBlank, isWordForNothing, quote, stringOf } from '../values/text';
import {
	ambiguousDates,
	columns,
	fieldsByName,
	type ImportColumn,
	importColumns,
	type ImportSetting,
	invalidValues,
	mappedColumns,
	profileMember,
	type repeatedNumbers,
} from './importFields';
import { emptyCells } from '../core/emptyValues';
import { separator } from '../fields/sets';

const [PHONE, NAME] = importColumns;

/** Returns the value of a cell: null for a word for nothing; a text without the apostrophe that exports write before = + @ and -. */
function cellOf(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	return isWordForNothing(value) ? null : value.replace(/^'(?=[=+@-])/, '');
}

/** What a required cell without a value is. What to do about it goes without saying. */
const EMPTY = new InvalidValue('is empty', '');

/** The fields that say something about a row and are none of its cells: n8n's Google Sheets node numbers rows, the error output explains them. */
const ABOUT_ROW = new Set(['row_number', 'reason']);

interface Finding extends Record<'column' | 'hint' | 'problem', string> {
	done: 'row skipped' | 'value skipped';
}

export interface Outcome {
	result: 'created or updated' | 'imported or skipped' | 'not imported' | 'skipped' | 'unknown';
	reason?: string;
}

export interface ImportRow extends BatchRow<IDataObject> {
	/** The number of the row in a sheet whose first row has the names of the columns. */
	row: number;
	/** The name and the number that go out, or else those of the item. */
	told: Record<'name' | 'number', string>;
	findings: Finding[];
	outcome?: Outcome;
	/** That of its request. */
	error?: NodeApiError | NodeOperationError;
	/** An empty row is none: it comes out nowhere. */
	left?: 'empty' | 'not imported' | 'skipped';
	/** Whether nothing is sent because of its findings. */
	fails?: boolean;
}

/** A column with the function that reads it from an item. The function returns undefined for an item without the field. */
type ReadColumn = [ImportColumn, (item: INodeExecutionData, index: number) => unknown];

/** Returns all columns of a file, as an empty row, and those with a value: n8n leaves out the empty cells of an item. */
export async function fileColumns(context: IExecuteFunctions) {
	const [empty, filled]: [IDataObject, Set<string>] = [{}, new Set()];
	await forEachItem(context, ({ json }) => {
		for (const name of Object.keys(json)) {
			empty[name] = '';
			if (!filled.has(name) && !isBlank(cellOf(json[name]))) filled.add(name);
		}
	});
	return { empty, filled };
}

/** Makes a reader for each column that *Map Automatically* finds a field for. One that has a value anywhere comes first. */
async function readersByName(context: IExecuteFunctions, mapped: ImportColumn[]) {
	const { empty, filled } = await fileColumns(context);
	const fields = fieldsByName(mapped, [[...filled], Object.keys(empty)]);
	const readers = Array.from(fields, ([column, name]): ReadColumn => {
		return [column, ({ json }) => (Object.hasOwn(json, name) ? (json[name] ?? null) : undefined)];
	});
	return { readers, taken: new Set(fields.values()) };
}

/**
 * Makes a reader for each mapped column, and for those that no row can do without. n8n would take many seconds to
 * evaluate 10,000 rows of ten columns: what only names a field is read from the item, and a fixed value is never evaluated.
 */
function readersByHand(context: IExecuteFunctions, mapping: Mapping, mapped: ImportColumn[]): ReadColumn[] {
	return mapped.flatMap((column): ReadColumn[] => {
		// n8n stores null for a column that is not mapped.
		const value = ownMember(mapping.value ?? {}, column.path) ?? '';
		if (value === '') return column.parameter.required ? [[column, () => undefined]] : [];
		const read = fieldReader(value);
		const path = mappedPath(columns.path, column.path);
		const readCell: ReadColumn[1] = ({ json }, index) => {
			const found = read(json);
			return found === LEFT_TO_N8N ? context.getNodeParameter(path, index, undefined) : found;
		};
		return [[column, readCell]];
	});
}

/** Returns the names of fields, for people. */
export const quoteAll = (names: Set<string>) => Array.from(names, (name) => `"${quote(name)}"`).join(', ');

/** What *Map Automatically* knows the columns as that no import can do without. */
const KNOWN_AS = new Map([
	[PHONE, 'Map Automatically knows it as phone, mobile or displayId.'],
	[NAME, 'Map Automatically knows it as name or fullName; join first and last name by an expression.'],
]);

/**
 * Makes the error of an import for which a mapping is to blame and not the rows: no item has a column that none can do without, or
 * one that would be cleared for everybody.
 */
function noColumn(context: IExecuteFunctions, column: ImportColumn): NodeOperationError {
	const { displayName: label, required = false } = column.parameter;
	const names = new Set(context.getInputData().flatMap(({ json }) => Object.keys(json)));
	const wanted = required ? `a ${label.toLowerCase()}` : `the field of ${label}`;
	const why = KNOWN_AS.get(column) ?? 'Empty Cells on Clear would clear it for everybody.';
	const seen = names.size > 0 ? `the fields ${quoteAll(names)}` : 'no fields';
	const description = `The input has ${seen}. In Mapping Column Mode, choose Map Each Column Manually, and map the right one to ${label}. ${why}`;
	const message = `No item has ${wanted}; nothing was sent`;
	return new NodeOperationError(context.getNode(), message, { description });
}

/**
 * Reads all items as customers, with a finding for each problem, by the settings of the first item.
 *
 * @param rows gets the rows, also those before an error
 * @returns the editor's names of the columns, the fields that no column of *Map Automatically* takes, and how many items have any
 * @throws NodeOperationError when a column is missing
 */
export async function readRows(context: IExecuteFunctions, first: Item<ImportSetting>, rows: ImportRow[]) {
	// The mapping as the workflow stores it, with its expressions.
	const mapping: Mapping = objectOrEmpty(context.getNode().parameters[columns.path]);
	const mapped = mappedColumns(mapping);
	const isAutomatic = mapping.mappingMode === 'autoMapInputData';
	const { readers, taken } = isAutomatic
		? await readersByName(context, mapped)
		: { readers: readersByHand(context, mapping, mapped), taken: undefined };
	const unmapped = { rows: 0, names: new Set<string>() };
	const invalid = first.get(invalidValues);
	const clears = first.get(emptyCells) === 'clear';
	const reading = {
		timeZone: context.getTimezone(),
		countryCode: first.api.countryCode,
		ambiguousDates: first.get(ambiguousDates),
		separator: first.get(separator) || undefined,
	};
	/** Returns what goes out for a cell; undefined if nothing does. */
	const readyFor = ({ parse, parameter, isClearable }: ImportColumn, value: unknown): unknown => {
		const ready = isBlank(value) ? value : orInvalid(() => parse(value, reading));
		// A list of tags can be empty too.
		if (!isBlank(ready)) return ready;
		if (parameter.required) return EMPTY;
		const isCleared = clears && isClearable && !(isAutomatic && value === undefined);
		return isCleared ? parse(isBlank(value) ? value : undefined) : undefined;
	};
	/** The columns that an item has, even if they are empty, and those that are cleared where an item does not have them. */
	const given = new Set<ImportColumn>();
	const cleared = new Set<ImportColumn>();
	const firstRow = firstIndexOf(context) + 2;
	await forEachItem(context, (item, index) => {
		const filled = Object.keys(item.json).filter(
			(key) => !ABOUT_ROW.has(key) && !isBlank(cellOf(item.json[key])),
		);
		let isOfNobody = filled.length === 0;
		const profile: IDataObject = {};
		const customer: IDataObject = { channel: 'chatapp' };
		const told: ImportRow['told'] = { name: '', number: '' };
		const row: ImportRow = { item: index, row: firstRow + index, value: customer, told, findings: [] };
		for (const [column, readCell] of readers) {
			const { required = false, displayName } = column.parameter;
			const value = cellOf(readCell(item, index));
			if (value !== undefined) given.add(column);
			if (required && !isBlank(value)) isOfNobody = false;
			const ready = readyFor(column, value);
			if (ready === undefined) continue;
			if (value === undefined && !required) cleared.add(column);
			if (required)
				told[column === PHONE ? 'number' : 'name'] = stringOf(ready instanceof InvalidValue ? value : ready);
			const member = profileMember(column);
			if (ready instanceof InvalidValue) {
				const done = required || invalid === 'skipRow' ? 'row skipped' : 'value skipped';
				const problem = `${displayName} ${ready.message}`;
				row.findings.push({ column: displayName, problem, hint: ready.hint, done });
				if (done === 'row skipped') row.left = 'not imported';
			} else if (member === undefined) customer[column.target.name] = ready as string;
			else profile[member] = ready as IDataObject[string];
		}
		customer.profile = profile;
		row.fails = invalid === 'fail' && row.findings.length > 0;
		rows.push(isOfNobody ? { ...row, findings: [], fails: false, left: 'empty' } : row);
		const unknown = taken && !isOfNobody ? filled.filter((name) => !taken.has(name)) : [];
		for (const name of unknown) unmapped.names.add(name);
		if (unknown.length > 0) unmapped.rows++;
	});
	const absent = [PHONE, NAME, ...cleared].find((column) => !given.has(column));
	if (absent) throw noColumn(context, absent);
	return { labels: memberNames(mapped), unmapped };
}

/**
 * Returns one row of each phone number, in whatever writing, according to *Repeated Phone Numbers*. Each other row gets a finding.
 */
export function onePerNumber(rows: ImportRow[], repeated: ValueOf<typeof repeatedNumbers>): ImportRow[] {
	const kept = new Map<string, ImportRow>();
	for (const row of rows) {
		if (row.left) continue;
		const [person] = spellingsOf(stringOf(row.value.display_id)).sort();
		const before = kept.get(person);
		const [loser, winner] = repeated === 'first' && before ? [row, before] : [before, row];
		if (loser) {
			const column = PHONE.parameter.displayName;
			const problem = `${column} ${stringOf(loser.value.display_id)} is also that of row ${winner.row}`;
			loser.findings.push({ column, problem, hint: '', done: 'row skipped' });
			loser.left = 'skipped';
			loser.fails = repeated === 'fail';
		}
		if (loser === row) continue;
		// Deleting first moves the winning row to its own position in the order.
		if (before) kept.delete(person);
		kept.set(person, row);
	}
	return [...kept.values()];
}

export const hasTags = ({ value }: ImportRow) => stringOf(ownMember(value.profile, 'tags')) !== '';

const MAX_FINDINGS = 10;

/** Fails the import with the first findings before a request is sent, if rows say so. */
export function failOn(context: IExecuteFunctions, rows: ImportRow[]): void {
	const failed = rows.filter(({ fails }) => fails);
	if (failed.length === 0) return;
	const findings = failed.flatMap(({ row, findings: ofRow }) =>
		ofRow.map(({ problem }) => `Row ${row}: ${problem}`),
	);
	const count = findings.length;
	const lines = findings.slice(0, MAX_FINDINGS);
	if (count > MAX_FINDINGS) lines.push(`… and ${count - MAX_FINDINGS} more`);
	lines.push('Correct them, or choose in Invalid Values or Repeated Phone Numbers what to leave out.');
	throw new NodeOperationError(
		context.getNode(),
		`${count} ${count === 1 ? 'value' : 'values'} cannot be imported; nothing was sent`,
		{ itemIndex: failed[0].item, description: lines.join('\n') },
	);
}
