import type { IDataObject } from 'n8n-workflow';

import { notice, setting } from '../runner/field';
import { oneOf } from '../values/choices';
import type { Conversion } from '../values/conversion';
import { jsonObjects, objectOrEmpty } from '../values/json';
import { MEDIA_KINDS } from './templateComponents';
import {
	bodyColumns,
	bodyVariableValues,
	buttonColumns,
	buttonValues,
	headerColumns,
	headerValues,
} from './templateVariableRows';

const json = jsonObjects('[{ "type": "body", "parameters": [{ "type": "text", "text": "Jo" }] }]');

const componentList: Conversion<IDataObject[]> = (value) => (value === '' ? [] : json(value));

const FORM = { show: { variablesMode: ['form'] } };
const BUILD = { show: { variablesMode: ['components'] } };

/** The way to fill in the variables of a template: in a form, by hand, or as JSON. */
export const variablesMode = setting(
	'variablesMode',
	oneOf('components', 'form', 'json'),
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
	'template_components',
);

const mediaNotice = notice({
	displayName:
		'For the file in the header, enter a URL that anyone can open, the UUID of an uploaded file, or the name of a binary field.',
	name: 'variablesNotice',
	type: 'notice',
	default: '',
	displayOptions: {
		// The form lists a file first. n8n resolves a path from the root after all parameters.
		show: { ...FORM.show, '/variables.schema[0].id': MEDIA_KINDS.map((kind) => `header_${kind}`) },
	},
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
		loadOptionsDependsOn: ['templateName.value', 'templateLanguage', 'linkVariable'],
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

export const header = setting('header', headerValues, {
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
			values: headerColumns.map(({ parameter }) => parameter),
		},
	],
});

export const bodyVariables = setting('bodyVariables', bodyVariableValues, {
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
			values: bodyColumns.map(({ parameter }) => parameter),
		},
	],
});

export const buttons = setting('buttons', buttonValues, {
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
			values: buttonColumns.map(({ parameter }) => parameter),
		},
	],
});

export const componentsJson = setting('templateComponents', componentList, {
	displayName: 'Template Components',
	name: 'templateComponents',
	type: 'json',
	default: '[]',
	description: "The components in the chat app provider's format; an empty list without variables",
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
