import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { preSend } from '../transport/preSend';

/** Pre-send that writes the sort order as the interface takes it: `field:direction`, separated by commas. */
const orderByPreSend = preSend((context, options) => {
	const rows = context.getNodeParameter('filters.orderBy.sort', []) as IDataObject[];
	const order = rows
		.filter(({ field }) => String(field ?? '').trim() !== '')
		.map(({ field, direction }) => `${String(field).trim()}:${direction === 'desc' ? 'desc' : 'asc'}`);
	return order.length === 0 ? options : { ...options, qs: { ...options.qs, order_by: order.join(',') } };
});

/** The order of a list, by one field or several. */
export const orderBy: INodeProperties = {
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
	routing: { send: { preSend: [orderByPreSend] } },
};
