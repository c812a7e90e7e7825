import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { tagLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'PATCH', url: '/tags/{tagId}' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [
	tagLocator,
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. VIP',
		description: 'The title of the tag',
		routing: { send: { type: 'body', property: 'title' } },
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['tag'], operation: ['update'] } },
	properties,
);
