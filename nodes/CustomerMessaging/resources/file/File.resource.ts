import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../runner/declare';
import { download } from './download.operation';
import { getTemporaryUrl } from './getTemporaryUrl.operation';
import { upload } from './upload.operation';

/** The operations by the name that workflows store. */
export const operations = { download, getTemporaryUrl, upload };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['file'] } },
		options: [
			{
				name: 'Download',
				value: 'download',
				action: 'Download file',
				description: 'Download an uploaded file into a binary field',
				routing: download.routing,
			},
			{
				name: 'Get Temporary URL',
				value: 'getTemporaryUrl',
				action: 'Get temporary URL of file',
				description: 'Get a URL under which a private file can be opened for seven days',
				routing: getTemporaryUrl.routing,
			},
			{
				name: 'Upload',
				value: 'upload',
				action: 'Upload file',
				description: 'Upload a file from a binary field; it is kept for at most 90 days',
				routing: upload.routing,
			},
		],
		default: 'upload',
	},
	...shownFor('file', operations),
];
