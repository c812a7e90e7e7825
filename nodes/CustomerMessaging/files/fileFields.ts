import type { IBinaryData } from 'n8n-workflow';

import { bodyField, setting } from '../core/field';
import { choice } from '../values/choices';
import { textSegment } from '../values/ids';
import { isBlank, optionalText, stringOf, text } from '../values/text';

const KINDS = { audio: ['Audio'], document: ['Document'], image: ['Image'], video: ['Video'] } as const;

export type FileKind = keyof typeof KINDS;

export const FILE_KINDS = Object.keys(KINDS) as FileKind[];

export const isFileKind = (type: unknown): type is FileKind => FILE_KINDS.some((one) => one === type);

export const fileKind = bodyField('type', ...choice(KINDS, 'document', { required: true }));

const { audio, ...others } = KINDS;

export const uploadKind = setting(
	'type',
	...choice(
		{
			audio,
			automatic: 'Audio, image or video by its MIME type, and document for any other',
			...others,
		},
		'automatic',
		{ required: true },
	),
	'type',
);

export const uploadedFile = {
	parse: textSegment,
	parameter: {
		displayName: 'File UUID',
		name: 'fileUuid',
		type: 'string' as const,
		default: '',
		required: true,
		placeholder: 'e.g. 6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90',
		description: 'As the upload returned it',
	},
};

export const binaryField = setting(
	'binaryPropertyName',
	text,
	{
		displayName: 'Input Binary Field',
		default: 'data',
		required: true,
		placeholder: 'e.g. data',
		hint: 'The name of the input field with the file',
	},
	'file',
);

export const outputField = setting('binaryPropertyName', text, {
	displayName: 'Put Output File in Field',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
});

export const fileName = setting('options.fileName', optionalText, {
	placeholder: 'e.g. parcel.jpg',
	description: 'Its extension decides the MIME type. Without a name, the content does, up to 1 MB.',
});

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

export const OCTET_STREAM = 'application/octet-stream';

/** Matches no type, and what a server calls a file that it does not know. */
export const SAYS_NOTHING = /^\s*((application|binary)\/octet-stream\s*(;.*)?)?$/i;

export type NamedBinary = IBinaryData & { fileName: string };

/** Returns a binary field with a name and a MIME type. The name decides where the type says nothing. */
export function withType(binary: IBinaryData): NamedBinary {
	const { fileName, fileExtension, mimeType } = binary as Partial<IBinaryData>;
	const end = isBlank(fileExtension) ? '' : `.${fileExtension}`;
	const name = isBlank(fileName) ? `file${end}` : String(fileName);
	const extension = /[^.]*$/.exec(name.toLowerCase())?.[0] ?? '';
	const usual = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : OCTET_STREAM;
	const type = stringOf(mimeType);
	return { ...binary, fileName: name, mimeType: SAYS_NOTHING.test(type) ? usual : type };
}

/** Returns a MIME type without its parameters. `image/jpg` is a usual spelling of `image/jpeg`. */
export const plainType = (mimeType: string) =>
	mimeType
		.split(';')[0]
		.trim()
		.toLowerCase()
		.replace(/^image\/jpg$/, 'image/jpeg');

export const kindOf = (mimeType: string): FileKind =>
	FILE_KINDS.find((kind) => plainType(mimeType).startsWith(`${kind}/`)) ?? 'document';
