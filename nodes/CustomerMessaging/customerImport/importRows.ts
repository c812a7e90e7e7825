import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type Mapping, mappedPath } from '../fields/mapping';
import { type BatchRow, firstIndexOf } from '../runner/batches';
import { fieldReader, LEFT_TO_N8N } from '../runner/fieldExpression';
import type { Read, ValueOf } from '../runner/operation';
import { ValueProblem } from '../values/conversion';
import { isObject, ownMember } from '../values/json';
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

/** The column that tells whom a row is about. */
const PHONE = importColumns[0].displayName;

/** A problem of a row that was not imported completely. */
export interface Finding {
	/** See `ImportRow`. */
	line: number;
	column: string;
	problem: string;
	/** What the import did with the row. */
	done: 'row skipped' | 'value skipped';
}

/** What became of a row that went out. */
export interface Outcome {
	result: 'created or updated' | 'imported or skipped' | 'not imported' | 'skipped' | 'unknown';
	reason?: string;
}

/** A customer to import. */
export interface ImportRow extends BatchRow<IDataObject> {
	/** The line of the row in a file whose first line has the names of the columns. */
	line: number;
	/** The name and the number that go out, or else those of the item. */
	told: { name: number | string | null; number: number | string | null };
	/** What the item of the row says about rows like it. */
	settings: {
		existing: ValueOf<typeof duplicates>;
		output: ValueOf<typeof outputMode>;
		repeated: ValueOf<typeof repeatedNumbers>;
	};
	findings: Finding[];
	/** What became of the row, if it went out. */
	outcome?: Outcome;
	/** Why the row does not go out. */
	left?: 'not imported' | 'skipped';
	/** Whether the item of the row says that nothing is sent because of its findings. */
	fails: boolean;
}

/** A column with the function that reads it from an item. The function returns undefined for an item without the field. */
type ReadColumn = [ImportColumn, (item: INodeExecutionData, index: number) => unknown];

/**
 * Makes a reader for each mapped column, and for those that no row can do without.
 *
 * n8n would take many seconds to evaluate 10,000 rows of ten columns. So a mapping that only names a field is read from
 * the item itself, and a fixed value is never evaluated.
 */
function readersOf(context: IExecuteFunctions, mapping: Mapping, mapped: ImportColumn[]): ReadColumn[] {
	if (mapping.mappingMode === 'autoMapInputData') {
		const automatic = automaticReader(mapped);
		return mapped.map((column) => [column, ({ json }) => automatic(json, column)]);
	}
	return mapped.flatMap((column): ReadColumn[] => {
		// n8n stores null for a column that is not mapped.
		const value = ownMember(mapping.value ?? {}, column.id) ?? '';
		if (value === '') return column.required ? [[column, () => undefined]] : [];
		const read = fieldReader(value);
		const path = mappedPath(columns.path, column.id);
		return [
			[
				column,
				({ json }, index) => {
					const found = read(json);
					return found === LEFT_TO_N8N ? context.getNodeParameter(path, index, undefined) : found;
				},
			],
		];
	});
}

/** Maximum number of fields of the input that an error names. */
const MAX_NAMED = 20;

/** Reads items as customers, each by the settings of its own item. */
export class RowReader {
	/** The names of the columns in the editor, by those in the request. */
	readonly labels: Record<string, string>;

	private readonly readers: ReadColumn[];

	private readonly isAutomatic: boolean;

	private readonly timeZone: string;

	/** The line of the first item. */
	private readonly firstLine: number;

	/** The columns that an item has, even if they are empty. */
	private readonly given = new Set<ImportColumn>();

	/** The columns that are cleared because an item does not have them. */
	private readonly cleared = new Set<ImportColumn>();

	constructor(private readonly context: IExecuteFunctions) {
		// The mapping as the workflow stores it, with its expressions.
		const stored: unknown = context.getNode().parameters[columns.path];
		const mapping: Mapping = isObject(stored) ? stored : {};
		const mapped = mappedColumns(mapping);
		this.labels = Object.fromEntries(mapped.map(({ property, displayName }) => [property, displayName]));
		this.readers = readersOf(context, mapping, mapped);
		this.isAutomatic = mapping.mappingMode === 'autoMapInputData';
		this.timeZone = context.getTimezone();
		this.firstLine = firstIndexOf(context) + 2;
	}

