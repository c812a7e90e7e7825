import type { BinaryHelperFunctions, IBinaryData } from 'n8n-workflow';

import { fileName, OCTET_STREAM, outputField, SAYS_NOTHING } from './fileFields';
import type { ItemContext } from '../core/field';
import type { Run } from '../core/operation';
import { Failure, networkFailureOf, unreadableError } from '../api/errors';
import { failureOf, NO_FILE } from '../api/failures';
import type { ServiceResponse } from '../api/exchange';
import { jsonObject } from '../values/json';
import { orUndefinedIfInvalid } from '../values/parse';
import { stringOf } from '../values/text';

type FileContent = Parameters<BinaryHelperFunctions['prepareBinaryData']>[0];

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
	return Buffer.from(quoted?.replace(/\\(["\\])/g, '$1') ?? bare ?? '', 'latin1').toString() || undefined;
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

const PAGE_TYPE = /^(text\/html|application\/xhtml\+xml)$/;
const JSON_TYPE = /[/+]json$/;

/**
 * Streams a file into n8n's binary store. n8n tells its type by the name, or by the content of a small file. Without a name, a page
 * and JSON about a failure come in the place of a file, which the interface sends as octet-stream.
 *
 * @param typed the name that the user entered, if any
 * @throws Failure when the response holds no file
 */
async function binaryOf(
	context: ItemContext,
	{ statusCode: status, headers, body }: ServiceResponse,
	uuid: string,
	typed: string,
): Promise<IBinaryData> {
	const disposed = fileNameOf(headers['content-disposition']);
	const type = stringOf(headers['content-type']).split(';')[0].trim().toLowerCase();
	if (disposed === undefined && PAGE_TYPE.test(type)) throw unreadableError(undefined, 'GET', NO_FILE);
	const mimeType = SAYS_NOTHING.test(type) ? undefined : type;
	const mayFail = disposed === undefined && JSON_TYPE.test(type);
	const small = mayFail || mimeType === undefined ? await smallFileOf(body as ReadStream) : undefined;
	const content = mayFail ? orUndefinedIfInvalid(jsonObject('{}'), small?.toString()) : undefined;
	const failure = failureOf('GET', '', status, content);
	if (failure) throw new Failure({ failure, status, body: content });
	// A path would name another place.
	const name = (typed || (disposed ?? '')).split(/[/\\]/).at(-1);
	const isUnknown = mimeType === undefined && small === undefined && !name?.includes('.');
	const binary = await context.helpers.prepareBinaryData(
		small ?? (body as FileContent),
		name || uuid,
		isUnknown ? OCTET_STREAM : mimeType,
	);
	const extension = binary.fileExtension ? `.${binary.fileExtension}` : '';
	return name ? binary : { ...binary, fileName: `${uuid}${extension}` };
}

export const downloadFile: Run<typeof outputField | typeof fileName> = async (item) => {
	const { api, context, request } = item;
	const { uuid } = request.path;
	const response = await api.send({
		...request,
		// n8n's client takes a packed response that was cut off for a whole one.
		headers: { 'Accept-Encoding': 'identity' },
		encoding: 'stream',
	});
	const binary = await binaryOf(context, response, uuid, item.get(fileName).trim())
		.catch((error: unknown) => {
			throw error instanceof Failure ? error : new Failure(networkFailureOf(error));
		})
		.finally(() => response.close?.());
	context.logger.debug(`Downloaded ${uuid}: ${binary.fileSize ?? 'size unknown'}`);
	return [{ json: { internal_uuid: uuid }, binary: { [item.get(outputField)]: binary } }];
};
