import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type Conversion, type Reading, ValueProblem, whenConverted } from './conversion';
import { isObject, ownMember } from './json';
import { type NamedParameter, parameterFor } from './parameter';
import { isBlank } from './text';

export { whenConverted };

/** A parameter in the rows of a fixed collection, with the conversion of its values. */
export interface Column<Name extends string = string, Value = unknown> {
	parameter: INodeProperties & { name: Name };
	convert: Conversion<Value>;
}

export type Row<Columns extends readonly Column[]> = {
	[One in Columns[number] as One['parameter']['name']]: One extends Column<string, infer Value>
		? Value
		: never;
};

export function column<const Name extends string, Value>(
	convert: Conversion<Value>,
	parameter: NamedParameter<Name>,
): Column<Name, Value> {
	const { name } = parameter;
	return { parameter: { ...parameterFor(name, parameter), name }, convert };
}

export const rowsWith = (displayName: string, name: string, columns: readonly Column[]) => [
	{ displayName, name, values: columns.map(({ parameter }) => parameter) },
];

/** Returns the parts of a parameter for an option with one row of values. */
export const oneRow = (columns: readonly Column[]) => ({
	type: 'fixedCollection' as const,
	default: { values: {} },
	options: rowsWith('Values', 'values', columns),
});

/** Returns the parts of a parameter for several rows of one kind. */
export const manyRows = (
	displayName: string,
	name: string,
	columns: readonly Column[],
	sortable = false,
) => ({
	type: 'fixedCollection' as const,
	typeOptions: { multipleValues: true, ...(sortable && { sortable }) },
	placeholder: `Add ${displayName}`,
	options: rowsWith(displayName, name, columns),
});

const EMPTY = new ValueProblem(
	'is empty',
	'Enter a value, or remove the row. If the value comes from an expression, check that the item has that field.',
);

export function filled<Value>(convert: Conversion<Value>): Conversion<Value> {
	return (value, reading) => (isBlank(value) ? EMPTY : convert(value, reading));
}

/** Converts a row by its columns, or by the defaults of their parameters. The error message names the place. */
export function rowBy<const Columns extends readonly Column[]>(
	columns: Columns,
	row: IDataObject,
	place = '',
	reading?: Reading,
): Row<Columns> | ValueProblem {
	const values: Array<[string, unknown]> = [];
	for (const { parameter, convert } of columns) {
		const { name, displayName, default: usual } = parameter;
		const value = convert(Object.hasOwn(row, name) ? row[name] : usual, reading);
		if (value instanceof ValueProblem)
			return new ValueProblem(`(${displayName}${place}) ${value.problem}`, value.remedy);
		values.push([name, value]);
	}
	return Object.fromEntries(values) as Row<Columns>;
}

/** Makes a conversion of a fixed collection that has one row, in `values`. */
export const onlyRow =
	<const Columns extends readonly Column[]>(columns: Columns): Conversion<Row<Columns>> =>
	(value, reading) => {
		const row = ownMember(value, 'values');
		return rowBy(columns, isObject(row) ? row : {}, '', reading);
	};

/** Makes a conversion of the only kind of row in a fixed collection. An undefined row is left out. */
function rowsOf<Converted>(
	name: string,
	convertRow: (row: IDataObject, place: string) => Converted | ValueProblem | undefined,
): Conversion<Converted[]> {
	return (value) => {
		const given = isObject(value) ? (value[name] ?? []) : undefined;
		const rows: unknown[] = Array.isArray(given) ? given : [given];
		if (!rows.every(isObject))
			return new ValueProblem('is not a list of rows', 'Add the rows in the editor, one by one.');
		const converted: Converted[] = [];
		for (const [index, one] of rows.entries()) {
			const row = convertRow(one, Array.isArray(given) ? `, row ${index + 1}` : '');
			if (row instanceof ValueProblem) return row;
			if (row !== undefined) converted.push(row);
		}
		return converted;
	};
}

/** Makes a conversion of the rows of a fixed collection. A problem names the column and the row. */
export const rowsBy = <const Columns extends readonly Column[]>(
	name: string,
	columns: Columns,
	isIgnored: (row: IDataObject) => boolean = () => false,
): Conversion<Array<Row<Columns>>> =>
	rowsOf(name, (row, place) => (isIgnored(row) ? undefined : rowBy(columns, row, place)));

/** A converted row of texts. Its type decides which texts it has. */
export type TypedRow<Type extends string = string> = Partial<Record<string, string>> & { type: Type };

/** Makes a conversion of rows whose type decides which other columns count: those that the editor shows for it. */
export const rowsByType = <Type extends string>(
	name: string,
	type: Column<'type', Type>,
	others: ReadonlyArray<Column<string, string>>,
): Conversion<Array<TypedRow<Type>>> =>
	rowsOf(name, (row, place) =>
		whenConverted(rowBy([type], row, place), (typed) => {
			const counting = others.filter(({ parameter: { displayOptions } }) =>
				displayOptions?.show?.type?.includes(typed.type),
			);
			return whenConverted(rowBy(counting, row, place), (texts) => ({ ...texts, ...typed }));
		}),
	);

/** Returns the first value that occurs twice; undefined if there is none. */
export function repeatedOf<Value>(values: Value[]): Value | undefined {
	const seen = new Set<Value>();
	return values.find((value) => seen.size === seen.add(value).size);
}
