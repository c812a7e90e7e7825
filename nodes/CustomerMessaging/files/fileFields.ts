import { bodyField, setting } from '../core/field';
import { choice } from '../values/choices';
import { textSegment } from '../values/ids';
import { optionalText, text } from '../values/text';

const KINDS = { audio: ['Audio'], document: ['Document'], image: ['Image'], video: ['Video'] } as const;

export type FileKind = keyof typeof KINDS;

export const FILE_KINDS = Object.keys(KINDS) as FileKind[];

export const isFileKind = (type: unknown): type is FileKind => FILE_KINDS.some((one) => one === type);

export const fileKind = bodyField(
	'type',
	...choice(KINDS, 'document', {
		required: true,
		description: 'Decides which MIME types and sizes are allowed',
	}),
);

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
		{ required: true, description: fileKind.parameter.description },
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
		description: 'The UUID that the upload returned',
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
		hint: 'The name of the input field that contains the file to upload',
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
