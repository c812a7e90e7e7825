import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { filePart, StreamingForm } from '../transport/multipart';
import { request } from '../transport/request';

/** The kind of a file, by which the tenant allows MIME types and sizes. */
export const fileKind: INodeProperties = {
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
};

/** The binary field of the input item to upload. */
export const binaryField: INodeProperties = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the input field that contains the file to upload',
	description: 'The binary field of the input item that holds the file',
};

/**
 * Uploads a binary field of the current item ("Files" in the interface), streaming it from n8n's binary store.
 *
 * @param fields the other parts of the form
 * @throws NodeOperationError when the item has no such binary field
 */
export async function uploadBinary(context: IExecuteSingleFunctions, fieldName: string, fields: IDataObject) {
	const binary = context.helpers.assertBinaryData(fieldName);
	const form = new StreamingForm();
	for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
	form.append('file', await filePart(context, binary));
	return await request(context, {
		method: 'POST',
		url: '/files/temporary-upload',
		body: form as unknown as FormData,
	});
}
