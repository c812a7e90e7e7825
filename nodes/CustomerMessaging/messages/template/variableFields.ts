import type { IDataObject, NodeOperationError } from 'n8n-workflow';

import { readRecord } from '../../api/records';
import { headerFileLocator } from '../../fields/locators';
import { openForSending, requiredMember, uploadForSending } from '../../files/upload';
import { editorOnly, setting } from '../../core/field';
import { fieldError } from '../../core/fieldError';
import type { Item } from '../../core/item';
import { choice } from '../../values/choices';
import { distinct, filled, manyRows, rowsBy, rowsWith } from '../../values/columns';
import { type Parse, InvalidValue } from '../../values/parse';
import { integerFrom, latitudeDegrees, longitudeDegrees } from '../../values/numbers';
import { isObject, jsonObjects, objectOrEmpty, objectsOf } from '../../values/json';
import type { NamedParameter } from '../../values/field';
import { emptyValue, isBlank, optionalText, quote, stringOf, text, textOrNothing } from '../../values/text';
import type { SettingOf } from '../sendingOption';
import {
	buttonComponent,
	buttonVariable,
	checkNumbers,
	checkWords,
	lowerOf,
	MEDIA_KINDS,
	type MediaResolver,
	placeOf,
	VARIABLE,
	type VariableEntry,
	variableName,
	variablesIn,
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

/** Makes the parts of a form that is made from the chosen template. */
const formOf = (resourceMapperMethod: string, more: object = {}) => ({
	type: 'resourceMapper' as const,
	noDataExpression: true,
	typeOptions: {
		loadOptionsDependsOn: ['templateName.value', 'templateLanguage', 'linkVariable'],
		resourceMapper: { resourceMapperMethod, mode: 'add' as const, ...more, supportAutoMap: false },
	},
});

/**
 * Shows the text of the chosen template: in a mapping mode that n8n does not know, a form shows its notice instead of its
 * fields. Its only field is the file of the header, if there is one, for the display condition of `headerFile`.
 */
const templateText = editorOnly({
	...formOf('getTemplateText'),
	displayName: 'Template Text',
	name: 'templateText',
	default: { mappingMode: 'shown', value: null },
	displayOptions: { hide: { templateName: ['', { _cnd: { startsWith: '=' } }] } },
});

/** Returns what a locator holds. Its modes only help to enter it, so an expression may give any of them. */
const locatorValue = (value: unknown) => (isObject(value) && 'value' in value ? value.value : value);

export const headerFile = setting('headerFile', (value) => optionalText(locatorValue(value)), {
	...headerFileLocator,
	displayOptions: {
		// n8n resolves a path from the root after all parameters.
		show: { ...FORM.show, '/templateText.schema[0].id': MEDIA_KINDS.map((kind) => `header_${kind}`) },
	},
});

const variablesForm = setting('variables.value', objectOrEmpty, {
	...formOf('getTemplateVariables', {
		valuesLabel: 'Template Variables',
		fieldWords: { singular: 'variable', plural: 'variables' },
		addAllFields: true,
		multiKeyMatch: false,
	}),
	displayName: 'Template Variables',
	name: 'variables',
	default: { mappingMode: 'defineBelow', value: null },
	builderHint: {
		propertyHint:
			'Needs no schema: { mappingMode: "defineBelow", value: { body_1: "…", body_first_name: "…", header_text_1: "…", header_image: "URL", button_0_url: "…" } }',
	},
	displayOptions: FORM,
});

const VARIABLE_NAME = { displayName: 'Variable Name', description: '1 for {{1}}, name for {{name}}' };

const VARIABLE_TEXT = { name: 'text', displayName: 'Text', placeholder: 'e.g. Jo' } as const;

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
	headerType,
	headerColumn(MEDIA_KINDS, (value) => filled(text)(locatorValue(value)), {
		...headerFileLocator,
		name: 'file',
		displayName: 'File',
	}),
	headerColumn(['document'], optionalText, {
		name: 'filename',
		displayName: 'File Name',
		placeholder: 'e.g. invoice.pdf',
	}),
	headerColumn(['location'], filled(text), { name: 'latitude', placeholder: 'e.g. 52.5200' }),
	headerColumn(['location'], filled(text), { name: 'longitude', placeholder: 'e.g. 13.4050' }),
	headerColumn(['location'], optionalText, { name: 'placeName', placeholder: 'e.g. Shop' }),
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
] as const;

const headerRows = rowsBy('header', headerColumns);

/** What stands behind `header_` and the type in the name of a variable, where it is not the name of the column. */
const HEADER_NAMES: Partial<Record<string, string>> = {
	file: '',
	placeName: '_name',
	placeAddress: '_address',
};

