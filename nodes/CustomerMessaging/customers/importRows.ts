import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type Mapping, mappedPath } from '../fields/mapping';
import { type BatchRow, firstIndexOf } from '../core/batches';
import { fieldReader, LEFT_TO_N8N } from '../core/itemContext';
import { memberNames } from '../core/field';
import type { Item, ValueOf } from '../core/item';
import { InvalidValue, orInvalid } from '../values/parse';
import { isObject, ownMember } from '../values/json';
import { spellingsOf } from '../values/phoneNumber';
import { emptyValue, isBlank, quote, stringOf } from '../values/text';
import {
	automaticReader,
	cellOf,
	type ImportColumn,
	importColumns,
	isNothing,
	mappedColumns,
	profileMember,
} from './importColumns';
import {
	ambiguousDates,
	columns,
	emptyCells,
	type importFields,
	invalidValues,
	type repeatedNumbers,
	separator,
} from './importFields';

const [PHONE, NAME] = importColumns;

interface Finding {
	line: number;
	column: string;
	problem: string;
	done: 'row skipped' | 'value skipped';
}

export interface Outcome {
	result: 'created or updated' | 'imported or skipped' | 'not imported' | 'skipped' | 'unknown';
	reason?: string;
}

export interface ImportRow extends BatchRow<IDataObject> {
	/** The line of the row in a file whose first line has the names of the columns. */
	line: number;
	/** The name and the number that go out, or else those of the item. */
	told: { name: unknown; number: unknown };
	findings: Finding[];
	outcome?: Outcome;
	/** An empty row is none: it comes out nowhere. */
	left?: 'empty' | 'not imported' | 'skipped';
	/** Whether nothing is sent because of its findings. */
	fails: boolean;
}

/** A column with the function that reads it from an item. The function returns undefined for an item without the field. */
type ReadColumn = [ImportColumn, (item: INodeExecutionData, index: number) => unknown];

/**
 * Makes a reader for each mapped column, and for those that no row can do without. n8n would take many seconds to
 * evaluate 10,000 rows of ten columns: what only names a field is read from the item, and a fixed value is never evaluated.
 */
