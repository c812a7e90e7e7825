import type { INodeProperties } from 'n8n-workflow';

import * as upload from './upload.operation';

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['file'] } },
		options: [
			{
				name: 'Upload',
				value: 'upload',
				action: 'Upload a file',
				description: 'Upload a file from a binary field; it is kept for at most 90 days',
				routing: upload.routing,
			},
		],
		default: 'upload',
	},
	...upload.description,
];