/** Parses the header. It reads only the columns that its type has. */
export const headerValues: Parse<VariableEntry[]> = (value) => {
	const [row]: Array<Partial<Record<string, string>>> = headerRows(value);
	const { type, name, text: words, ...members } = row ?? {};
	if (words !== undefined) return [[`header_text_${name}`, words]];
	return Object.entries(members).map(([member, given = '']) => [
		`header_${type}${HEADER_NAMES[member] ?? `_${member}`}`,
		given,
	]);
};

const header = setting('header', headerValues, {
	type: 'fixedCollection',
	placeholder: 'Add Header',
	displayOptions: BUILD,
	options: rowsWith('Header', 'header', headerColumns),
});

const bodyColumns = [
	setting('name', filled(variableName), { ...VARIABLE_NAME, placeholder: 'e.g. 1' }),
	setting(VARIABLE_TEXT.name, filled(text), VARIABLE_TEXT),
] as const;

const bodyRows = distinct(rowsBy('variable', bodyColumns), ({ name }) => name);

export const bodyVariableValues: Parse<VariableEntry[]> = (value) =>
	bodyRows(value).map(({ name, text: words }) => [`body_${name}`, words]);

const bodyVariables = setting('bodyVariables', bodyVariableValues, {
	...manyRows('Variable', 'variable', bodyColumns, true),
	displayOptions: BUILD,
});

const MOST_BUTTONS = 10;

export const BUTTON_NUMBER = {
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MOST_BUTTONS },
	default: 1,
} as const;

export const buttonPosition = integerFrom(1, MOST_BUTTONS);