function readersOf(
	context: IExecuteFunctions,
	mapping: Mapping,
	mapped: ImportColumn[],
	automatic?: ReturnType<typeof automaticReader>,
): ReadColumn[] {
	if (automatic) return mapped.map((column) => [column, ({ json }) => automatic.read(json, column)]);
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
export const quoted = (names: Set<string>) => Array.from(names, (name) => `"${quote(name)}"`).join(', ');

function noColumn(context: IExecuteFunctions, message: string, remedy: string): NodeOperationError {
	const names = new Set(context.getInputData().flatMap(({ json }) => Object.keys(json)));
	const seen = names.size > 0 ? `the fields ${quoted(names)}` : 'no fields';
	const description = `The input has ${seen}. ${remedy}`;
	return new NodeOperationError(context.getNode(), message, { description });
}

export function rowReader(context: IExecuteFunctions, first: Item<(typeof importFields)[number]>) {
	// The mapping as the workflow stores it, with its expressions.
	const stored: unknown = context.getNode().parameters[columns.path];
	const mapping: Mapping = isObject(stored) ? stored : {};
	const mapped = mappedColumns(mapping);
	const isAutomatic = mapping.mappingMode === 'autoMapInputData';
	const automatic = isAutomatic ? automaticReader(mapped) : undefined;
	const readers = readersOf(context, mapping, mapped, automatic);
	const unmapped = { rows: 0, names: new Set<string>() };
	const invalid = first.get(invalidValues);
	const clears = first.get(emptyCells) === 'clear';
	const reading = {
		timeZone: context.getTimezone(),
		countryCode: first.api.countryCode,
		ambiguousDates: first.get(ambiguousDates),
		separator: first.get(separator) || undefined,
	};
	const firstLine = firstIndexOf(context) + 2;
	/** The columns that an item has, even if they are empty, and those that are cleared where an item does not have them. */
	const given = new Set<ImportColumn>();
	const cleared = new Set<ImportColumn>();
	return {
		labels: memberNames(mapped),

		/** The fields of *Map Automatically* that no column takes, and how many items have any. */
		unmapped,

		/** Reads an item as a customer, with a finding for each problem. */
		read(item: INodeExecutionData, index: number): ImportRow {
			const profile: IDataObject = {};
			const customer: IDataObject = { channel: 'chatapp' };
			const row: ImportRow = {
				item: index,
				line: firstLine + index,
				value: customer,
				told: { name: null, number: null },
				findings: [],
				fails: false,
			};
			// n8n's Google Sheets node numbers empty rows too.
			let isOfNobody = Object.keys(item.json).every(
				(key) => key === 'row_number' || isNothing(item.json[key]),
			);
			for (const [column, readCell] of readers) {
				const { parse, isClearable = false, target } = column;
				const { required = false, displayName } = column.parameter;
				const value = cellOf(readCell(item, index));
				if (value !== undefined) given.add(column);
				if (required && !isBlank(value)) isOfNobody = false;
				let ready = isBlank(value) ? value : orInvalid(() => parse(value, reading));
				// A list of tags can be empty too.
				if (isBlank(ready)) {
					const isCleared = clears && !(isAutomatic && value === undefined);
					const empty = isBlank(value) ? value : undefined;
					ready = required ? emptyValue() : isCleared && isClearable ? parse(empty) : undefined;
				}
				if (ready === undefined) continue;
				if (value === undefined && !required) cleared.add(column);
				if (ready instanceof InvalidValue) {
					const done = required || invalid === 'skipRow' ? 'row skipped' : 'value skipped';
					const problem = `${displayName} ${ready.message}`;
					row.findings.push({ line: row.line, column: displayName, problem, done });
					if (done === 'row skipped') row.left = 'not imported';
				} else {
					const member = profileMember(column);
					(member === undefined ? customer : profile)[member ?? target.name] = ready as IDataObject[string];
				}
				if (required) {
					const told = ready instanceof InvalidValue ? value : ready;
					const isPlain = typeof told === 'string' || typeof told === 'number';
					row.told[column === PHONE ? 'number' : 'name'] = isPlain ? told : null;
				}
			}
			if (isOfNobody) return { ...row, findings: [], left: 'empty' };
			const unknown = automatic?.unused(item.json) ?? [];
			for (const name of unknown) unmapped.names.add(name);
			if (unknown.length > 0) unmapped.rows++;
			customer.profile = profile;
			row.fails = invalid === 'fail' && row.findings.length > 0;
			return row;
		},

		/**
		 * Fails an import for which a mapping is to blame and not the rows: no item has the column of the phone numbers or
		 * of the names, or one that would be cleared for everybody. An empty cell is one row's problem.
		 */
		requireColumns(): void {
			if (!given.has(PHONE))
				throw noColumn(
					context,
					'No item has a phone number; nothing was sent',
					'Map the one with the number to Phone Number in Columns; Map Automatically knows it as phone, mobile or displayId.',
				);
			if (!given.has(NAME))
				throw noColumn(
					context,
					'No item has a name; nothing was sent',
					'Map the one with the name to Name in Columns, for first and last name by an expression; Map Automatically knows it as name or fullName.',
				);
			const absent = [...cleared].find((column) => !given.has(column));
			if (absent)
				throw noColumn(
					context,
					`No item has the field of ${absent.parameter.displayName}; nothing was sent`,
					`Empty Cells on Clear would clear it for everybody. Map the right field to ${absent.parameter.displayName} in Columns, or remove the column.`,
				);
		},
	};
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
			const problem = `${column} ${stringOf(loser.value.display_id)} is also that of line ${winner.line}`;
			loser.findings.push({ line: loser.line, column, problem, done: 'row skipped' });
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

export const hasTags = ({ value: { profile } }: ImportRow) =>
	stringOf(isObject(profile) ? profile.tags : undefined) !== '';

const MAX_FINDINGS = 10;

/** Fails the import with the first findings before a request is sent, if rows say so. */
export function failOn(context: IExecuteFunctions, rows: ImportRow[]): void {
	const failed = rows.filter(({ fails }) => fails);
	if (failed.length === 0) return;
	const findings = failed.flatMap((row) => row.findings);
	const count = findings.length;
	const lines = findings.slice(0, MAX_FINDINGS).map(({ line, problem }) => `Line ${line}: ${problem}`);
	if (count > MAX_FINDINGS) lines.push(`… and ${count - MAX_FINDINGS} more`);
	lines.push('Correct them, or choose in Invalid Values or Repeated Phone Numbers what to leave out.');
	throw new NodeOperationError(
		context.getNode(),
		`${count} ${count === 1 ? 'value' : 'values'} cannot be imported; nothing was sent`,
		{ itemIndex: failed[0].item, description: lines.join('\n') },
	);
}
