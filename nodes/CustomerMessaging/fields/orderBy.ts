import { queryField } from '../runner/field';
import { oneOf } from '../values/choices';
import { column, filled, rowsBy, whenConverted } from '../values/columns';
import { type Conversion, ValueProblem } from '../values/conversion';
import { trimmedText } from '../values/text';

/** Converts the name of one field to sort by. An empty text means that the user left the row empty. */
const sortField: Conversion<string> = (value) =>
	value === ''
		? value
		: whenConverted(filled(trimmedText)(value), (name) =>
				/[:,]/.test(name)
					? new ValueProblem(`"${name}" is not one name`, 'Add a row for each field to sort by.')
					: name,
			);

const columns = [
	column(sortField, {
		displayName: 'Field Name or ID',
		name: 'field',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getSortFields' },
		default: '',
		description:
			'The field to sort by. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
	column(oneOf('asc', 'desc'), {
		displayName: 'Direction',
		name: 'direction',
		type: 'options',
		options: [
			{ name: 'Ascending', value: 'asc' },
			{ name: 'Descending', value: 'desc' },
		],
		default: 'asc',
		description: 'Whether the smallest or the largest comes first',
	}),
] as const;

const rows = rowsBy('sort', columns);

/** Makes the sort order in the format of the interface: `field:direction`, separated by commas. */
const sortOrder: Conversion<string> = (value) =>
	whenConverted(rows(value), (given) =>
		given
			.filter(({ field }) => field !== '')
			.map(({ field, direction }) => `${field}:${direction}`)
			.join(','),
	);

/** The sort order of a list, by one field or several. */
export const orderBy = queryField('order_by', sortOrder, {
	displayName: 'Order By',
	name: 'orderBy',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Field',
	default: {},
	description: 'The fields to sort by, the most important first',
	options: [{ displayName: 'Field', name: 'sort', values: columns.map(({ parameter }) => parameter) }],
});
