import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { binaryField, fileKind, uploadBinary, fileUuid } from '../../shared/files';
import { recordPostReceive } from '../../shared/outputs';
import { unwrapped } from '../../transport/envelope';
import { request } from '../../transport/request';
import { received, sendWith } from '../../transport/send';
import { mediaFields } from './mediaFields';

/** Creates the item; with a binary field as source the file is uploaded first. */
const create = sendWith(async function (options, requestData) {
	let body = options.body as IDataObject;
	if (this.getNodeParameter('source', 'binary') === 'binary') {
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
		default: 'binary',
		description: 'Where the file comes from',
	},
	{
		...fileUuid,
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
		options: mediaFields,
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['media'], operation: ['create'] } },
	properties,
);
