import { bodyField, options } from '../core/field';
import { binaryField, fileName, outputField, uploadKind } from '../files/fileFields';
import type { Body } from '../contract/endpoints';
import type { Run } from '../core/operation';
import { oneOrZero } from '../values/choices';
import { downloadFile } from '../files/download';
import { kindOfFile, uploadBinary } from '../files/upload';
import { operation, resource } from './resource';

const isPublic = bodyField('public', oneOrZero, {
	type: 'boolean',
	description: 'Whether anyone with the URL can open the file. Not for sensitive files.',
});

const uploadFile: Run<typeof binaryField | typeof uploadKind, Body<'POST /files/temporary-upload'>> = async (
	item,
) => {
	const { context, request } = item;
	const field = item.get(binaryField);
	const fields = { type: kindOfFile(context, field, item.get(uploadKind)), ...request.body };
	return item.output(await uploadBinary(context, field, fields, request.labels));
};

export const fileResource = resource(
	'file',
	{
		download: operation('GET /files/{uuid}', 'Download an uploaded file into a binary field', {
			fields: [outputField, options(fileName)],
			run: downloadFile,
		}),
		getTemporaryUrl: operation(
			'GET /files/{uuid}/temporary-url',
			'Get a URL that opens a private file for seven days',
			{ action: 'Get temporary URL of file' },
		),
		upload: operation(
			'POST /files/temporary-upload',
			'Upload a file from a binary field. It is kept for at most 90 days.',
			{ fields: [binaryField, uploadKind, options(isPublic)], run: uploadFile },
		),
	},
	{ default: 'upload' },
);
