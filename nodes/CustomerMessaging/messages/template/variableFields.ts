import type { IDataObject } from 'n8n-workflow';

import { headerFileLocator } from '../../fields/locators';
import { editorOnly, setting } from '../../core/field';
import { choice } from '../../values/choices';
import { filled, manyRows, repeatedOf, rowsBy, rowsByType, rowsWith } from '../../values/columns';
import { type Parse, InvalidValue } from '../../values/parse';
import { integerFrom, latitudeDegrees, longitudeDegrees } from '../../values/numbers';
import { isObject, jsonObjects, objectOrEmpty } from '../../values/json';
import type { NamedParameter } from '../../values/field';
import { isBlank, optionalText, quote, text } from '../../values/text';
import {
	buttonVariable,
	checkVariableNames,
	MEDIA_KINDS,
	NUMBERED,
	REFUSED_TEXT,
	refusedText,
	type VariableEntry,
	variableName,
} from './variables';

const FORM = { show: { variablesMode: ['form'] } };
const BUILD = { show: { variablesMode: ['components'] } };

export const variablesMode = setting(
	'variablesMode',
	...choice(
		{
			components: [
				'Build Components',
				'Fill in header, body and buttons by hand, for templates whose variables are not shown',
			],
			form: ['Fill In Form', 'The variables of the chosen template appear as fields'],
			json: "The components in the chat app provider's format",
		},
		'form',
		{ displayName: 'Variables' },
	),
	'template_components',
);

const OF_TEMPLATE = ['templateName.value', 'templateLanguage', 'linkVariable'];

/**
 * Shows the text of the chosen template: in a mapping mode that n8n does not know, a form shows its notice instead of its
 * fields. Its only field is the file of the header, if there is one, for the display condition of `headerFile`.
 */
const templateText = editorOnly({
	displayName: 'Template Text',
	name: 'templateText',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'shown', value: null },
	displayOptions: { hide: { templateName: ['', { _cnd: { startsWith: '=' } }] } },
	typeOptions: {
		loadOptionsDependsOn: OF_TEMPLATE,
		resourceMapper: { resourceMapperMethod: 'getTemplateText', mode: 'add', supportAutoMap: false },
	},
});

/** Returns what a locator holds. Its modes only help to enter it, so an expression may give any of them. */
const located = (value: unknown) => (isObject(value) && 'value' in value ? value.value : value);

export const headerFile = setting('headerFile', (value) => optionalText(located(value)), {
	...headerFileLocator,
	displayOptions: {
		// n8n resolves a path from the root after all parameters.
		show: {
			...FORM.show,
			'/templateText.schema[0].id': MEDIA_KINDS.map((kind) => `header_${kind}`),
		},
	},
});

export const variables = setting('variables.value', objectOrEmpty, {
	displayName: 'Template Variables',
	name: 'variables',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	builderHint: {
		propertyHint:
			'Needs no schema: { mappingMode: "defineBelow", value: { body_1: "…", body_first_name: "…", header_text_1: "…", header_image: "URL", button_0_url: "…" } }',
	},
	displayOptions: FORM,
	typeOptions: {
		loadOptionsDependsOn: OF_TEMPLATE,
		resourceMapper: {
			resourceMapperMethod: 'getTemplateVariables',
			mode: 'add',
			valuesLabel: 'Template Variables',
			fieldWords: { singular: 'variable', plural: 'variables' },
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: false,
		},
	},
});

const VARIABLE_NAME = {
	displayName: 'Variable Name',
	description: '1 for {{1}}, name for {{name}}',
};

const VARIABLE_TEXT = {
	name: 'text',
	displayName: 'Text',
	placeholder: 'e.g. Jo',
} as const;

const headerType = setting(
	'type',
	...choice(
		{ document: ['Document'], image: ['Image'], location: ['Location'], text: ['Text'], video: ['Video'] },
		'text',
	),
);

const headerColumn = (types: readonly string[], parse: Parse<string>, parameter: NamedParameter) =>
	setting(parameter.name, parse, { ...parameter, displayOptions: { show: { type: [...types] } } });

const headerColumns = [
	headerColumn(MEDIA_KINDS, (value) => filled(text)(located(value)), {
		...headerFileLocator,
		name: 'file',
		displayName: 'File',
	}),
	headerColumn(['document'], optionalText, {
		name: 'filename',
		displayName: 'File Name',
		placeholder: 'e.g. invoice.pdf',
	}),
	headerColumn(['location'], filled(latitudeDegrees), {
		name: 'latitude',
		placeholder: 'e.g. 52.5200',
	}),
	headerColumn(['location'], filled(longitudeDegrees), {
		name: 'longitude',
		placeholder: 'e.g. 13.4050',
	}),
	headerColumn(['location'], optionalText, {
		name: 'placeName',
		placeholder: 'e.g. Shop',
	}),
	headerColumn(['location'], optionalText, {
		name: 'placeAddress',
		placeholder: 'e.g. 1 Example Street, Berlin',
	}),
	headerColumn(['text'], filled(variableName), {
		name: 'name',
		...VARIABLE_NAME,
		placeholder: 'e.g. first_name',
		default: '1',
	}),
	headerColumn(['text'], filled(text), VARIABLE_TEXT),
];

const headerRows = rowsByType('header', headerType, headerColumns);

/** What stands behind `header_` and the type in the name of a variable, where it is not the name of the column. */
const HEADER_NAMES: Partial<Record<string, string>> = {
	file: '',
	placeName: '_name',
	placeAddress: '_address',
};