	/** Reads an item as a customer, with a finding for each problem. */
	read(item: INodeExecutionData, index: number, read: Read<(typeof importFields)[number]>): ImportRow {
		const customer: IDataObject = { channel: 'chatapp' };
		const profile: IDataObject = {};
		const invalid = read(invalidValues);
		const clears = read(emptyCells) === 'clear';
		const reading = {
			timeZone: this.timeZone,
			ambiguousDates: read(ambiguousDates),
			separator: read(separator) || undefined,
		};
		const row: ImportRow = {
			item: index,
			line: this.firstLine + index,
			value: customer,
			told: { name: null, number: null },
			settings: { existing: read(duplicates), output: read(outputMode), repeated: read(repeatedNumbers) },
			findings: [],
			fails: false,
		};
		for (const [column, readCell] of this.readers) {
			const { property, inProfile, required = false, clear, convert } = column;
			const value = readCell(item, index);
			if (value !== undefined) this.given.add(column);
			const isEmpty = isBlank(value);
			let ready: unknown = EMPTY;
			if (!isEmpty) ready = value instanceof ValueProblem ? value : convert(value, reading);
			else if (!required) {
				if (!clears || (value === undefined && this.isAutomatic)) continue;
				ready = clear?.(value);
				if (ready === undefined) continue;
				if (value === undefined) this.cleared.add(column);
			}
			if (ready instanceof ValueProblem) {
				const done = required || invalid === 'skipRow' ? 'row skipped' : 'value skipped';
				const problem = `${column.displayName} ${ready.problem}`;
				row.findings.push({ line: row.line, column: column.displayName, problem, done });
				if (done === 'row skipped') row.left = 'not imported';
			} else (inProfile ? profile : customer)[property] = ready as IDataObject[string];
			if (required) {
				const told = ready instanceof ValueProblem ? value : ready;
				const isPlain = typeof told === 'string' || typeof told === 'number';
				row.told[column.displayName === PHONE ? 'number' : 'name'] = isPlain ? told : null;
			}
		}
		customer.profile = profile;
		row.fails = invalid === 'fail' && row.findings.length > 0;
		return row;
	}

	/**
	 * Stops an import for which a mapping is to blame and not the rows: no item has the column of the phone numbers, or one
	 * that would be cleared for everybody.
	 *
	 * @throws NodeOperationError with the names of the fields that the input has
	 */
	requireColumns(): void {
		// An empty cell is one row's problem. An absent one comes from a column that does not exist.
		const phone = this.readers.find(([{ displayName }]) => displayName === PHONE)?.[0];
		const absent = [...this.cleared].find((column) => !this.given.has(column));
		if (phone && !this.given.has(phone))
			throw this.noColumn(
				'No item has a phone number; nothing was sent',
				'Map the one with the number to Phone Number in Columns; Map Automatically knows it as phone, mobile or displayId.',
			);
		if (absent)
			throw this.noColumn(
				`No item has the field of ${absent.displayName}; nothing was sent`,
				`Empty Cells on Clear would clear it for everybody. Map the right field to ${absent.displayName} in Columns, or remove the column.`,
			);
	}

	private noColumn(message: string, remedy: string): NodeOperationError {
		const names = [...new Set(this.context.getInputData().flatMap(({ json }) => Object.keys(json)))];
		const named = names.slice(0, MAX_NAMED).map((name) => `"${shown(name)}"`);
		const more = names.length > named.length ? [`${names.length - named.length} more`] : [];
		const seen = names.length > 0 ? `the fields ${[...named, ...more].join(', ')}` : 'no fields';
		return new NodeOperationError(this.context.getNode(), message, {
			description: `The input has ${seen}. ${remedy}`,
		});
	}
}

/**
 * Keeps one row of each phone number, according to *Repeated Phone Numbers* of the later of two rows. Each other row has a
 * finding, and fails the import where the later row says so.
 */
export class RowsByNumber {
	private readonly kept = new Map<unknown, ImportRow>();

	/** The rows that are kept, in their order. */
	get rows(): Iterable<ImportRow> {
		return this.kept.values();
	}

	/** Adds a row that is later than those before. */
	add(row: ImportRow): void {
		const number = row.value.display_id;
		const before = this.kept.get(number);
		const [loser, winner] = row.settings.repeated === 'first' && before ? [row, before] : [before, row];
		if (loser) {
			const problem = `${PHONE} ${stringOf(number)} is also that of line ${winner.line}`;
			loser.findings.push({ line: loser.line, column: PHONE, problem, done: 'row skipped' });
			loser.left = 'skipped';
			loser.fails = row.settings.repeated === 'fail';
		}
		if (winner === row) {
			// Deleting first moves the winning row to its own position in the order.
			this.kept.delete(number);
			this.kept.set(number, row);
		}
	}
}

/** Maximum number of findings that an error names. */
const MAX_FINDINGS = 10;

/**
 * Stops the import before a request is sent, if rows say so.
 *
 * @throws NodeOperationError with the first findings
 */
export function failOn(context: IExecuteFunctions, rows: ImportRow[]): void {
	const failed = rows.filter(({ fails }) => fails);
	if (failed.length === 0) return;
	const findings = failed.flatMap((row) => row.findings);
	const first = findings.slice(0, MAX_FINDINGS).map(({ line, problem }) => `Line ${line}: ${problem}`);
	const more = findings.length > first.length ? [`… and ${findings.length - first.length} more`] : [];
	throw new NodeOperationError(
		context.getNode(),
		`${findings.length} ${findings.length === 1 ? 'value' : 'values'} cannot be imported; nothing was sent`,
		{
			itemIndex: failed[0].item,
			description: [
				...first,
				...more,
				'Correct them, or choose in Invalid Values or Repeated Phone Numbers what to leave out.',
			].join('\n'),
		},
	);
}
