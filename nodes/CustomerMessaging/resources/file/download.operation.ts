import type { BinaryHelperFunctions, IBinaryData } from 'n8n-workflow';

import { uploadedFile } from '../../files/fileFields';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { collection, type ItemContext, pathField, setting } from '../../runner/field';
import { flow } from '../../runner/operation';
import { type Answer, request } from '../../transport/request';
import { type Conversion, ValueProblem } from '../../values/conversion';
import { optionalText, text } from '../../values/text';

type FileContent = Parameters<BinaryHelperFunctions['prepareBinaryData']>[0];

const OCTET_STREAM = 'application/octet-stream';

/** Returns the file name in a Content-Disposition header, in either notation. */
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

/** Maximum length of a file name in most file systems, in bytes of UTF-8. */
const MAX_NAME_BYTES = 255;

/** Control characters and those that turn the direction of writing, with which a name shows another ending. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;

/**
 * Returns the last part of a path, without invisible characters, and without dots and spaces at its ends. Returns undefined
 * if nothing is left.
 */
function baseName(path: string): string | undefined {
	const [last = ''] = path
		.slice(-4 * MAX_NAME_BYTES)
		.split(/[/\\]/)
		.slice(-1);
	const name = last
		.replace(INVISIBLE, '')

		.replace(/^[\s.]+|[\s.]+$/g, '');
	if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name || undefined;
	const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? '';
	return (
		Buffer.from(name)
			.subarray(0, MAX_NAME_BYTES - ending.length)
			.toString()
			.replace(/\ufffd+$/, '') + ending
	);
}

/** Maximum number of bytes that n8n reads as a whole to detect the MIME type. */
const MAX_LOOKED_INTO = 1024 * 1024;

/**
 * Streams the file of a response into n8n's binary store.
 *
 * @param typed the file name that the user entered, if any
 */
async function binaryOf(
	{ helpers }: ItemContext,
	{ headers, body }: Answer,
	typed: string,
): Promise<IBinaryData> {
	const stream = body as FileContent;
	const name = baseName(typed || (fileNameOf(headers['content-disposition']) ?? ''));
	const type = String(headers['content-type'] ?? '').split(';')[0];
	// The interface sends every file as octet-stream. So n8n detects the type from the file name or the content.
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

/** Converts the name that a person enters for a file. */
const typedName: Conversion<string> = (value) => {
	const name = optionalText(value);
	return name instanceof ValueProblem || Buffer.byteLength(name) <= MAX_NAME_BYTES
		? name
		: new ValueProblem(`is longer than ${MAX_NAME_BYTES} bytes`, 'Enter a shorter name.');
};

const fileName = setting('options.fileName', typedName, {
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
