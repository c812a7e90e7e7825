import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { binaryField, fileKind, uploadBinary } from '../../shared/files';
import { recordPostReceive } from '../../shared/outputs';
import { unwrapped } from '../../transport/envelope';
import { request } from '../../transport/request';
import { received, sendWith } from '../../transport/send';

/** Creates the item; with a binary field as source the file is uploaded first. */
const create = sendWith(async function (options, requestData) {
	let body = options.body as IDataObject;
	if (this.getNodeParameter('source', 'uploadedFile') === 'binary') {
		const fieldName = String(this.getNodeParameter('binaryPropertyName', 'data'));
		const uploaded = unwrapped(
			(await uploadBinary(this, fieldName, { type: body.type })).body,
		) as IDataObject;
		body = { ...body, internal_uuid: uploaded.internal_uuid, filename: body.filename ?? uploaded.name };
	}
	return await received(this, requestData, await request(this, { ...options, body }));
});

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/media' },
	output: { postReceive: [recordPostReceive] },
	operations: { pagination: create },
};

const properties: INodeProperties[] = [
	{
		displayName: 'Source',
		name: 'source',
		type: 'options',
		options: [
			{
				name: 'Binary Field',
				value: 'binary',
				description: 'A file of the input item, which is uploaded first',
			},
			{
				name: 'Uploaded File',
				value: 'uploadedFile',
				description: 'A file that was uploaded before',
			},
		],
		default: 'uploadedFile',
		description: 'Where the file comes from',
	},
	{
		displayName: 'File UUID',
		name: 'fileUuid',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90',
		description: 'The internal UUID that the upload gave',
		displayOptions: { show: { source: ['uploadedFile'] } },
		routing: { send: { type: 'body', property: 'internal_uuid' } },
	},
	{ ...binaryField, displayOptions: { show: { source: ['binary'] } } },
	{ ...fileKind, routing: { send: { type: 'body', property: 'type' } } },
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
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
	{ show: { resource: ['media'], operation: ['create'] } },
	properties,
);
