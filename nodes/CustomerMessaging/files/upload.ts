import type { Api } from '../api/client';
import { orUndefinedIfForbidden, readRecord } from '../api/records';
import type { ResponseRecord, Body } from '../contract/endpoints';
import { type FilePart, freeWhenSent, StreamingForm } from '../n8nInternals/streamingForm';
import type { ItemContext } from '../core/field';
import { fieldError, itemError } from '../core/fieldError';
import type { ServiceRequest } from '../api/exchange';
import { InvalidValue } from '../values/parse';
import { isObject, ownMember } from '../values/json';
import { numericOf } from '../values/numbers';
import { quote, stringOf } from '../values/text';
import { binaryField, type FileKind, kindOf, type NamedBinary, plainType, withType } from './fileFields';

type Fields = Omit<Body<'POST /files/temporary-upload'>, 'file'>;

/** Makes the error about the binary field that the user names. */
const binaryError = (context: ItemContext, problem: string, remedy: string) =>
	fieldError(context, binaryField.parameter.displayName, new InvalidValue(problem, remedy));

function inputBinary(context: ItemContext, fieldName: string): NamedBinary {
	const names = Object.keys(context.getInputData().binary ?? {});
	if (names.includes(fieldName)) return withType(context.helpers.assertBinaryData(fieldName));
	throw binaryError(
		context,
		`"${quote(fieldName)}" is not a binary field of the item`,
		names.length > 0
			? `The item has these: ${names.join(', ')}.`
			: 'The item has none. Add a node before it that provides a file, e.g. HTTP Request or Read/Write Files from Disk.',
	);
}

/** Bytes per read. Smaller pieces cost time: each one passes through several streams. */
const PIECE_BYTES = 256 * 1024;

interface OpenedPart extends FilePart {
	/** Why the file cannot be read to its end. */
	problem?: Error;
	/** Closes the file. axios leaves it open if a request fails. */
	close(): void;
}

/** Makes a form part from a binary field of the current item, which is not empty. Its user closes it after the request. */
async function openFile(context: ItemContext, fieldName: string): Promise<OpenedPart> {
	const { id, data, mimeType: type, fileName: name } = inputBinary(context, fieldName);
	const lost = () =>
		binaryError(
			context,
			`"${quote(fieldName)}" cannot be read: n8n no longer has this file`,
			'The file was not uploaded. Run the node that provides it again.',
		);
	const content = id === undefined ? Buffer.from(data, 'base64') : undefined;
	const sizeOf = async (stored: string) => (await context.helpers.getBinaryMetadata(stored)).fileSize;
	const size = id === undefined ? content?.length : await sizeOf(id).catch(() => Promise.reject(lost()));
	if (size === 0)
		throw binaryError(
			context,
			`"${quote(name)}" is empty: it has 0 bytes`,
			'Check where the file comes from.',
		);
	let opened: Awaited<ReturnType<typeof context.helpers.getBinaryStream>> | undefined;
	let isClosed = false;
	async function* piecesOf(stored: string) {
		opened?.destroy();
		opened = await context.helpers.getBinaryStream(stored, PIECE_BYTES);
		// The request may have failed while the file was being opened.
		if (isClosed) return void opened.destroy();
		// What is read from a file belongs to this upload alone. Other stores can keep their pieces.
		yield* stored.startsWith('filesystem') ? freeWhenSent(opened) : opened;
	}
	const part: OpenedPart = {
		name,
		type,
		size,
		async *stream() {
			try {
				if (content) yield content;
				else if (id !== undefined) yield* piecesOf(id);
			} catch {
				part.problem = lost();
				throw part.problem;
			}
		},
		close() {
			isClosed = true;
			opened?.destroy();
		},
	};
	return part;
}

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** The kinds of files that the service compresses after the upload, to meet the regular limits. */
const COMPRESSED: FileKind[] = ['image', 'video'];

