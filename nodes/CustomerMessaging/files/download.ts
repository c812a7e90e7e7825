import type { BinaryHelperFunctions, IBinaryData } from 'n8n-workflow';

import { fileName, outputField } from './fileFields';
import type { ItemContext } from '../core/field';
import type { Run } from '../core/operation';
import { Failure, networkFailureOf, unreadableError } from '../api/errors';
import { failureOf, NO_FILE } from '../api/failures';
import type { ServiceResponse } from '../api/exchange';
import { stringOf } from '../values/text';

type FileContent = Parameters<BinaryHelperFunctions['prepareBinaryData']>[0];

const OCTET_STREAM = 'application/octet-stream';

/** Returns the file name in a Content-Disposition header, in either notation. */
function fileNameOf(contentDisposition: unknown): string | undefined {
	const header = stringOf(contentDisposition);
	const [, encoded] = /filename\*=\s*utf-8'[\w-]*'([^;\s]+)/i.exec(header) ?? [];
	const [, quoted, bare] = /filename=\s*(?:"((?:[^"\\]|\\.)*)"|([^";]+))/i.exec(header) ?? [];
	try {
		if (encoded) return decodeURIComponent(encoded);
	} catch {
		// The other notation counts.
	}
	// Bytes of UTF-8 arrive as one character each.
	const raw = Buffer.from(quoted?.replace(/\\(["\\])/g, '$1') ?? bare ?? '', 'latin1');
	const utf8 = raw.toString('utf8');
	return (utf8.includes('\ufffd') ? raw.toString('latin1') : utf8) || undefined;
}

/** Control characters and those that turn the direction of writing, with which a name shows another ending. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;

/** Returns the last part of a path, without invisible characters, and without dots and spaces at its ends. */
function baseName(path: string): string | undefined {
	const [last = ''] = path.split(/[/\\]/).slice(-1);
	return last.replace(INVISIBLE, '').replace(/^[\s.]+|[\s.]+$/g, '') || undefined;
}

/** Maximum number of bytes that n8n reads as a whole to detect the MIME type. */
const MAX_LOOKED_INTO = 1024 * 1024;

interface ReadStream {
	iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Buffer>;
	unshift(piece: Buffer): unknown;
}

/** Reads a small stream to its end. A large one gets back what was read. The announced length is of packed content. */
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

const MAX_FAILURE = 64 * 1024;

function jsonIn(small: Buffer | undefined): unknown {
	if (!small || small.length > MAX_FAILURE) return undefined;
	try {
		return JSON.parse(small.toString());
	} catch {
		return undefined;
	}
}

/**
 * Looks whether a response holds a file. The interface sends every file as octet-stream. In another type, without a name, a
 * page or JSON about a failure comes in place of the file.
 *
 * @param isNamed whether the file has a name by which n8n tells its type
 * @param isDisposed whether the response names the file
 * @throws Failure when the response holds no file
 */
async function foundIn(
	{ statusCode: status, headers, body }: ServiceResponse,
	isNamed: boolean,
	isDisposed: boolean,
): Promise<{ mimeType?: string; small?: Buffer }> {
	const given = stringOf(headers['content-type']).split(';')[0].trim().toLowerCase();
	const type = given === 'binary/octet-stream' ? OCTET_STREAM : given;
	const mimeType = MIME_TYPE.test(type) && type !== OCTET_STREAM ? type : undefined;
	const isTold = isDisposed || type === OCTET_STREAM;
	const noFile = () => unreadableError(undefined, 'GET', NO_FILE);
	if (WITHOUT_FILE.includes(status)) throw noFile();
	if (!isDisposed && PAGE_TYPE.test(type)) throw noFile();
	const mayFail = !isTold && (mimeType === undefined || FAILURE_TYPE.test(type));
	if (!mayFail && (mimeType !== undefined || isNamed)) return { mimeType };
	const small = await smallFileOf(body as ReadStream);
	if (!isTold && small && PAGE.test(small.toString('latin1'))) throw noFile();
	const content = mayFail ? jsonIn(small) : undefined;
	const failure = failureOf('GET', '', status, content);
	if (!failure) return { mimeType, small };
	throw new Failure({ failure, status, body: content });
}

const WITHOUT_FILE = [202, 204, 205, 206];

/** Matches a MIME type (RFC 6838). Anything else in the header tells nothing. */
const MIME_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;

const PAGE_TYPE = /^(text\/html|application\/xhtml\+xml)$/;
/** Types of JSON, and the one that servers give to what they do not know. */
const FAILURE_TYPE = /^(application\/json|text\/plain)$|\+json$/;
const PAGE = /^\W*(<!doctype html|<html)\b/i;

/** What is in no text: control characters but blanks, and what is not UTF-8. */
const NO_TEXT = /[^\P{Cc}\t\n\f\r]|\ufffd/u;

/** Matches a name by whose ending n8n may tell the type, such as `a.pdf`, `a.7z` or `a.3gp`, and not one that ends in a date. */
const WITH_ENDING = /\.(?:[a-z]|[37](?=[a-z]))\w{0,9}$/i;

const TEXT_NAME = /\.(txt|text|conf|def|list|log|in|ini)$/i;

/** Streams the file into n8n's binary store, under the name that the user entered, if any. */
async function binaryOf(context: ItemContext, answer: ServiceResponse, typed: string): Promise<IBinaryData> {
	const { headers, body } = answer;
	const given = fileNameOf(headers['content-disposition']);
	const name = baseName(typed || (given ?? ''));
	const isNamed = name !== undefined && WITH_ENDING.test(name);
	const { mimeType, small } = await foundIn(answer, isNamed, given !== undefined);
	// n8n detects the type from the name or from the content of a small file.
	const isUnknown = mimeType === undefined && !isNamed && small === undefined;
	const binary = await context.helpers.prepareBinaryData(
		small ?? (body as FileContent),
		name,
		isUnknown ? OCTET_STREAM : mimeType,
	);
	// That is what n8n calls a file that it does not know.
	const isGuess = mimeType === undefined && binary.mimeType === 'text/plain';
	if (!isGuess || (isNamed ? TEXT_NAME.test(name) : small && !NO_TEXT.test(small.toString()))) return binary;
	return {
		...binary,
		mimeType: OCTET_STREAM,
		fileType: undefined,
		fileExtension: isNamed ? binary.fileExtension : 'bin',
	};
}

export const downloadFile: Run<typeof outputField | typeof fileName> = async (item) => {
	const { api, context, request } = item;
	const { uuid } = request.path;
	const response = await api.send({
		...request,
		// n8n's client takes a packed answer that was cut off for a whole one.
		headers: { 'Accept-Encoding': 'identity' },
		encoding: 'stream',
	});
	const binary = await binaryOf(context, response, item.get(fileName).trim())
		.catch((error: unknown) => {
			throw error instanceof Failure ? error : new Failure(networkFailureOf(error));
		})
		.finally(() => response.close?.());
	context.logger.debug(`Downloaded ${uuid}: ${binary.fileSize ?? 'size unknown'}`);
	binary.fileName ??= binary.fileExtension ? `${uuid}.${binary.fileExtension}` : uuid;
	return [{ json: { internal_uuid: uuid }, binary: { [item.get(outputField)]: binary } }];
};
