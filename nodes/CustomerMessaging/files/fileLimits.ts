import type { IBinaryData } from 'n8n-workflow';

import type { Api } from '../api/client';
import type { ItemContext } from '../core/field';
import { fieldError } from '../core/fieldError';
import { orUndefinedIfForbidden, readRecord } from '../api/records';
import { InvalidValue } from '../values/parse';
import { ownMember } from '../values/json';
import { numericOf } from '../values/numbers';
import { isBlank, stringOf } from '../values/text';
import { FILE_KINDS, type FileKind } from './fileFields';

/** The MIME types of the files that chat apps take, by the ends of their names. */
const BY_EXTENSION: Record<string, string> = {
	'3gp': 'video/3gpp',
	aac: 'audio/aac',
	amr: 'audio/amr',
	csv: 'text/csv',
	doc: 'application/msword',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	gif: 'image/gif',
	jpeg: 'image/jpeg',
	jpg: 'image/jpeg',
	m4a: 'audio/mp4',
	mov: 'video/quicktime',
	mp3: 'audio/mpeg',
	mp4: 'video/mp4',
	ogg: 'audio/ogg',
	opus: 'audio/ogg',
	pdf: 'application/pdf',
	png: 'image/png',
	ppt: 'application/vnd.ms-powerpoint',
	pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
	txt: 'text/plain',
	webp: 'image/webp',
	xls: 'application/vnd.ms-excel',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const OCTET_STREAM = 'application/octet-stream';

/** No type, or what a server calls a file that it does not know. */
const SAYS_NOTHING = /^\s*((application|binary)\/octet-stream\s*(;.*)?)?$/i;

export type NamedBinary = IBinaryData & { fileName: string };

/** Returns a binary field with a name and a MIME type. The name decides where the type says nothing. */
export function named(binary: IBinaryData): NamedBinary {
	const { fileName, fileExtension, mimeType } = binary as Partial<IBinaryData>;
	const end = isBlank(fileExtension) ? '' : `.${fileExtension}`;
	const name = isBlank(fileName) ? `file${end}` : String(fileName);
	const extension = /[^.]*$/.exec(name.toLowerCase())?.[0] ?? '';
	const usual = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : OCTET_STREAM;
	const type = stringOf(mimeType);
	return { ...binary, fileName: name, mimeType: SAYS_NOTHING.test(type) ? usual : type };
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

/** Returns a MIME type without its parameters. `image/jpg` is a usual spelling of `image/jpeg`. */
const plainType = (mimeType: string) =>
	mimeType
		.split(';')[0]
		.trim()
		.toLowerCase()
		.replace(/^image\/jpg$/, 'image/jpeg');

/** Whether an entry of the allowed types, such as `image/png` or `image/*`, allows a type. */
function allows(entry: unknown, type: string): boolean {
	const allowed = plainType(stringOf(entry));
	return allowed === type || (allowed.endsWith('/*') && type.startsWith(allowed.slice(0, -1)));
}

export const kindOf = ({ mimeType }: NamedBinary): FileKind =>
	FILE_KINDS.find((kind) => plainType(mimeType).startsWith(`${kind}/`)) ?? 'document';

/** Checks a file against the limits of the tenant before it is sent. Fails with the file, the kind and the limit. */
export async function checkFile(
	context: ItemContext,
	kind: FileKind,
	{ fileName, mimeType }: NamedBinary,
	bytes: number | undefined,
): Promise<void> {
	const [sizes, mimeTypes] = await limitsOf(context.api);
	const refused = (problem: string, remedy: string) =>
		fieldError(context, fileName, new InvalidValue(problem, remedy));
	const allowed = mimeTypes?.[kind];
	const type = plainType(mimeType);
	if (Array.isArray(allowed) && !allowed.some((one) => allows(one, type)))
		throw refused(
			`is of type ${type}, which the service does not allow as ${kind}`,
			`Convert the file, or send it as another type. Allowed as ${kind}: ${allowed.map(stringOf).join(', ')}.`,
		);
	const limits = [sizes?.temporary_upload_mb, COMPRESSED.includes(kind) ? undefined : sizes?.regular_mb];
	const megabytes = limits.map((part) => numericOf(ownMember(part, kind))).filter((limit) => limit > 0);
	const limit = Math.min(...megabytes);
	if (bytes !== undefined && bytes > limit * BYTES_PER_MEGABYTE)
		throw refused(
			`has ${(bytes / BYTES_PER_MEGABYTE).toFixed(1)} MB, the service takes at most ${limit} MB as ${kind}`,
			'Make the file smaller, or send it as another type.',
		);
}
