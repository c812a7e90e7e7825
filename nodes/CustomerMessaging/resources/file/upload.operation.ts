import { binaryField, uploadKind } from '../../files/fileFields';
import { uploadBinary } from '../../files/upload';
import type { Body } from '../../contract/endpoints';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { bodyField, collection } from '../../runner/field';
import { flow } from '../../runner/operation';
import { oneOrZero } from '../../values/choices';

const isPublic = bodyField('public', oneOrZero, {
	displayName: 'Public',
	name: 'public',
	type: 'boolean',
	default: false,
	description:
		'Whether anyone who has the URL can open the file for as long as it exists; meant for templates and campaigns, not for sensitive files',
});

export const upload = operation('POST /files/temporary-upload', {
	fields: [
		binaryField,
		uploadKind,
		collection(
			{ displayName: 'Options', name: 'options', type: 'collection', placeholder: 'Add option', default: {} },
			[isPublic],
		),
	],
	flow: flow<typeof binaryField | typeof uploadKind, Body<'POST /files/temporary-upload'>>(
		[binaryField, uploadKind],
		async ({ context, request: { body, labels }, read, output }) =>
			output(await uploadBinary(context, read(binaryField), { type: read(uploadKind), ...body }, labels)),
	),
	output: record,
});
