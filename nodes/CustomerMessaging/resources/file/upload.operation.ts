import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { binaryField, fileKind, uploadBinary } from '../../shared/files';
import { recordPostReceive } from '../../shared/outputs';
import { convertBody } from '../../shared/values';
import { received, sendWith } from '../../transport/send';

const upload = sendWith(async function ({ body }, requestData) {
	const fieldName = String(this.getNodeParameter('binaryPropertyName', 'data'));
	return await received(this, requestData, await uploadBinary(this, fieldName, body as IDataObject));
});

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/files/temporary-upload' },
	output: { postReceive: [recordPostReceive] },
	operations: { pagination: upload },
};

const properties: INodeProperties[] = [
	binaryField,
	{ ...fileKind, routing: { send: { type: 'body', property: 'type' } } },
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
