import type { BinaryHelperFunctions, IBinaryData } from 'n8n-workflow';

import { uploadedFile } from '../../files/fileFields';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { collection, type ItemContext, pathField, setting } from '../../runner/field';
import { flow } from '../../runner/operation';
import { type Answer, request } from '../../transport/request';
import { text } from '../../values/text';

type FileContent = Parameters<BinaryHelperFunctions['prepareBinaryData']>[0];

const OCTET_STREAM = 'application/octet-stream';

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

/** Up to this many bytes n8n gets the content as a whole and tells its MIME type from it. */
const MAX_LOOKED_INTO = 1024 * 1024;

/**
 * Streams the file of an answer into n8n's binary store.
 *
 * @param typed the name that was given for the file, if any
 */
async function binaryOf(
	{ helpers }: ItemContext,
	{ headers, body }: Answer,
	typed: string,
): Promise<IBinaryData> {
	const stream = body as FileContent;
	const name = typed || fileNameOf(headers['content-disposition']);
	const type = String(headers['content-type'] ?? '').split(';')[0];
	// The interface answers every file as octet-stream, which says nothing. A name tells n8n more.
	const mimeType = type === '' || type === OCTET_STREAM ? undefined : type;
	const isUnknown = mimeType === undefined && name === undefined;
	return isUnknown && Number(headers['content-length'] ?? Infinity) <= MAX_LOOKED_INTO
		? await helpers.prepareBinaryData(await helpers.binaryToBuffer(stream))
		: await helpers.prepareBinaryData(stream, name, isUnknown ? OCTET_STREAM : mimeType);
}

const outputField = setting('binaryPropertyName', text, {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
	description: 'The binary field of the output item that takes the file',
});

const fileName = setting('options.fileName', text, {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. parcel.jpg',
	description:
		'The name for the file, whose ending also tells its MIME type. Without it, files of up to 1 MB are recognised by their content.',
});

export const download = operation('GET /files/{uuid}', {
	fields: [
		pathField('uuid', uploadedFile),
		outputField,
		collection(
			{ displayName: 'Options', name: 'options', type: 'collection', placeholder: 'Add option', default: {} },
			[fileName],
		),
	],
	flow: flow([outputField, fileName], async ({ context, request: options, read }) => {
		const { uuid } = options.path;
		const answer = await request(context, { ...options, encoding: 'stream' });
		const binary = await binaryOf(context, answer, read(fileName).trim());
		context.logger.debug(`Downloaded ${uuid}: ${binary.fileSize ?? 'size unknown'}`);
		binary.fileName ??= binary.fileExtension ? `${uuid}.${binary.fileExtension}` : uuid;
		return [{ json: { internal_uuid: uuid }, binary: { [read(outputField)]: binary } }];
	}),
	output: record,
});