const buttonColumns = [
	setting('position', filled(buttonPosition), {
		...BUTTON_NUMBER,
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

const buttonRows = distinct(rowsBy('button', buttonColumns), ({ position }) => position);

export const buttonValues: Parse<VariableEntry[]> = (value) =>
	buttonRows(value).map((row) => [buttonVariable(row.position - 1, row.type), row.value]);

const buttons = setting('buttons', buttonValues, {
	...manyRows('Button', 'button', buttonColumns),
	description: 'The buttons that need a value',
	displayOptions: BUILD,
});

const EXAMPLE = '[{ "type": "body", "parameters": [{ "type": "text", "text": "Jo" }] }]';

const componentList: Parse<IDataObject[]> = (value) =>
	typeof value === 'string' && isBlank(value) ? [] : jsonObjects(EXAMPLE)(value);

const componentsJson = setting('templateComponents', componentList, {
	type: 'json',
	default: '[]',
	description: "In the chat app provider's format",
	displayOptions: { show: { variablesMode: ['json'] } },
});

/** The fields for the variables of a template, in the order of the editor. */
export const templateVariableFields = [
	templateText,
	variablesMode,
	headerFile,
	variablesForm,
	header,
	bodyVariables,
	buttons,
	componentsJson,
] as const;

export type VariableSetting = SettingOf<(typeof templateVariableFields)[number]>;

/** What an item gives for the variables of its template. */
interface GivenVariables {
	variables: Map<string, string>;
	/** The components, if the user has entered them. Then they are sent as they are. */
	components?: IDataObject[];
	/** What keeps the message from being sent. One about a required variable without a value has its name and what it is for. */
	problems: Array<{ error: NodeOperationError; missing?: VariableEntry }>;
}

const LABEL = variablesMode.parameter.displayName;

const PARSERS: Partial<Record<string, Parse<string>>> = {
	header_location_latitude: latitudeDegrees,
	header_location_longitude: longitudeDegrees,
};

/** Names of variables that the chat app takes for words, which it checks. */
const WORDS = /^(?:body|header_text)_|^button_.*_url$/s;

/** Puts the component of a button in place of the user's. */
function withButton(components: IDataObject[], own: VariableEntry): IDataObject[] {
	const button = buttonComponent(own);
	const isOther = ({ type, index }: IDataObject) =>
		lowerOf(type) !== 'button' || stringOf(index) !== button.index;
	return [...components.filter(isOther), button];
}

/**
 * Returns what an item gives for the variables of its template, and what is missing or refused. Nothing else decides whether the
 * message can be sent, so that a preview tells the same.
 *
 * @param own value of a button that the operation gives by itself, which wins over that of the user
 */
export function readVariables(item: Item<VariableSetting>, own?: VariableEntry): GivenVariables {
	const { context } = item;
	const mode = item.get(variablesMode);
	const components = mode === 'json' ? item.get(componentsJson) : undefined;
	const fields: IDataObject[] = [];
	const given = new Map<string, unknown>();
	if (mode === 'form') {
		// The workflow stores the fields next to their values.
		fields.push(...objectsOf(context.getNodeParameter('templateText.schema', [])));
		for (const [name, value] of Object.entries(item.get(variablesForm))) given.set(name, value);
		const [file] = fields;
		const fileValue = file && item.get(headerFile);
		if (fileValue) given.set(stringOf(file.id), fileValue);
		fields.push(...objectsOf(context.getNodeParameter('variables.schema', [])));
	} else {
		const built = () => [...item.get(header), ...item.get(bodyVariables), ...item.get(buttons)];
		for (const [name, value] of components ? variablesIn(components) : built()) given.set(name, value);
	}
	if (own) given.set(...own);

	const variables = new Map<string, string>();
	const problems: GivenVariables['problems'] = [];
	const refuse = (label: string, thrown: unknown, missing?: VariableEntry) => {
		if (!(thrown instanceof InvalidValue)) throw thrown;
		problems.push({ error: fieldError(context, label, thrown), missing });
	};
	const labels = new Map<string, string>();
	for (const { id, displayName, isNeeded, about } of fields) {
		const [name, label] = [stringOf(id), stringOf(displayName)];
		labels.set(name, label);
		if (isNeeded !== true || !isBlank(given.get(name))) continue;
		const what = stringOf(about ?? label);
		const remedy = `Fill in "${label}". If the value comes from an expression, check that the item has that field.`;
		refuse(what, new InvalidValue('is missing', remedy), [name, what]);
	}
	for (const [name, value] of given)
		try {
			if (!VARIABLE.test(name) || isBlank(value)) continue;
			// What is not of the form is parsed already: half of a character that was cut would be refused the second time.
			const words = ((!components && PARSERS[name]) || (mode === 'form' ? text : stringOf))(value);
			variables.set(name, words);
			if (WORDS.test(name)) checkWords(words);
		} catch (thrown) {
			refuse(labels.get(name) || `${LABEL} (${placeOf(name)})`, thrown);
		}
	try {
		// Where one is missing or refused, the numbers have a gap anyway. Components are sent as they are.
		if (problems.length === 0 && !components) checkNumbers(variables);
	} catch (thrown) {
		refuse(LABEL, thrown);
	}
	return { variables, components: components && own ? withButton(components, own) : components, problems };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Makes what returns the address of a header's file: a URL, the temporary URL of an uploaded file, or that of a binary field, which
 * is uploaded unless nothing is to be sent. It throws NodeOperationError when the value is none of these, or the tenant does not allow
 * the file.
 */
export const headerFilesOf =
	({ context }: Item<VariableSetting>, isPreview = false): MediaResolver =>
	async (type, value) => {
		const typed = value.trim();
		if (/^https?:\/\/[^\s/]/i.test(typed)) return { link: typed };
		if (UUID.test(typed)) {
			const file = await readRecord(context.api, 'GET /files/{uuid}/temporary-url', { uuid: typed });
			return { link: requiredMember(context, file, 'url') };
		}
		if (!Object.hasOwn(context.getInputData().binary ?? {}, typed)) {
			const invalid = new InvalidValue(
				`"${quote(typed)}" is not a file`,
				'Enter a URL that anyone can open, the UUID of an uploaded file, or the name of a binary field of the input item.',
			);
			throw fieldError(context, headerFile.parameter.displayName, invalid);
		}
		if (isPreview) return { link: null, filename: (await openForSending(context, typed, type)).name };
		// Public, because the chat app has to open it.
		const file = await uploadForSending(context, typed, { type, public: 1 });
		return { link: requiredMember(context, file, 'url'), filename: textOrNothing(file.name) };
	};

const replacement: Parse<string> = (value) => {
	// An empty text removes the placeholder.
	if (value === undefined || value === null) throw emptyValue();
	const words = text(value);
	checkWords(words);
	return words;
};

const placeholderColumns = [
	setting('key', filled(text), { displayName: 'Placeholder', placeholder: 'e.g. %name%' }),
	setting('value', replacement, { placeholder: 'e.g. Jo' }),
] as const;

const placeholderRows = distinct(rowsBy('placeholder', placeholderColumns), ({ key }) => key);

const replacements: Parse<Record<string, string> | undefined> = (value) => {
	const rows = placeholderRows(value);
	return rows.length > 0 ? Object.fromEntries(rows.map((row) => [row.key, row.value])) : undefined;
};

export const placeholders = setting(
	'options.placeholders',
	replacements,
	manyRows('Placeholder', 'placeholder', placeholderColumns),
	'placeholders',
);
