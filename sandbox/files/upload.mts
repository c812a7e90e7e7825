import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { ALLOWED_MIME_TYPES, FILE_KINDS, type FileKind, MEDIA_SIZE_LIMITS, MEGABYTE } from '../choices.mts';
import { type FieldErrors, fileTooLarge, invalid, Refusal } from '../refusal.mts';
import type { StoredFile } from '../resources/file.mts';
import type { Store } from '../store/store.mts';
import { stringOf } from '../texts.mts';
import { shrinkImage } from './image.mts';

/** A form that has come in: its text fields, and its file, written to disk. */
interface Form {
	fields: Map<string, string>;
	file?: { name: string; mimeType: string; size: number; tooLarge: boolean };
}

/** More than any kind may have: where the stream is cut. The exact limit depends on `type`, which may come last. */
const HARD_LIMIT = Math.max(...Object.values(MEDIA_SIZE_LIMITS.temporary_upload_mb)) * MEGABYTE + 1;

const isFileKind = (value: string | undefined): value is FileKind =>
	FILE_KINDS.some((kind) => kind === value);

async function writeFile(part: MultipartFile, path: string): Promise<Form['file']> {
	let size = 0;
	await pipeline(
		part.file,
		async function* count(chunks: AsyncIterable<Buffer>) {
			for await (const chunk of chunks) {
				size += chunk.length;
				yield chunk;
			}
		},
		createWriteStream(path),
	);
	return { name: part.filename, mimeType: part.mimetype, size, tooLarge: part.file.truncated };
}

async function readForm(parts: AsyncIterable<Multipart>, path: string): Promise<Form> {
	const form: Form = { fields: new Map() };
	for await (const part of parts) {
		if (part.type === 'field') form.fields.set(part.fieldname, stringOf(part.value));
		else if (part.fieldname === 'file' && !form.file) form.file = await writeFile(part, path);
		else part.file.resume();
	}
	return form;
}

/** @throws 422 or 413; answers the kind and the file once they fit each other. */
function check({ fields, file }: Form): {
	kind: FileKind;
	isPublic: boolean;
	file: NonNullable<Form['file']>;
} {
	const kind = fields.get('type');
	const isPublic = fields.get('public');
	const errors: FieldErrors = {};
	if (!isFileKind(kind)) errors.type = [`The type must be one of ${FILE_KINDS.join(', ')}.`];
	if (isPublic !== undefined && isPublic !== '0' && isPublic !== '1')
		errors.public = ['Public must be 0 or 1.'];
	if (!file) errors.file = ['The form needs a file.'];
	else if (isFileKind(kind) && !ALLOWED_MIME_TYPES[kind].includes(file.mimeType)) {
		const allowed = ALLOWED_MIME_TYPES[kind].join(', ');
		errors.file = [`A file of mime type ${file.mimeType} is not allowed as ${kind}. Allowed: ${allowed}.`];
	}
	if (!file || !isFileKind(kind) || Object.keys(errors).length > 0) throw invalid(errors);
	const limit = MEDIA_SIZE_LIMITS.temporary_upload_mb[kind];
	if (file.tooLarge || file.size > limit * MEGABYTE) throw fileTooLarge(kind, limit);
	return { kind, isPublic: isPublic === '1', file };
}

async function sha256(path: string): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(createReadStream(path), hash);
	return hash.digest('hex');
}

/** QuickTime videos become mp4, by name and mime type: the sandbox does not transcode. */
function converted(name: string, mimeType: string): { name: string; mime_type: string } {
	if (mimeType !== 'video/quicktime') return { name, mime_type: mimeType };
	return { name: `${name.replace(/\.(mov|qt)$/i, '')}.mp4`, mime_type: 'video/mp4' };
}

/** A form that cannot be read is the sender's mistake; a disk that cannot be written (which has an errno) is not. */
function unreadable(error: Error): Error {
	return error instanceof Refusal || 'errno' in error
		? error
		: invalid({ file: [`The form is broken: ${error.message}`] });
}

/**
 * Receives a multipart upload: streamed to disk, checked against type and limits, images shrunk.
 * @throws 422 for a form or file that does not fit, 413 for one that is too large.
 */
export async function receiveUpload(request: FastifyRequest, store: Store): Promise<StoredFile> {
	const uuid = randomUUID();
	const path = store.files.incomingPath(uuid);
	try {
		const limits = { fileSize: HARD_LIMIT, files: 10, fields: 20, fieldSize: 10_000 };
		const form = await readForm(request.parts({ limits }), path).catch((error: Error) => {
			throw unreadable(error);
		});
		const { kind, isPublic, file } = check(form);
		const size = kind === 'image' ? await shrinkImage(path) : file.size;
		if (size === undefined) throw invalid({ file: ['The file is not a readable image.'] });
		return store.files.add({
			uuid,
			type: kind,
			public: isPublic,
			...converted(file.name, file.mimeType),
			size,
			sha256: await sha256(path),
		});
	} finally {
		store.files.discard(uuid);
	}
}
