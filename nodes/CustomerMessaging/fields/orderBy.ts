import { queryField } from '../runner/field';
import type { Conversion } from '../values/conversion';
import { isObject, objectsOf } from '../values/json';

/** Makes the sort order in the format of the interface: `field:direction`, separated by commas. */
const sortOrder: Conversion<string> = (value) =>
	objectsOf(isObject(value) ? value.sort : undefined)
		.filter(({ field }) => String(field ?? '').trim() !== '')
		.map(({ field, direction }) => `${String(field).trim()}:${direction === 'desc' ? 'desc' : 'asc'}`)
		.join(',');

/** The sort order of a list, by one field or several. */
export const orderBy = queryField('order_by', sortOrder, {
	displayName: 'Order By',
	name: 'orderBy',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Field',
	default: {},
	description: 'The fields to sort by, the most important first',
	options: [
		{
			displayName: 'Field',
			name: 'sort',
			values: [
				{
					displayName: 'Field',
					name: 'field',
					type: 'string',
					default: '',
					placeholder: 'e.g. name',
					description: 'The field to sort by, as the service names it',
				},
				{
					displayName: 'Direction',
					name: 'direction',
					type: 'options',
					options: [
						{ name: 'Ascending', value: 'asc' },
						{ name: 'Descending', value: 'desc' },
					],
					default: 'asc',
					description: 'Whether the smallest or the largest comes first',
				},
			],
		},
	],
});
