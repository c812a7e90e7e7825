import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { headerMedia } from './headerMedia';
import { componentsOf, type VariableValues } from './templateComponents';
import { converted, jsonOf } from './values';

const json = jsonOf('array', '[{ "type": "body", "parameters": [{ "type": "text", "text": "Jo" }] }]');

const FORM = { show: { variablesMode: ['form'] } };
const BUILD = { show: { variablesMode: ['components'] } };

/** How to fill the variables of a template: as a form, built by hand, or as JSON. */
export const templateVariableParameters: INodeProperties[] = [
	{
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
	},
	{
		displayName:
			'For an image, video or document in the header, enter a URL that anyone can open, the UUID of an uploaded file, or the name of a binary field.',
		name: 'variablesNotice',
		type: 'notice',
		default: '',
		displayOptions: FORM,
	},
	{
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
	},
	{
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
	},
	{
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
	},
	{
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
	},
	{
		displayName: 'Template Components',
		name: 'templateComponents',
		type: 'json',
		default: '[]',
		description:
			"The components in the chat app provider's format, which tell how to fill the variables; an empty list when there are none",
		displayOptions: { show: { variablesMode: ['json'] } },
	},
];

interface FormField {
	id: string;
	displayName: string;
	required?: boolean;
	removed?: boolean;
}

/**
 * The values of the form.
 *
 * @throws NodeOperationError when a variable that the template needs is empty
 */
function formValues(context: IExecuteSingleFunctions): VariableValues {
	const values = (context.getNodeParameter('variables.value', {}) ?? {}) as VariableValues;
	const fields = context.getNodeParameter('variables.schema', []) as unknown as FormField[];
	const missing = fields.find(({ id, required, removed }) => {
		const value = values[id];
		return required && !removed && (value === undefined || value === null || value === '');
	});
	if (missing) {
		throw new NodeOperationError(context.getNode(), `${missing.displayName} is empty`, {
			itemIndex: context.getItemIndex(),
			description:
				'The template needs a value for this variable. If it comes from an expression, check that the item has that field.',
		});
	}
	return values;
}

/** The values of the components built by hand, by the IDs that the form uses. */
function builtValues(context: IExecuteSingleFunctions): VariableValues {
	const header = context.getNodeParameter('header.header', {}) as IDataObject;
	const body = context.getNodeParameter('bodyVariables.variable', []) as IDataObject[];
	const buttons = context.getNodeParameter('buttons.button', []) as IDataObject[];
	const values: VariableValues = {};
	if (header.type === 'location') {
		values.header_location_latitude = header.latitude;
		values.header_location_longitude = header.longitude;
		values.header_location_name = header.placeName;
		values.header_location_address = header.placeAddress;
	} else if (header.type === 'text') {
		values[`header_text_${String(header.name)}`] = header.text;
	} else if (header.type !== undefined) {
		values[`header_${String(header.type)}`] = header.file;
		values.header_document_filename = header.filename;
	}
	for (const { name, text } of body) values[`body_${String(name).trim()}`] = text;
	for (const { position, type, value } of buttons) {
		values[`button_${Number(position) - 1}_${String(type)}`] = value;
	}
	return values;
}

/**
 * The components of the current item's template message, in the chat-app provider's format.
 *
 * @returns an empty list when there are no variables
 * @throws NodeOperationError that names the variable or the file
 */
export async function templateComponents(context: IExecuteSingleFunctions): Promise<IDataObject[]> {
	const mode = context.getNodeParameter('variablesMode', 'form');
	if (mode === 'json') {
		const typed = context.getNodeParameter('templateComponents', '[]');
		return converted(context, 'Template Components', json, typed === '' ? [] : typed) as IDataObject[];
	}
	const values = mode === 'components' ? builtValues(context) : formValues(context);
	return await componentsOf(values, headerMedia(context));
}
