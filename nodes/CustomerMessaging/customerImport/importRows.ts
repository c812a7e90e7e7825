import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type Mapping, mappedPath } from '../fields/mapping';
import { type BatchRow, firstIndexOf } from '../runner/batches';
import { fieldReader, LEFT_TO_N8N } from '../runner/fieldExpression';
import type { Read, ValueOf } from '../runner/operation';
import { ValueProblem } from '../values/conversion';
import { isObject, ownMember } from '../values/json';
import { writingsOf } from '../values/phoneNumber';
import { EMPTY, isBlank, shown, stringOf } from '../values/text';
import { automaticReader, type ImportColumn, importColumns, mappedColumns } from './customerColumns';
import {
	ambiguousDates,
	columns,
	duplicates,
	emptyCells,
	type importFields,
	invalidValues,
	outputMode,
	repeatedNumbers,
	separator,
} from './importFields';

const [PHONE] = importColumns;

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
	settings: {
		existing: ValueOf<typeof duplicates>;
		output: ValueOf<typeof outputMode>;
		repeated: ValueOf<typeof repeatedNumbers>;
	};
	findings: Finding[];
	outcome?: Outcome;
	left?: 'not imported' | 'skipped';
	/** Whether the item of the row says that nothing is sent because of its findings. */
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
		const value = ownMember(mapping.value ?? {}, column.id) ?? '';
		if (value === '') return column.required ? [[column, () => undefined]] : [];
		const read = fieldReader(value);
		const path = mappedPath(columns.path, column.id);
		const readCell: ReadColumn[1] = ({ json }, index) => {
			const found = read(json);
			return found === LEFT_TO_N8N ? context.getNodeParameter(path, index, undefined) : found;
		};
		return [[column, readCell]];
	});
}

const MAX_NAMED = 20;

/** Returns the first names of fields, for people. */
export function quoted(names: Set<string>): string {
	const named = [...names].slice(0, MAX_NAMED).map((name) => `"${shown(name)}"`);
	const more = names.size > named.length ? [`${names.size - named.length} more`] : [];
	return [...named, ...more].join(', ');
}

function noColumn(context: IExecuteFunctions, message: string, remedy: string): NodeOperationError {
	const names = new Set(context.getInputData().flatMap(({ json }) => Object.keys(json)));
	const seen = names.size > 0 ? `the fields ${quoted(names)}` : 'no fields';
	const description = `The input has ${seen}. ${remedy}`;
	return new NodeOperationError(context.getNode(), message, { description });
}

