import { type BinaryHelperFunctions, type IBinaryData, NodeApiError } from 'n8n-workflow';

import { type ItemContext, setting } from '../../runner/field';
import { flow } from '../../runner/operation';
import { networkFailureOf, requestError, unreadableError } from '../../transport/errors';
import { EMPTY_FILE, LATER_FILE, NO_FILE, OTHER_STATUS, PART_OF_FILE } from '../../transport/failures';
import { nodeRunOf } from '../../transport/nodeRun';
import { request, type ServiceResponse } from '../../transport/request';
import { tellsFailure } from '../../transport/responseBody';
import { optionalText, stringOf, text } from '../../values/text';

type FileContent = Parameters<BinaryHelperFunctions['prepareBinaryData']>[0];

const OCTET_STREAM = 'application/octet-stream';

/** Decodes a name that is URL-encoded in a character set; undefined if the set is not one that headers use. */
function decoded(set: string, encoded: string): string | undefined {
	try {
		if (/^utf-8$/i.test(set)) return decodeURIComponent(encoded);
		if (/^iso-8859-1$/i.test(set))
			return encoded.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	} catch {
		// Not UTF-8.
	}
	return undefined;
}

/** Returns the file name in a Content-Disposition header, in either notation. */
function fileNameOf(contentDisposition: unknown): string | undefined {
	const header = typeof contentDisposition === 'string' ? contentDisposition.slice(0, MAX_HEADER) : '';
	const [, set = 'UTF-8', encoded] = /filename\*=\s*(?:([\w-]+)'[\w-]*')?([^;\s]+)/i.exec(header) ?? [];
	const [, quoted, bare] = /filename=\s*(?:"((?:[^"\\]|\\.)*)"|([^";]+))/i.exec(header) ?? [];
	// Bytes of UTF-8 arrive as one character each.
	const raw = Buffer.from(quoted?.replace(/\\(["\\])/g, '$1') ?? bare ?? '', 'latin1');
	const utf8 = raw.toString('utf8');
	const plain = utf8.includes('\ufffd') ? raw.toString('latin1') : utf8;
	return (encoded && decoded(set, encoded)) ?? (plain || undefined);
}

const MAX_HEADER = 10_000;

/** Maximum length of a file name in most file systems, in bytes of UTF-8. */
const MAX_NAME_BYTES = 255;

/** Signs that Windows refuses in a name. */
const REFUSED = /[<>:"|?*]/g;

/** Names that Windows takes for a device, whatever their ending is. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d\u00b9\u00b2\u00b3])(?=\.|$|\s)/i;

/** Control characters and those that turn the direction of writing, with which a name shows another ending. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;

/**
 * Returns the last part of a path, without invisible characters, and without dots and spaces at its ends. Returns undefined
 * if nothing is left.
 */
function baseName(path: string): string | undefined {
	const [last = ''] = path.split(/[/\\]/).slice(-1);
	const name = last
		.replace(INVISIBLE, '')
		.replace(/^[\s.]+|[\s.]+$/g, '')
		.replace(DEVICE, '_$&');
	return name || undefined;
}

/** Cuts a name so that it fits a file system, and keeps its ending. */
function fitting(name: string): string {
	if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
	const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? '';
	const beginning = Buffer.from(name).subarray(0, MAX_NAME_BYTES - ending.length);
	return beginning.toString().replace(/\ufffd+$/, '') + ending;
}

/** Maximum number of bytes that n8n reads as a whole to detect the MIME type. */
const MAX_LOOKED_INTO = 1024 * 1024;

/** A stream of Node.js that can be read from its beginning and handed on. */
interface ReadStream {
	iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Buffer>;
	unshift(piece: Buffer): unknown;
}

/**
 * Reads a stream to its end if its content is small. Otherwise it puts back what it has read, and returns undefined. The
 * length that the response announces is that of the packed content, so it tells nothing.
 */
async function smallFileOf(stream: ReadStream): Promise<Buffer | undefined> {
	const pieces: Buffer[] = [];
	let bytes = 0;
	for await (const piece of stream.iterator({ destroyOnReturn: false })) {
		pieces.push(piece);
		bytes += piece.length;
		if (bytes > MAX_LOOKED_INTO) break;
	}
	const read = Buffer.concat(pieces);
	if (bytes <= MAX_LOOKED_INTO) return read;
	stream.unshift(read);
	return undefined;
}

/** What stands for the file of a response: the type that it names, and the content if it is small and was looked into. */
interface Found {
	mimeType: string | undefined;
	small: Buffer | undefined;
}

/** Maximum number of bytes of JSON that tells of a failure. */
const MAX_FAILURE = 64 * 1024;

/** Returns the JSON that a small file holds; undefined if it holds anything else. */
function jsonIn(small: Buffer | undefined): unknown {
	if (!small || small.length > MAX_FAILURE) return undefined;
	try {
		return JSON.parse(small.toString());
	} catch {
		return undefined;
	}
}

/** Returns JSON without the texts that are in another charset. */
const readable = (json: unknown): unknown =>
	JSON.parse(JSON.stringify(json), (_, value: unknown) =>
		typeof value === 'string' && value.includes('\ufffd') ? undefined : value,
	);

/**
 * Looks whether a response holds a file. The interface sends every file as octet-stream. In another type, without a name, a
 * page or JSON about a failure comes in place of the file.
 *
 * @param isNamed whether the file has a name by which n8n tells its type
 * @param isDisposed whether the response names the file
 * @throws NodeApiError when the response holds no file
 */
async function foundIn(
	context: ItemContext,
	{ statusCode: status, headers, body }: ServiceResponse,
	isNamed: boolean,
	isDisposed: boolean,
): Promise<Found> {
	const type = stringOf(headers['content-type']).split(';')[0].trim().toLowerCase();
	const mimeType = MIME_TYPE.test(type) && type !== OCTET_STREAM ? type : undefined;
	const isTold = isDisposed || type === OCTET_STREAM;
	const noFile = (failure = NO_FILE) => unreadableError(context, { statusCode: status }, 'GET', failure);
	if (status === 206) throw noFile(PART_OF_FILE);
	if (status === 202) throw noFile(LATER_FILE);
	if (NO_CONTENT.includes(status) || headers['content-length'] === '0') throw noFile(EMPTY_FILE);
	if (!isDisposed && PAGE_TYPE.test(type)) throw noFile();
	const mayFail = !isTold && (mimeType === undefined || FAILURE_TYPE.test(type));
	if (!mayFail && (mimeType !== undefined || isNamed)) return { mimeType, small: undefined };
	const small = await smallFileOf(body as ReadStream);
	if (small?.length === 0) throw noFile(EMPTY_FILE);
	if (!isTold && small && PAGE.test(small.toString('latin1', 0, MAX_HEADER))) throw noFile();
	const content = mayFail ? jsonIn(small) : undefined;
	if (!tellsFailure(content)) return { mimeType, small };
	const { hide } = await nodeRunOf(context);
	throw requestError(
		{ node: context.getNode(), method: 'GET', hide },
		{ failure: OTHER_STATUS, status, body: readable(content) },
	);
}

/** Statuses of a response without content. */
const NO_CONTENT = [204, 205];

/** Matches a MIME type (RFC 6838). Anything else in the header tells nothing. */
const MIME_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;

const PAGE_TYPE = /^(text\/html|application\/xhtml\+xml)$/;
/** Types of JSON, and the one that servers give to what they do not know. */
const FAILURE_TYPE = /^(application\/json|text\/plain)$|\+json$/;
const PAGE = /^\W*(<!doctype html|<html)\b/i;

/** What is in no text: control characters but blanks, and what is not UTF-8. */
const NO_TEXT = /[^\P{Cc}\t\n\f\r]|\ufffd/u;

/** Endings of files that n8n takes for plain text. */
const TEXT_NAME = /\.(txt|text|conf|def|list|log|in|ini)$/i;

/**
 * Streams the file of a response into n8n's binary store.
 *
 * @param typed the file name that the user entered, if any
 * @throws NodeApiError when the response holds no file
 */
async function binaryOf(context: ItemContext, answer: ServiceResponse, typed: string): Promise<IBinaryData> {
	const { headers, body } = answer;
	const given = fileNameOf(headers['content-disposition']);
	const suggested = given?.replace(REFUSED, '_') ?? '';
	const name = baseName(typed || fitting(baseName(suggested) ?? ''));
	const { mimeType, small } = await foundIn(context, answer, name !== undefined, given !== undefined);
	// n8n detects the type from the name or from the content of a small file.
	const isUnknown = mimeType === undefined && name === undefined && small === undefined;
	const binary = await context.helpers.prepareBinaryData(
		small ?? (body as FileContent),
		name,
		isUnknown ? OCTET_STREAM : mimeType,
	);
	// That is what n8n calls a file that it does not know.
	const isGuess = mimeType === undefined && binary.mimeType === 'text/plain';
	if (!isGuess || (name === undefined ? small && !NO_TEXT.test(small.toString()) : TEXT_NAME.test(name)))
		return binary;
	return {
		...binary,
		mimeType: OCTET_STREAM,
		fileType: undefined,
		fileExtension: name === undefined ? 'bin' : binary.fileExtension,
	};
}

export const outputField = setting('binaryPropertyName', text, {
	displayName: 'Put Output File in Field',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
	description: 'The binary field of the output item that takes the file',
});

export const fileName = setting('options.fileName', optionalText, {
	placeholder: 'e.g. parcel.jpg',
	description:
		'The name for the file, whose ending also tells its MIME type. Without it, files of up to 1 MB are recognised by their content.',
});

/** Puts the file into a binary field of the output item. */
export const downloadFile = flow([outputField, fileName], async ({ context, request: options, read }) => {
	const { uuid } = options.path;
	const over = new AbortController();
	const answer = await request(context, {
		...options,
		// n8n's client takes a packed answer that was cut off for a whole one.
		headers: { 'Accept-Encoding': 'identity' },
		encoding: 'stream',
		abortSignal: over.signal,
	});
	const binary = await binaryOf(context, answer, read(fileName).trim())
		.catch((error: unknown) => {
			if (error instanceof NodeApiError) throw error;
			throw requestError({ node: context.getNode(), method: 'GET' }, networkFailureOf(error));
		})
		.finally(() => over.abort());
	context.logger.debug(`Downloaded ${uuid}: ${binary.fileSize ?? 'size unknown'}`);
	binary.fileName ??= binary.fileExtension ? `${uuid}.${binary.fileExtension}` : uuid;
	return [{ json: { internal_uuid: uuid }, binary: { [read(outputField)]: binary } }];
});
