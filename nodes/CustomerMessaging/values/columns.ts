import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type Conversion, ValueProblem } from './conversion';
import { isObject } from './json';
import { isBlank } from './text';

/** A parameter in the rows of a fixed collection, with the conversion of its values. */
export interface Column<Name extends string = string, Value = unknown> {
	parameter: INodeProperties & { name: Name };
	convert: Conversion<Value>;
}

/** A converted row: the value of each column by the column's name. */
export type Row<Columns extends readonly Column[]> = {
	[One in Columns[number] as One['parameter']['name']]: One extends Column<string, infer Value>
		? Value
		: never;
};

/** Makes a column. */
export function column<const Name extends string, Value>(
	convert: Conversion<Value>,
	parameter: INodeProperties & { name: Name },
): Column<Name, Value> {
	return { parameter, convert };
}

const EMPTY = new ValueProblem(
	'is empty',
	'Enter a value, or remove the row. If the value comes from an expression, check that the item has that field.',
);

/** Makes a conversion that rejects a missing or blank value. */
export function filled<Value>(convert: Conversion<Value>): Conversion<Value> {
	return (value) => (isBlank(value) ? EMPTY : convert(value));
}

/** Applies a function to a converted value. A problem stays the same. */
export function whenConverted<Value, Result>(
	value: Value | ValueProblem,
	make: (value: Value) => Result | ValueProblem,
): Result | ValueProblem {
	return value instanceof ValueProblem ? value : make(value);
}

/**
 * Converts a row by its columns. A value that the row does not have is the default of its parameter.
 *
 * @param place where the row is, for the error message
 */
export function rowBy<const Columns extends readonly Column[]>(
	columns: Columns,
	row: IDataObject,
	place = '',
): Row<Columns> | ValueProblem {
	const values: Array<[string, unknown]> = [];
	for (const { parameter, convert } of columns) {
		const { name, displayName, default: usual } = parameter;
		const value = convert(Object.hasOwn(row, name) ? row[name] : usual);
		if (value instanceof ValueProblem)
			return new ValueProblem(`(${displayName}${place}) ${value.problem}`, value.remedy);
		values.push([name, value]);
	}
	return Object.fromEntries(values) as Row<Columns>;
}

const NOT_ROWS = new ValueProblem('is not a list of rows', 'Add the rows in the editor, one by one.');

/** Returns the unconverted rows of a fixed collection. */
function givenRows(collection: unknown, name: string): IDataObject[] | ValueProblem {
	if (!isObject(collection)) return NOT_ROWS;
	const rows = collection[name] ?? [];
	const list: unknown[] = Array.isArray(rows) ? rows : [rows];
	return list.every(isObject) ? list : NOT_ROWS;
}

/**
 * Makes a conversion of the rows of a fixed collection. A problem names the column and the row.
 *
 * @param name name of the only kind of row
 * @param isIgnored whether a row is left out, because the user has not filled it in
 */
export function rowsBy<const Columns extends readonly Column[]>(
	name: string,
	columns: Columns,
	isIgnored: (row: IDataObject) => boolean = () => false,
): Conversion<Array<Row<Columns>>> {
	return (value) =>
		whenConverted(givenRows(value, name), (rows) => {
			const converted: Array<Row<Columns>> = [];
			for (const [index, given] of rows.entries()) {
				if (isIgnored(given)) continue;
				const row = rowBy(columns, given, `, row ${index + 1}`);
				if (row instanceof ValueProblem) return row;
				converted.push(row);
			}
			return converted;
		});
}

/** A converted row of texts. Its type decides which texts it has. */
export type TypedRow = Partial<Record<string, string>> & { type: string };

/**
 * Makes a conversion of rows whose type decides which other columns count. A problem names the column and the row.
 *
 * @param name name of the only kind of row
 * @param type the column of the type
 * @param others the other columns by type
 */
export function rowsByType<Type extends string>(
	name: string,
	type: Column<'type', Type>,
	others: Record<Type, ReadonlyArray<Column<string, string>>>,
): Conversion<TypedRow[]> {
	return (value) =>
		whenConverted(givenRows(value, name), (rows) => {
			const converted: TypedRow[] = [];
			for (const [index, given] of rows.entries()) {
				const place = `, row ${index + 1}`;
				const row = whenConverted(rowBy([type], given, place), (typed) =>
					whenConverted(rowBy(others[typed.type], given, place), (texts) => ({ ...texts, ...typed })),
				);
				if (row instanceof ValueProblem) return row;
				converted.push(row);
			}
			return converted;
		});
}

/** Returns the first value that occurs twice; undefined if there is none. */
export function repeatedOf<Value>(values: Value[]): Value | undefined {
	const seen = new Set<Value>();
	return values.find((value) => seen.size === seen.add(value).size);
}
