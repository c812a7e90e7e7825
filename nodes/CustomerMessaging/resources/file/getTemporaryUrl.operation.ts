import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/files/{fileUuid}/temporary-url' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [
	{
		displayName: 'File UUID',
		name: 'fileUuid',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90',
		description: 'The internal UUID that the upload gave',
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['file'], operation: ['getTemporaryUrl'] } },
	properties,
);
