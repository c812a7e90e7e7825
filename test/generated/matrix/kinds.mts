import type { INodeProperties } from 'n8n-workflow';

import { choicesOf, type ShownParameter } from './shownParameters.mts';

/** What a parameter stands for. */
export type Kind =
	| 'binary field'
	| 'boolean'
	| 'choice'
	| 'coordinate'
	| 'date'
	| 'email'
	| 'file'
	| 'free value'
	| 'id set'
	| 'integer id'
	| 'JSON array'
	| 'JSON object'
	| 'key'
	| 'name'
	| 'name set'
	| 'notice'
	| 'number'
	| 'phone'
	| 'PIN'
	| 'sort field'
	| 'tag titles'
	| 'text'
	| 'text id'
	| 'URL'
	| 'variable name';

/** Parameters that stand for something else than their type says, by name; a path tells apart what has the same name. */
const KINDS: Array<[pattern: RegExp, kind: Kind]> = [
	[/(^|\.)(displayId|phoneNumber)$/, 'phone'],
	[/^fields\.field\.name$|^options\.placeholders\.placeholder\.key$/, 'key'],
	[/^(header\.header|bodyVariables\.variable)\.name$/, 'variable name'],
	[/^fields\.field\.value$/, 'free value'],
	[/^headerFile$|^header\.header\.file$|^variables\.header_(image|video|document)$/, 'file'],
	[/(^|\.)(latitude|longitude)$/, 'coordinate'],
	[/^orderBy\.sort\.field$/, 'sort field'],
	[/(^|\.)(email|proxyEmail)$/, 'email'],
	[/(^|\.)dateOfBirth$/, 'date'],
	[/(^|\.)pin$/, 'PIN'],
	[/(^|\.)(botId|assignBotId|assignFolderId|referenceId)$/, 'integer id'],
	[/^(conversationId|fileUuid|notificationUuid)$/, 'text id'],
	[/(^|\.)(templateName|customType)$/, 'name'],
	[/^columns\.channel$/, 'choice'],
	[/(^|\.)tags$/, 'tag titles'],
	[/^binaryPropertyName$/, 'binary field'],
	[/^fileUrl$/, 'URL'],
	[/^filters\.types$/, 'name set'],
	[/(^|\.)marketingOptIn$/, 'boolean'],
];

/** What a parameter stands for, from its name or else its type. */
export function kindOf({ path, property }: ShownParameter): Kind {
	const named = KINDS.find(([pattern]) => pattern.test(path));
	// What takes a file out of the node may have any name.
	if (named?.[1] === 'binary field' && /output/i.test(property.displayName)) return 'key';
	if (named) return named[1];
	switch (property.type) {
		case 'boolean':
			return 'boolean';
		case 'number':
			return 'number';
		case 'dateTime':
			return 'date';
		case 'multiOptions':
			return 'id set';
		case 'notice':
			return 'notice';
		case 'json':
			return String(property.default).startsWith('[') ? 'JSON array' : 'JSON object';
		case 'options':
			if (choicesOf(property).every((value) => typeof value === 'boolean') && property.options?.length)
				return 'boolean';
			return property.typeOptions?.loadOptionsMethod ? 'name' : 'choice';
		case 'resourceLocator':
			return 'integer id';
		default:
			return 'text';
	}
}

/** Two values of each kind that differ in what they mean; the first stands for itself wherever it appears on the wire. */
const SAMPLES: Record<Exclude<Kind, 'choice' | 'notice'>, [unknown, unknown]> = {
	'binary field': ['data', 'other'],
	boolean: [true, false],
	coordinate: ['52.7101', '13.4'],
	date: ['1987-01-07', '1990-05-17'],
	email: ['omega@mail.example', 'sigma@mail.example'],
	file: ['https://files.example/omega.png', 'https://files.example/sigma.png'],
	'free value': ['Omega', 'Sigma'],
	'id set': [[7101], [7102]],
	'integer id': ['7101', '7102'],
	'JSON array': [
		'[{"type":"body","parameters":[{"type":"text","text":"Omega"}]}]',
		'[{"type":"body","parameters":[{"type":"text","text":"Sigma"}]}]',
	],
	'JSON object': ['{"text":{"content":"Omega"}}', '{"text":{"content":"Sigma"},"note_line":""}'],
	key: ['omega', 'sigma'],
	name: ['Omega', 'Sigma'],
	'name set': [['Alpha'], ['Beta']],
	number: [1, 2],
	phone: ['+49 171 7101000', '+49 171 7102000'],
	PIN: ['710100', '710200'],
	'sort field': ['omega', 'sigma'],
	'tag titles': ['Omega', 'Sigma'],
	text: ['Omega', 'Sigma'],
	'text id': ['7e000000-0000-4000-8000-000000007101', '7e000000-0000-4000-8000-000000007102'],
	'variable name': ['omega', 'sigma'],
	URL: ['https://files.example/omega.png', 'https://files.example/sigma.png'],
};

/** Two values of a parameter that differ in what they mean. */
export function samplesOf(parameter: ShownParameter): [unknown, unknown] {
	const kind = kindOf(parameter);
	if (kind === 'notice') return ['', ''];
	if (kind !== 'choice') {
		const [a, b] = SAMPLES[kind];
		// What is over is nothing to wait for.
		if (parameter.path.endsWith('maxDateAndTime')) return ['2087-01-07', '2090-05-17'];
		// A list of texts, as JSON, is not a list of components.
		return parameter.field && kind === 'JSON array' ? ['["Omega"]', '["Sigma"]'] : [a, b];
	}
	const values = (parameter.property.options ?? []) as Array<INodeProperties & { value: unknown }>;
	const [first = { value: 'chatapp' }, second = first] = values;
	return [first.value, second.value];
}

/** What a parameter holds while another is looked at: a sample that cannot be mistaken for the other's first one. */
export function fillerOf(parameter: ShownParameter): unknown {
	const [a, b] = samplesOf(parameter);
	if (kindOf(parameter) === 'binary field') return a;
	// The buttons of the rows are others than that with the link, which wins.
	if (parameter.path === 'linkVariable') return 3;
	if (kindOf(parameter) !== 'choice') return b;
	const { options = [], default: usual } = parameter.property;
	return options.some((option) => 'value' in option && option.value === usual) ? usual : a;
}

/** Parameters that take their value from a list and may be left to n8n's default. */
export const isSet = (kind: Kind) => kind === 'id set' || kind === 'tag titles';

/** What the modes of a locator take, where it is not an ID. */
const MODE_KINDS: Record<string, keyof typeof SAMPLES | undefined> = {
	binary: 'binary field',
	phone: 'phone',
	url: 'URL',
};

/** Two values of a locator for one of its modes. */
export function modeSamples(parameter: ShownParameter, mode: string): [unknown, unknown] {
	const kind = MODE_KINDS[mode];
	return kind ? SAMPLES[kind] : samplesOf(parameter);
}
