import type { Body } from '../../contract/endpoints';
import { binaryField, fileKind, uploadedFile } from '../../files/fileFields';
import { toldOf, uploadBinary, uploadedFileOf } from '../../files/upload';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { bodyField, collection, setting, shownAs } from '../../runner/field';
import { flow } from '../../runner/operation';
import { request } from '../../transport/request';
import { oneOf } from '../../values/choices';
import { mediaFields } from './mediaFields';

const source = setting('source', oneOf('binary', 'uploadedFile'), {
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
});

/** Creates the media item. If the source is a binary field, it uploads the file first. */
const createMedia = flow<typeof source | typeof binaryField, Body<'POST /media'>>(
	[source, binaryField],
	async ({ context, request: options, read, output }) => {
		if (read(source) === 'uploadedFile') return output(await request(context, options));
		const { type, filename, ...others } = options.body;
		const answer = await uploadBinary(context, read(binaryField), { type }, options.labels);
		const uploaded = uploadedFileOf(context, answer);
		const body = {
			...others,
			type,
			internal_uuid: toldOf(context, uploaded, 'internal_uuid'),
			filename: filename ?? uploaded.name,
		};
		return output(await request(context, { ...options, body }));
	},
);

export const create = operation('POST /media', {
	fields: [
		source,
		shownAs(bodyField('internal_uuid', uploadedFile.convert, uploadedFile.parameter), {
			displayOptions: { show: { source: ['uploadedFile'] } },
		}),
		shownAs(binaryField, { displayOptions: { show: { source: ['binary'] } } }),
		fileKind,
		collection(
			{
				displayName: 'Additional Fields',
				name: 'additionalFields',
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
			},
			[...mediaFields],
		),
	],
	flow: createMedia,
	output: record,
});
