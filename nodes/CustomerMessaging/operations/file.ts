import { bodyField, options, pathField } from '../core/field';
import { binaryField, fileName, outputField, uploadedFile, uploadKind } from '../files/fileFields';
import type { Body } from '../contract/endpoints';
import { operation } from '../core/declare';
import type { Run } from '../core/operation';
import { oneOrZero } from '../values/choices';
import { downloadFile } from '../files/download';
import { uploadBinary } from '../files/upload';
import { resource } from './resource';

const isPublic = bodyField('public', oneOrZero, {
	type: 'boolean',
	description: 'Whether anyone with the URL can open the file; not for sensitive files',
});

const uploadFile: Run<typeof binaryField | typeof uploadKind, Body<'POST /files/temporary-upload'>> = async (
	item,
) => {
	const { body, labels } = item.request;
	const fields = { type: item.get(uploadKind), ...body };
	return item.output(await uploadBinary(item.context, item.get(binaryField), fields, labels));
};

export const fileResource = resource(
	'file',
	{ name: 'File', default: 'upload' },
	{
		download: operation('GET /files/{uuid}', {
			description: 'Download an uploaded file into a binary field',
			fields: [pathField('uuid', uploadedFile), outputField, options(fileName)],
			run: downloadFile,
		}),
		getTemporaryUrl: operation('GET /files/{uuid}/temporary-url', {
			action: 'Get temporary URL of file',
			description: 'Get a URL under which a private file can be opened for seven days',
			fields: [pathField('uuid', uploadedFile)],
		}),
		upload: operation('POST /files/temporary-upload', {
			description: 'Upload a file from a binary field; it is kept for at most 90 days',
			fields: [binaryField, uploadKind, options(isPublic)],
			run: uploadFile,
		}),
	},
);
