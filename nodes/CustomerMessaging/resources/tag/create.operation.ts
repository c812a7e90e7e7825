import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/tags' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [
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
	{ show: { resource: ['tag'], operation: ['create'] } },
	properties,
);
