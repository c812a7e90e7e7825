import { bodyField, setting } from '../runner/field';
import { oneOf } from '../values/choices';
import { textSegment } from '../values/ids';
import { text } from '../values/text';

const KINDS = [
	{ name: 'Audio', value: 'audio' },
	{ name: 'Document', value: 'document' },
	{ name: 'Image', value: 'image' },
	{ name: 'Video', value: 'video' },
];

/** The kind of a file. The tenant allows MIME types and sizes for each kind. */
export const fileKind = bodyField('type', oneOf('audio', 'document', 'image', 'video'), {
	type: 'options',
	options: KINDS,
	default: 'document',
	required: true,
	description: 'The kind of file, which decides the MIME types and sizes allowed',
});

const AUTOMATIC = {
	name: 'Automatic',
	value: 'automatic',
	description: 'Audio, image or video as the MIME type says, and document for all others',
};

/** The kind of a file to upload, which its MIME type can tell. */
export const uploadKind = setting(
	'type',
	oneOf('audio', 'automatic', 'document', 'image', 'video'),
	{ ...fileKind.parameter, options: KINDS.toSpliced(1, 0, AUTOMATIC), default: 'automatic' },
	'type',
);

/** A file that is already uploaded. */
export const uploadedFile = {
	convert: textSegment,
	parameter: {
		displayName: 'File UUID',
		name: 'fileUuid',
		type: 'string' as const,
		default: '',
		required: true,
		placeholder: 'e.g. 6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90',
		description: 'The internal UUID that the upload gave',
	},
};

/** The binary field of the input item to upload. */
export const binaryField = setting(
	'binaryPropertyName',
	text,
	{
		displayName: 'Input Binary Field',
		default: 'data',
		required: true,
		placeholder: 'e.g. data',
		hint: 'The name of the input field that contains the file to upload',
		description: 'The binary field of the input item that holds the file',
	},
	'file',
);