/** Reads the limits of the tenant, once per run of the node. What the user may not read, or the tenant does not say, is undefined. */
const limitsOf = async (api: Api) =>
	await api.once(
		limitsOf,
		async () =>
			await Promise.all([
				orUndefinedIfForbidden(readRecord(api, 'GET /support/media-size-limits', {})),
				orUndefinedIfForbidden(readRecord(api, 'GET /support/allowed-mime-types', {})),
			]),
	);

/**
 * Opens a binary field for a message. Its user closes it.
 *
 * @throws NodeOperationError with the file, the kind and the limit, if the limits of the tenant do not allow it
 */
export async function openForSending(
	context: ItemContext,
	fieldName: string,
	kind: FileKind,
): Promise<OpenedPart> {
	const part = await openFile(context, fieldName);
	const [sizes, mimeTypes] = await limitsOf(context.api);
	const refused = (problem: string, remedy: string) =>
		fieldError(context, part.name, new InvalidValue(problem, remedy));
	const allowed = mimeTypes?.[kind];
	const type = plainType(part.type);
	if (Array.isArray(allowed) && !allowed.some((one) => plainType(stringOf(one)) === type))
		throw refused(
			`is of type ${type}, which the service does not allow as ${kind}`,
			`Convert the file, or send it as another type. Allowed as ${kind}: ${allowed.map(stringOf).join(', ')}.`,
		);
	const limits = [sizes?.temporary_upload_mb, COMPRESSED.includes(kind) ? undefined : sizes?.regular_mb];
	const megabytes = limits.map((part) => numericOf(ownMember(part, kind))).filter((limit) => limit > 0);
	const limit = Math.min(...megabytes);
	const { size = 0 } = part;
	if (size > limit * BYTES_PER_MEGABYTE)
		throw refused(
			`has ${(size / BYTES_PER_MEGABYTE).toFixed(1)} MB, the service takes at most ${limit} MB as ${kind}`,
			'Make the file smaller, or send it as another type.',
		);
	return part;
}

async function upload(
	context: ItemContext,
	part: OpenedPart,
	fields: Fields,
	labels: ServiceRequest['labels'],
) {
	const form = new StreamingForm();
	for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
	form.append('file', part);
	try {
		const body = form.asBody();
		const request = { method: 'POST' as const, url: '/files/temporary-upload', body, labels };
		return (await context.api.send(request)).content;
	} catch (error) {
		throw part.problem ?? error;
	} finally {
		part.close();
	}
}

/** Returns the kind of a binary field's file. *automatic* has its MIME type decide. */
export const kindOfFile = (context: ItemContext, fieldName: string, chosen: FileKind | 'automatic') =>
	chosen === 'automatic' ? kindOf(inputBinary(context, fieldName).mimeType) : chosen;

/** Uploads a binary field, streamed from n8n's binary store. */
export const uploadBinary = async (
	context: ItemContext,
	fieldName: string,
	fields: Fields,
	labels?: ServiceRequest['labels'],
): Promise<unknown> => await upload(context, await openFile(context, fieldName), fields, labels);

/** Returns a member of an uploaded file that another request needs. Fails if the service has not told it. */
export function requiredMember(context: ItemContext, file: unknown, member: 'internal_uuid' | 'url'): string {
	const value = ownMember(file, member);
	if (typeof value === 'string' && value.trim() !== '') return value;
	throw itemError(
		context,
		`The service did not return the ${member} of the file`,
		'Nothing else was sent. Try again later. If it stays, tell the operator of the service.',
	);
}

export async function uploadForSending(
	context: ItemContext,
	fieldName: string,
	fields: Fields,
	labels?: ServiceRequest['labels'],
): Promise<ResponseRecord<'POST /files/temporary-upload'>> {
	const part = await openForSending(context, fieldName, fields.type);
	const file = await upload(context, part, fields, labels);
	return isObject(file) ? file : {};
}
