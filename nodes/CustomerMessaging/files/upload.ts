import type { Answered, Body } from '../contract/endpoints';
import { freeWhenSent } from '../n8nInternals/sentPieces';
import { type FilePart, StreamingForm } from '../n8nInternals/streamingForm';
import type { ItemContext } from '../core/field';
import { fieldError, itemError } from '../core/fieldError';
import { unreadableError } from '../api/errors';
import type { ServiceRequest } from '../api/exchange';
import { InvalidValue } from '../values/parse';
import { isObject, ownMember } from '../values/json';
import { quote } from '../values/text';
import { binaryField } from './fileFields';
import { checkFile, kindOf, named, type NamedBinary } from './fileLimits';

type Fields = Omit<Body<'POST /files/temporary-upload'>, 'file'>;

function inputBinary(context: ItemContext, fieldName: string): NamedBinary {
	const names = Object.keys(context.getInputData().binary ?? {});
	if (names.includes(fieldName)) return named(context.helpers.assertBinaryData(fieldName));
	const problem = new InvalidValue(
		`"${quote(fieldName)}" is not a binary field of the item`,
		names.length > 0
			? `The item has these: ${names.join(', ')}.`
			: 'The item has none. Add a node before it that provides a file, e.g. HTTP Request or Read/Write Files from Disk.',
	);
	throw fieldError(context, binaryField.parameter.displayName, problem);
}

/** Bytes per read. Smaller pieces cost time: each one passes through several streams. */
const PIECE_BYTES = 256 * 1024;

interface OpenedPart extends FilePart {
	/** Why the file cannot be read to its end. */
	problem?: Error;
	/** Closes the file. axios leaves it open if a request fails. */
	close(): void;
}

/** Makes the error about a file that n8n has lost. */
const lostFile = (context: ItemContext, fieldName: string) =>
	fieldError(
		context,
		binaryField.parameter.displayName,
		new InvalidValue(
			`"${quote(fieldName)}" cannot be read: n8n no longer has this file`,
			'The file was not uploaded. Run the node that provides it again.',
		),
	);

/** Makes a form part from a binary field of the current item, which is not empty. Its user closes it after the request. */
async function filePart(
	context: ItemContext,
	fieldName: string,
	{ id, data, mimeType: type, fileName: name }: NamedBinary,
): Promise<OpenedPart> {
	const requireBytes = (size: number) => {
		if (size !== 0) return;
		const problem = new InvalidValue(
			`"${quote(name)}" is empty: it has 0 bytes`,
			'Check where the file comes from.',
		);
		throw fieldError(context, binaryField.parameter.displayName, problem);
	};
	if (id === undefined) {
		const content = Buffer.from(data, 'base64');
		requireBytes(content.length);
		return {
			name,
			type,
			size: content.length,
			async *stream() {
				yield content;
			},
			close() {},
		};
	}
	const { fileSize: size } = await context.helpers.getBinaryMetadata(id).catch(() => {
		throw lostFile(context, fieldName);
	});
	requireBytes(size);
	let opened: Awaited<ReturnType<typeof context.helpers.getBinaryStream>> | undefined;
	let isClosed = false;
	const open = async function* () {
		opened?.destroy();
		opened = await context.helpers.getBinaryStream(id, PIECE_BYTES);
		// The request may have failed while the file was being opened.
		if (isClosed) return void opened.destroy();
		// What is read from a file belongs to this upload alone. Other stores can keep their pieces.
		yield* id.startsWith('filesystem') ? freeWhenSent(opened) : opened;
	};
	const part: OpenedPart = {
		name,
		type,
		size,
		async *stream() {
			try {
				yield* open();
			} catch {
				part.problem = lostFile(context, fieldName);
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

async function upload(
	context: ItemContext,
	part: OpenedPart,
	fields: Partial<Fields>,
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

/** Uploads a binary field, streamed from n8n's binary store. *automatic* has its MIME type decide. */
export async function uploadBinary(
	context: ItemContext,
	fieldName: string,
	fields: Partial<Omit<Fields, 'type'>> & { type?: Fields['type'] | 'automatic' },
	labels?: ServiceRequest['labels'],
): Promise<unknown> {
	const binary = inputBinary(context, fieldName);
	const type = fields.type === 'automatic' ? kindOf(binary) : fields.type;
	return await upload(context, await filePart(context, fieldName, binary), { ...fields, type }, labels);
}

/** Returns a member of an uploaded file that another request needs. Fails if the service has not told it. */
export function requiredMember(context: ItemContext, file: object, member: 'internal_uuid' | 'url'): string {
	const value = ownMember(file, member);
	if (typeof value === 'string' && value.trim() !== '') return value;
	throw itemError(
		context,
		`The service did not return the ${member} of the file`,
		'Nothing else was sent. Try again later. If it stays, tell the operator of the service.',
	);
}

export function uploadedFileOf(file: unknown): Answered<'POST /files/temporary-upload'> {
	if (!isObject(file)) throw unreadableError(file);
	return file;
}

/** Opens a binary field for a message, if the limits of the tenant allow it. Its user closes it. */
export async function checkedFile(
	context: ItemContext,
	fieldName: string,
	kind: Fields['type'],
): Promise<OpenedPart> {
	const binary = inputBinary(context, fieldName);
	const part = await filePart(context, fieldName, binary);
	await checkFile(context, kind, binary, part.size);
	return part;
}

export async function uploadForSending(
	context: ItemContext,
	fieldName: string,
	fields: Fields,
	labels?: ServiceRequest['labels'],
) {
	const part = await checkedFile(context, fieldName, fields.type);
	return uploadedFileOf(await upload(context, part, fields, labels));
}