/** Parses the header. It reads only the columns that its type has. */
export const headerValues: Parse<VariableEntry[]> = (value) => {
	const [row] = headerRows(value);
	if (!row) return [];
	const { type, name = '', text: words, ...members } = row;
	if (words === undefined)
		return Object.entries(members).flatMap(([member, given = '']) =>
			given === '' ? [] : [[`header_${type}${HEADER_NAMES[member] ?? `_${member}`}`, given]],
		);
	if (NUMBERED.test(name) && name !== '1')
		throw new InvalidValue(
			`(Variable Name) is "${quote(name)}", but a header has only one variable`,
			'Enter 1, or the name of the variable.',
		);
	return [[`header_text_${name}`, words]];
};

export const header = setting('header', headerValues, {
	type: 'fixedCollection',
	placeholder: 'Add Header',
	displayOptions: BUILD,
	options: rowsWith('Header', 'header', [headerType, ...headerColumns]),
});

const bodyColumns = [
	setting('name', filled(variableName), { ...VARIABLE_NAME, placeholder: 'e.g. 1' }),
	setting(VARIABLE_TEXT.name, filled(text), VARIABLE_TEXT),
] as const;

const bodyRows = rowsBy('variable', bodyColumns);

export const bodyVariableValues: Parse<VariableEntry[]> = (value) => {
	const rows = bodyRows(value);
	const names = rows.map(({ name }) => name);
	const repeated = repeatedOf(names);
	if (repeated !== undefined)
		throw new InvalidValue(`have {{${quote(repeated)}}} twice`, 'Fill in each variable once.');
	checkVariableNames(names);
	return rows.map((row) => [`body_${row.name}`, row.text]);
};

export const bodyVariables = setting('bodyVariables', bodyVariableValues, {
	...manyRows('Variable', 'variable', bodyColumns, true),
	displayOptions: BUILD,
});

export const MOST_BUTTONS = 10;

export const buttonPosition = integerFrom(1, MOST_BUTTONS);

const buttonColumns = [
	setting('position', filled(buttonPosition), {
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MOST_BUTTONS },
		default: 1,
		description: 'Counting all buttons from 1',
	}),
	setting(
		'type',
		...choice(
			{ copy_code: ['Copy Code'], flow: ['Flow'], quick_reply: ['Quick Reply'], url: ['URL'] },
			'url',
		),
	),
	setting('value', filled(text), {
		placeholder: 'e.g. A-1001',
		description: 'URL suffix, value, code or flow token',
	}),
] as const;

const buttonRows = rowsBy('button', buttonColumns);

export const buttonValues: Parse<VariableEntry[]> = (value) => {
	const rows = buttonRows(value);
	const repeated = repeatedOf(rows.map((row) => row.position));
	if (repeated !== undefined)
		throw new InvalidValue(
			`have two values for the button at position ${repeated}`,
			'Count all buttons of the template, and fill in each once.',
		);
	return rows.map((row) => [buttonVariable(row.position - 1, row.type), row.value]);
};

export const buttons = setting('buttons', buttonValues, {
	...manyRows('Button', 'button', buttonColumns),
	description: 'The buttons that need a value',
	displayOptions: BUILD,
});

const json = jsonObjects('[{ "type": "body", "parameters": [{ "type": "text", "text": "Jo" }] }]');

const componentList: Parse<IDataObject[]> = (value) =>
	typeof value === 'string' && isBlank(value) ? [] : json(value);

export const componentsJson = setting('templateComponents', componentList, {
	type: 'json',
	default: '[]',
	description: "In the chat app provider's format",
	displayOptions: { show: { variablesMode: ['json'] } },
});

/** What the variables of a template are read from. */
export type VariableSetting =
	| typeof bodyVariables
	| typeof buttons
	| typeof componentsJson
	| typeof header
	| typeof headerFile
	| typeof variables
	| typeof variablesMode;

/** The fields for the variables of a template, in the order of the editor. */
export const templateVariableFields = [
	templateText,
	variablesMode,
	headerFile,
	variables,
	header,
	bodyVariables,
	buttons,
	componentsJson,
] as const;

const replacement: Parse<string> = (value) => {
	if (value === undefined || value === null)
		throw new InvalidValue(
			'is empty',
			'Check that the item has that field. An empty text removes the placeholder.',
		);
	const words = text(value);
	if (REFUSED_TEXT.test(words)) throw refusedText();
	return words;
};

const placeholderColumns = [
	setting('key', filled(text), {
		displayName: 'Placeholder',
		placeholder: 'e.g. %name%',
	}),
	setting('value', replacement, {
		placeholder: 'e.g. Jo',
	}),
] as const;

const placeholderRows = rowsBy('placeholder', placeholderColumns);

const replacements: Parse<Record<string, string> | undefined> = (value) => {
	const rows = placeholderRows(value);
	if (rows.length === 0) return undefined;
	const repeated = repeatedOf(rows.map(({ key }) => key));
	if (repeated === undefined) return Object.fromEntries(rows.map((row) => [row.key, row.value]));
	throw new InvalidValue(`have "${quote(repeated)}" twice`, 'Give each placeholder one value.');
};

export const placeholders = setting(
	'options.placeholders',
	replacements,
	{
		...manyRows('Placeholder', 'placeholder', placeholderColumns),
	},
	'placeholders',
);