export function rowReader(context: IExecuteFunctions) {
	// The mapping as the workflow stores it, with its expressions.
	const stored: unknown = context.getNode().parameters[columns.path];
	const mapping: Mapping = isObject(stored) ? stored : {};
	const mapped = mappedColumns(mapping);
	const isAutomatic = mapping.mappingMode === 'autoMapInputData';
	const automatic = isAutomatic ? automaticReader(mapped) : undefined;
	const readers = readersOf(context, mapping, mapped, automatic);
	const unmapped = { rows: 0, names: new Set<string>() };
	const timeZone = context.getTimezone();
	const firstLine = firstIndexOf(context) + 2;
	/** The columns that an item has, even if they are empty, and those that are cleared where an item does not have them. */
	const given = new Set<ImportColumn>();
	const cleared = new Set<ImportColumn>();
	const settingsOf = (read: Read<(typeof importFields)[number]>) => ({
		invalid: read(invalidValues),
		clears: read(emptyCells) === 'clear',
		reading: { timeZone, ambiguousDates: read(ambiguousDates), separator: read(separator) || undefined },
		ofRow: { existing: read(duplicates), output: read(outputMode), repeated: read(repeatedNumbers) },
	});
	/** The settings of the item before, and what read them: one item after another has the same ones. */
	let last: { read: unknown; settings: ReturnType<typeof settingsOf> } | undefined;
	return {
		labels: Object.fromEntries(mapped.map(({ property, displayName }) => [property, displayName])),

		/** The fields of *Map Automatically* that no column takes, and how many items have any. */
		unmapped,

		/** Reads an item as a customer, with a finding for each problem. */
		read(item: INodeExecutionData, index: number, read: Read<(typeof importFields)[number]>): ImportRow {
			const profile: IDataObject = {};
			const customer: IDataObject = { channel: 'chatapp' };
			if (!last || last.read !== read) last = { read, settings: settingsOf(read) };
			const { invalid, clears, reading, ofRow } = last.settings;
			const row: ImportRow = {
				item: index,
				line: firstLine + index,
				value: customer,
				told: { name: null, number: null },
				settings: ofRow,
				findings: [],
				fails: false,
			};
			for (const [column, readCell] of readers) {
				const { property, inProfile, required, clear, convert, displayName } = column;
				const value = readCell(item, index);
				if (value !== undefined) given.add(column);
				let ready: unknown;
				if (!isBlank(value)) ready = value instanceof ValueProblem ? value : convert(value, reading);
				else if (required) ready = EMPTY;
				else if (clears && !(isAutomatic && value === undefined)) ready = clear?.(value);
				if (ready === undefined) continue;
				if (value === undefined && !required) cleared.add(column);
				if (ready instanceof ValueProblem) {
					const done = required || invalid === 'skipRow' ? 'row skipped' : 'value skipped';
					const problem = `${displayName} ${ready.problem}`;
					row.findings.push({ line: row.line, column: displayName, problem, done });
					if (done === 'row skipped') row.left = 'not imported';
				} else (inProfile ? profile : customer)[property] = ready as IDataObject[string];
				if (required) {
					const told = ready instanceof ValueProblem ? value : ready;
					const isPlain = typeof told === 'string' || typeof told === 'number';
					row.told[column === PHONE ? 'number' : 'name'] = isPlain ? told : null;
				}
			}
			const unknown = automatic?.unused(item.json) ?? [];
			for (const name of unknown) unmapped.names.add(name);
			if (unknown.length > 0) unmapped.rows++;
			customer.profile = profile;
			row.fails = invalid === 'fail' && row.findings.length > 0;
			return row;
		},

		/**
		 * Fails an import for which a mapping is to blame and not the rows: no item has the column of the phone numbers, or
		 * one that would be cleared for everybody. An empty cell is one row's problem.
		 */
		requireColumns(): void {
			if (!given.has(PHONE))
				throw noColumn(
					context,
					'No item has a phone number; nothing was sent',
					'Map the one with the number to Phone Number in Columns; Map Automatically knows it as phone, mobile or displayId.',
				);
			const absent = [...cleared].find((column) => !given.has(column));
			if (absent)
				throw noColumn(
					context,
					`No item has the field of ${absent.displayName}; nothing was sent`,
					`Empty Cells on Clear would clear it for everybody. Map the right field to ${absent.displayName} in Columns, or remove the column.`,
				);
		},
	};
}

/**
 * Returns one row of each phone number, in whatever writing, according to *Repeated Phone Numbers* of the later of two
 * rows. Each other row gets a finding, and fails the import where the later row says so.
 */
export function onePerNumber(rows: ImportRow[]): ImportRow[] {
	const kept = new Map<string, ImportRow>();
	for (const row of rows) {
		if (row.left) continue;
		const [person] = writingsOf(stringOf(row.value.display_id)).sort();
		const before = kept.get(person);
		const [loser, winner] = row.settings.repeated === 'first' && before ? [row, before] : [before, row];
		if (loser) {
			const column = PHONE.displayName;
			const problem = `${column} ${stringOf(loser.value.display_id)} is also that of line ${winner.line}`;
			loser.findings.push({ line: loser.line, column, problem, done: 'row skipped' });
			loser.left = 'skipped';
			loser.fails = row.settings.repeated === 'fail';
		}
		if (loser === row) continue;
		// Deleting first moves the winning row to its own position in the order.
		if (before) kept.delete(person);
		kept.set(person, row);
	}
	return [...kept.values()];
}

export const tagsOf = (rows: ImportRow[]): string[] =>
	rows.flatMap(({ value: { profile } }) =>
		stringOf(isObject(profile) ? profile.tags : undefined)
			.toLowerCase()
			.split(','),
	);

/** The members of a profile by which a tenant may know a person. The phone number comes only once in all rows. */
const IDENTIFYING = /^email$|(^|_)id$/;

/** Returns what rows share with those of another request that may not be under way: a person, or a tag that both create. */
export function touchedBy(rows: ImportRow[], tags: Set<string>): Set<string> {
	const touched = new Set<string>();
	for (const { value } of rows) {
		for (const [name, member] of Object.entries(isObject(value.profile) ? value.profile : {})) {
			const known = IDENTIFYING.test(name) ? stringOf(member).toLowerCase() : '';
			if (known !== '') touched.add(`${name} ${known}`);
		}
	}
	for (const title of tagsOf(rows)) if (title !== '' && !tags.has(title)) touched.add(`tag ${title}`);
	return touched;
}

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
