import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { mediaLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';

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
		options: [
			{
				displayName: 'Description',
				name: 'description',
				type: 'string',
				default: '',
				placeholder: 'e.g. Header of shipping messages',
				description: 'What the file shows, for people',
				routing: { send: { type: 'body', property: 'description' } },
			},
			{
				displayName: 'File Name',
				name: 'filename',
				type: 'string',
				default: '',
				placeholder: 'e.g. parcel.jpg',
				description: 'The technical name of the file',
				routing: { send: { type: 'body', property: 'filename' } },
			},
			{
				displayName: 'Title',
				name: 'title',
				type: 'string',
				default: '',
				placeholder: 'e.g. Parcel',
				description: 'The title of the file, for people',
				routing: { send: { type: 'body', property: 'title' } },
			},
		],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['media'], operation: ['update'] } },
	properties,
);
