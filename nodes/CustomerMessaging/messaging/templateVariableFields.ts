import { notice, setting } from '../runner/field';
import { oneOf } from '../values/choices';
import type { Conversion } from '../values/conversion';
import { jsonArray } from '../values/json';
import { objectOrEmpty, rowOf, rowsOf } from '../values/rows';

const json = jsonArray('[{ "type": "body", "parameters": [{ "type": "text", "text": "Jo" }] }]');

const jsonOrNothing: Conversion<unknown[]> = (value) => (value === '' ? [] : json(value));

const FORM = { show: { variablesMode: ['form'] } };
const BUILD = { show: { variablesMode: ['components'] } };

/** The way to fill in the variables of a template: in a form, by hand, or as JSON. */
export const variablesMode = setting('variablesMode', oneOf('components', 'form', 'json'), {
	displayName: 'Variables',
	name: 'variablesMode',
	type: 'options',
	options: [
		{
			name: 'Build Components',
			value: 'components',
			description: 'Fill in header, body and buttons by hand, for templates whose variables are not shown',
		},
		{
			name: 'Fill In Form',
			value: 'form',
			description: 'The variables of the chosen template appear as fields',
		},
		{
			name: 'JSON',
			value: 'json',
			description: "The components in the chat app provider's format",
		},
	],
	default: 'form',
	description: 'How to fill in the variables of the template',
});

const mediaNotice = notice({
	displayName:
		'For an image, video or document in the header, enter a URL that anyone can open, the UUID of an uploaded file, or the name of a binary field.',
	name: 'variablesNotice',
	type: 'notice',
	default: '',
	displayOptions: FORM,
});

export const variables = setting('variables.value', objectOrEmpty, {
	displayName: 'Template Variables',
	name: 'variables',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	description: 'The values for the variables of the template',
	displayOptions: FORM,
	typeOptions: {
		loadOptionsDependsOn: ['templateName.value', 'templateLanguage'],
		resourceMapper: {
			resourceMapperMethod: 'getTemplateVariables',
			mode: 'add',
			fieldWords: { singular: 'variable', plural: 'variables' },
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: false,
		},
	},
});

export const header = setting('header', rowOf('header'), {
	displayName: 'Header',
	name: 'header',
	type: 'fixedCollection',
	placeholder: 'Add Header',
	default: {},
	description: 'What the header of the template shows',
	displayOptions: BUILD,
	options: [
		{
			displayName: 'Header',
			name: 'header',
			values: [
				{
					displayName: 'File',
					name: 'file',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://example.com/parcel.jpg',
					description: 'A URL, the UUID of an uploaded file, or the name of a binary field',
				},
				{
					displayName: 'File Name',
					name: 'filename',
					type: 'string',
					default: '',
					placeholder: 'e.g. invoice.pdf',
					description: 'The name under which the document is shown',
				},
				{
					displayName: 'Latitude',
					name: 'latitude',
					type: 'string',
					default: '',
					placeholder: 'e.g. 52.5200',
					description: 'The latitude in degrees',
				},
				{
					displayName: 'Longitude',
					name: 'longitude',
					type: 'string',
					default: '',
					placeholder: 'e.g. 13.4050',
					description: 'The longitude in degrees',
				},
				{
					displayName: 'Place Address',
					name: 'placeAddress',
					type: 'string',
					default: '',
					placeholder: 'e.g. 1 Example Street, Berlin',
					description: 'The address of the place',
				},
				{
					displayName: 'Place Name',
					name: 'placeName',
					type: 'string',
					default: '',
					placeholder: 'e.g. Shop',
					description: 'The name of the place',
				},
				{
					displayName: 'Text',
					name: 'text',
					type: 'string',
					default: '',
					placeholder: 'e.g. Jo',
					description: 'The text for the variable',
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					options: [
						{
							name: 'Document',
							value: 'document',
						},
						{
							name: 'Image',
							value: 'image',
						},
						{
							name: 'Location',
							value: 'location',
						},
						{
							name: 'Text',
							value: 'text',
						},
						{
							name: 'Video',
							value: 'video',
						},
					],
					default: 'text',
					description: 'What kind of header the template has',
				},
				{
					displayName: 'Variable Name',
					name: 'name',
					type: 'string',
					default: '1',
					placeholder: 'e.g. first_name',
					description: 'What stands between the braces: 1 for {{1}}, first_name for {{first_name}}',
				},
			],
		},
	],
});

export const bodyVariables = setting('bodyVariables', rowsOf('variable'), {
	displayName: 'Body Variables',
	name: 'bodyVariables',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Variable',
	default: {},
	description: 'The variables in the text of the template',
	displayOptions: BUILD,
	options: [
		{
			displayName: 'Variable',
			name: 'variable',
			values: [
				{
					displayName: 'Variable Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. 1',
					description: 'What stands between the braces: 1 for {{1}}, first_name for {{first_name}}',
				},
				{
					displayName: 'Text',
					name: 'text',
					type: 'string',
					default: '',
					placeholder: 'e.g. Jo',
					description: 'The text for the variable',
				},
			],
		},
	],
});

export const buttons = setting('buttons', rowsOf('button'), {
	displayName: 'Buttons',
	name: 'buttons',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Button',
	default: {},
	description: 'The buttons of the template that take a value',
	displayOptions: BUILD,
	options: [
		{
			displayName: 'Button',
			name: 'button',
			values: [
				{
					displayName: 'Position',
					name: 'position',
					type: 'number',
					typeOptions: { minValue: 1, maxValue: 10 },
					default: 1,
					description: 'Which button it is, counted from 1 over all buttons of the template',
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					options: [
						{ name: 'Copy Code', value: 'copy_code' },
						{ name: 'Flow', value: 'flow' },
						{ name: 'Quick Reply', value: 'quick_reply' },
						{ name: 'URL', value: 'url' },
					],
					default: 'url',
					description: 'What kind of button it is',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. A-1001',
					description:
						'The end of the URL, the payload of the reply, the code to copy, or the token of the flow',
				},
			],
		},
	],
});

export const componentsJson = setting('templateComponents', jsonOrNothing, {
	displayName: 'Template Components',
	name: 'templateComponents',
	type: 'json',
	default: '[]',
	description:
		"The components in the chat app provider's format, which tell how to fill the variables; an empty list when there are none",
	displayOptions: { show: { variablesMode: ['json'] } },
});

/** The fields for the variables of a template. */
export const templateVariableFields = [
	variablesMode,
	mediaNotice,
	variables,
	header,
	bodyVariables,
	buttons,
	componentsJson,
] as const;

/** The settings among these fields. */
export const templateVariableSettings = [
	variablesMode,
	variables,
	header,
	bodyVariables,
	buttons,
	componentsJson,
] as const;
