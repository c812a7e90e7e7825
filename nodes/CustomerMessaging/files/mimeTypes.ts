import type { IBinaryData } from 'n8n-workflow';

import { isBlank, stringOf } from '../values/text';

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
