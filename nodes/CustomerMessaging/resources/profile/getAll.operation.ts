import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { channelFilter } from '../../shared/channel';
import { listParameters } from '../../shared/listParameters';
import { orderBy } from '../../shared/orderBy';
import { listPostReceive, simpleProfilePostReceive, simplify } from '../../shared/outputs';
import { sendPages } from '../../transport/pages';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/profiles' },
	output: { postReceive: [listPostReceive, simpleProfilePostReceive] },
	operations: { pagination: sendPages('per_page') },
};

const properties: INodeProperties[] = [
	...listParameters,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			channelFilter,
			orderBy,
			{
				displayName: 'Search',
				name: 'search',
				type: 'string',
				default: '',
				placeholder: 'e.g. Nathan Smith',
				description: 'Text to search the profiles for',
				routing: { send: { type: 'query', property: 'search' } },
			},
		],
	},
	simplify,
];

export const description = updateDisplayOptions(
	{ show: { resource: ['profile'], operation: ['getAll'] } },
	properties,
);
