import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { recordPostReceive } from '../../shared/outputs';
import { convertBody } from '../../shared/values';
import { filePart, StreamingForm } from '../../transport/multipart';
import { request } from '../../transport/request';
import { received, sendWith } from '../../transport/send';

const upload = sendWith(async function (options, requestData) {
	const binary = this.helpers.assertBinaryData(String(this.getNodeParameter('binaryPropertyName', 'data')));
	const form = new StreamingForm();
	for (const [name, value] of Object.entries(options.body as Record<string, unknown>)) {
		form.append(name, String(value));
	}
	form.append('file', await filePart(this, binary));
	return await received(
		this,
		requestData,
		await request(this, { ...options, body: form as unknown as FormData }),
	);
});

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/files/temporary-upload' },
	output: { postReceive: [recordPostReceive] },
	operations: { pagination: upload },
};

const properties: INodeProperties[] = [
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'data',
		required: true,
		placeholder: 'e.g. data',
		hint: 'The name of the input field that contains the file to upload',
		description: 'The binary field of the input item that holds the file',
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: [
			{ name: 'Audio', value: 'audio' },
			{ name: 'Document', value: 'document' },
			{ name: 'Image', value: 'image' },
			{ name: 'Video', value: 'video' },
		],
		default: 'document',
		required: true,
		description: 'The kind of file; the tenant allows other MIME types and sizes for each kind',
		routing: { send: { type: 'body', property: 'type' } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Public',
				name: 'public',
				type: 'boolean',
				default: false,
				description:
					'Whether anyone who has the URL can open the file for as long as it exists; meant for templates and campaigns, not for sensitive files',
				routing: {
					send: { type: 'body', property: 'public', preSend: [convertBody('public', 'Public', Number)] },
				},
			},
		],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['file'], operation: ['upload'] } },
	properties,
);
