import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { unwrapped } from '../transport/envelope';
import { type FilePart, filePart, StreamingForm } from '../transport/multipart';
import { request } from '../transport/request';
import { checkFile } from './fileLimits';

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

/** A file that was uploaded before. */
export const fileUuid: INodeProperties = {
	displayName: 'File UUID',
	name: 'fileUuid',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90',
	description: 'The internal UUID that the upload gave',
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
	return await upload(context, await filePart(context, context.helpers.assertBinaryData(fieldName)), fields);
}

/**
 * Uploads a binary field that is to be sent, after checking it against what the tenant allows.
 *
 * @returns the temporary file object of the interface
 * @throws NodeOperationError that names file, kind and limit
 */
export async function uploadForSending(
	context: IExecuteSingleFunctions,
	fieldName: string,
	fields: IDataObject & { type: string },
): Promise<IDataObject> {
	const binary = context.helpers.assertBinaryData(fieldName);
	const part = await filePart(context, binary);
	await checkFile(context, fields.type, binary, part.size);
	return unwrapped((await upload(context, part, fields)).body) as IDataObject;
}

async function upload(context: IExecuteSingleFunctions, part: FilePart, fields: IDataObject) {
	const form = new StreamingForm();
	for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
	form.append('file', part);
	return await request(context, {
		method: 'POST',
		url: '/files/temporary-upload',
		body: form as unknown as FormData,
	});
}
