import type { IDataObject } from 'n8n-workflow';

import { InvalidValue, nestedIn, type Parse, type Reading } from './parse';
import { isObject, ownMember } from './json';
import { type Setting } from './field';
import { isBlank, quote } from './text';

export type Row<Columns extends readonly Setting[]> = {
	[One in Columns[number] as One['path']]: One extends Setting<string, infer Value> ? Value : never;
};

export const rowsWith = (displayName: string, name: string, columns: readonly Setting[]) => [
	{ displayName, name, values: columns.map(({ parameter }) => parameter) },
];

/** Returns the parts of a parameter for an option with one row of values. */
export const oneRow = (columns: readonly Setting[]) => ({
	type: 'fixedCollection' as const,
	default: { values: {} },
	options: rowsWith('Values', 'values', columns),
});

/** Returns the parts of a parameter for several rows of one kind. */
export const manyRows = (
	displayName: string,
	name: string,
	columns: readonly Setting[],
	sortable = false,
) => ({
	type: 'fixedCollection' as const,
	typeOptions: { multipleValues: true, ...(sortable && { sortable }) },
	placeholder: `Add ${displayName}`,
	options: rowsWith(displayName, name, columns),
});

export function filled<Value>(parse: Parse<Value>): Parse<Value> {
	return (value, reading) => {
		if (!isBlank(value)) return parse(value, reading);
		throw new InvalidValue(
			'is empty',
			'Enter a value, or remove its row or option. If the value comes from an expression, check that the item has that field.',
		);
	};
}

/**
 * Parses a row by its columns, or by the defaults of their parameters. Left out are columns that the editor hides because of the value of
 * an earlier one. The error message names the place.
 */
export function rowBy<const Columns extends readonly Setting[]>(
	columns: Columns,
	row: IDataObject,
	place = '',
	reading?: Reading,
): Row<Columns> {
	const values: Partial<Record<string, unknown>> = {};
	for (const { parameter, parse } of columns) {
		const { name, displayName, default: defaultValue, displayOptions } = parameter;
		const conditions = Object.entries(displayOptions?.show ?? {});
		if (!conditions.every(([other, of]) => of?.some((one) => one === values[other]))) continue;
		const value = Object.hasOwn(row, name) ? row[name] : defaultValue;
		values[name] = nestedIn(`(${displayName}${place})`, () => parse(value, reading));
	}
	return values as Row<Columns>;
}

/** Makes a parser of a fixed collection that has one row, in `values`. */
export const onlyRow =
	<const Columns extends readonly Setting[]>(columns: Columns): Parse<Row<Columns>> =>
	(value, reading) => {
		const row = ownMember(value, 'values');
		return rowBy(columns, isObject(row) ? row : {}, '', reading);
	};

/** Makes a parser of the rows of a fixed collection. An error names the column and the row. */
export const rowsBy =
	<const Columns extends readonly Setting[]>(
		name: string,
		columns: Columns,
		isIgnored: (row: IDataObject) => boolean = () => false,
	): Parse<Array<Row<Columns>>> =>
	(value) => {
		const given = isObject(value) ? (value[name] ?? []) : undefined;
		const rows: unknown[] = Array.isArray(given) ? given : [given];
		if (!rows.every(isObject))
			throw new InvalidValue('is not a list of rows', 'Add the rows in the editor, one by one.');
		return rows.flatMap((row, index) =>
			isIgnored(row) ? [] : rowBy(columns, row, Array.isArray(given) ? `, row ${index + 1}` : ''),
		);
	};

/** Makes a parser of rows, or of other elements, that refuses two with the same key. */
export const distinct =
	<Row>(parse: Parse<Row[]>, keyOf: (row: Row) => number | string): Parse<Row[]> =>
	(value, reading) => {
		const rows = parse(value, reading);
		const keys = new Set<number | string>();
		for (const key of rows.map(keyOf)) {
			if (keys.has(key)) throw new InvalidValue(`has "${quote(key)}" twice`, 'Enter each only once.');
			keys.add(key);
		}
		return rows;
	};
