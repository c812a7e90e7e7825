import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { mediaLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';
import { mediaFields } from './mediaFields';

export const routing: INodePropertyRouting = {
	request: { method: 'PATCH', url: '/media/{mediaId}' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [
	mediaLocator,
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: mediaFields,
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['media'], operation: ['update'] } },
	properties,
);
