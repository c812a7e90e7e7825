import type { BinaryHelperFunctions, INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { request } from '../../transport/request';
import { sendWith } from '../../transport/send';

type FileContent = Parameters<BinaryHelperFunctions['prepareBinaryData']>[0];

/** The file name that an answer carries, in either notation of the header. */
function fileNameOf(contentDisposition: unknown): string | undefined {
	const header = typeof contentDisposition === 'string' ? contentDisposition : '';
	const extended = /filename\*=(?:UTF-8)?''([^;]+)/i.exec(header)?.[1];
	const plain = /filename="?([^";]+)"?/i.exec(header)?.[1];
	try {
		return extended ? decodeURIComponent(extended) : plain;
	} catch {
		return plain;
	}
}

/** Streams the file into n8n's binary store. */
const download = sendWith(async function (options) {
	const field = String(this.getNodeParameter('binaryPropertyName', 'data'));
	const { body, headers } = await request(this, { ...options, encoding: 'stream', json: false });
	const uuid = String(this.getNodeParameter('fileUuid'));
	const type = String(headers['content-type'] ?? '').split(';')[0];
	const binary = await this.helpers.prepareBinaryData(
		body as FileContent,
		fileNameOf(headers['content-disposition']) ?? uuid,
		// The interface answers every file as octet-stream, which says nothing: n8n then looks at the content.
		type === 'application/octet-stream' || type === '' ? undefined : type,
	);
	return [{ json: { internal_uuid: uuid }, binary: { [field]: binary } }];
});

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/files/{fileUuid}' },
	operations: { pagination: download },
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
	{
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'data',
		required: true,
		placeholder: 'e.g. data',
		hint: 'The name of the output binary field to put the file in',
		description: 'The binary field of the output item that takes the file',
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['file'], operation: ['download'] } },
	properties,
);
