import { isObject } from '../values/json';
import { cut } from '../values/text';

// The interface does not document the fields of a template record. So this module accepts the names and shapes that
// chat-app providers use.

/** A template record or a part of it. */
type Part = Partial<Record<string, unknown>>;

/** Maximum number of characters in all texts of a template. The longest that a chat app allows has 32,768. */
const MAX_TEXT = 65_536;

/** Maximum number of characters in the lists of a template that are JSON text. */
const MAX_JSON = 262_144;

/** Maximum number of variables of a template, for a person to fill in. */
const MAX_VARIABLES = 500;

/** Maximum number of components and buttons of a template. */
const MAX_PARTS = 1000;

/** Maximum length of a label. n8n cuts longer ones, and an AI agent gets them as the name of a value. */
const MAX_LABEL = 22;

/** Maximum number of characters of a sentence on each side of a variable. */
const MAX_AROUND = 150;

/** Maximum length of the text of a button in an error message. */
const MAX_BUTTON = 100;

/** Maximum length of a variable's name. */
const MAX_NAME = 100;

/** Maximum length of the name of a type. */
const MAX_TYPE = 50;

/** A template has more of something than the form takes. The message names what. */
export class TooManyParts extends Error {}

/** What is left to read of one template. */
class Budget {
	private text = MAX_TEXT;

	private json = MAX_JSON;

	readText(text: string): string {
		this.text -= text.length;
		if (this.text < 0) throw new TooManyParts(`more than ${MAX_TEXT} characters of text`);
		return text;
	}

	readJson(json: string): string {
		this.json -= json.length;
		if (this.json < 0) throw new TooManyParts(`more than ${MAX_JSON} characters of JSON`);
		return json;
	}
}

/** A variable of a template that gets its value at sending. */
export interface TemplateVariable {
	/**
	 * Position of the variable, e.g. `body_1`, `body_first_name`, `header_image`, `button_0_url`. `componentsOf` reads
	 * it.
	 */
	id: string;
	/** Label in the form. Its Latin letters and digits differ from those of the others. */
	label: string;
	/** The variable in a sentence for people and language models, with the text around it. */
	about: string;
	required: boolean;
	/** The address of a button whose end the variable is. */
	url?: string;
}

/** Returns the first of these members that holds text, or an empty text. */
function textOf(record: Part, names: string[]): string {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'string' && value.trim() !== '') return value;
	}
	return '';
}

/** Returns the name of a template in a send request. */
export function templateName(template: Part): string {
	return textOf(template, ['name', 'template_name', 'element_name']);
}

/** Returns the language code of a template, or an empty text. */
export function templateLanguage(template: Part): string {
	const { language } = template;
	if (isObject(language)) return textOf(language, ['code']);
	return textOf(template, ['language', 'template_language', 'language_code', 'locale']);
}

/** Returns the category of a template in lower case, or an empty text. */
export function templateCategory(template: Part): string {
	return textOf(template, ['category', 'template_category']).trim().slice(0, MAX_TYPE).toLowerCase();
}

/** Returns the status of a template, or an empty text. */
export function templateStatus(template: Part): string {
	return textOf(template, ['status', 'template_status']).trim().slice(0, MAX_TYPE);
}

/** Whether a status, if there is any, is one with which a template can be sent. */
export const isApproved = (status: string) => /^(approved\b|$)/i.test(status);

/** Returns the objects of a list, which may be JSON text; undefined for anything else. */
function listOf(value: unknown, budget: Budget): Part[] | undefined {
	let list = value;
	if (typeof value === 'string' && value.trimStart().startsWith('[')) {
		const json = budget.readJson(value);
		try {
			list = JSON.parse(json);
		} catch {
			return undefined;
		}
	}
	if (!Array.isArray(list)) return undefined;
	if (list.length > MAX_PARTS) throw new TooManyParts(`more than ${MAX_PARTS} components or buttons`);
	return list.filter(isObject);
}

/** Returns the components of a template under any of their usual names; undefined if the record has none. */
function templateComponents(template: Part, budget: Budget): Part[] | undefined {
	const holders = [template, template.content, template.template, template.data, template.structure];
	for (const holder of holders) {
		if (!isObject(holder)) continue;
		for (const name of ['components', 'template_components', 'elements']) {
			const components = listOf(holder[name], budget);
			if (components) return components;
		}
	}
	return listOf(template.content, budget) ?? listOf(template.structure, budget);
}

const typeOf = (part: Part, names = ['type', 'component_type']) =>
	textOf(part, names).slice(0, MAX_TYPE).toUpperCase();

/** A variable in a text. */
export const PLACE = /\{\{\s*(\w+)\s*\}\}/g;

/** Returns the `{{…}}` variables in a text, in order and without duplicates, with the index of their first place. */
function placesIn(text: string): Map<string, number> {
	const places = new Map<string, number>();
	for (const { 1: name, index } of text.matchAll(PLACE)) {
		if (name.length > MAX_NAME)
			throw new TooManyParts(`a variable whose name has more than ${MAX_NAME} characters`);
		if (!places.has(name)) places.set(name, index);
		if (places.size > MAX_VARIABLES) throw new TooManyParts(`more than ${MAX_VARIABLES} variables`);
	}
	return places;
}

/** A variable with the sentence around it. */
interface Sentence {
	before: string;
	place: string;
	after: string;
}

const END_OF_SENTENCE = /\n|(?<=[.!?。！？])\s/;

const flat = (words: string) => words.replace(/\s+/g, ' ');

/** Returns the sentence around the variable at an index of a text. */
function sentenceAt(text: string, at: number): Sentence {
	const end = text.indexOf('}}', at) + '}}'.length;
	const from = Math.max(0, at - MAX_AROUND);
	const before = text.slice(from, at).split(END_OF_SENTENCE);
	const after = text.slice(end, end + MAX_AROUND).split(END_OF_SENTENCE);
	const isCutBefore = from > 0 && before.length === 1;
	const isCutAfter = end + MAX_AROUND < text.length && after.length === 1;
	return {
		before: flat(`${isCutBefore ? '…' : ''}${before[before.length - 1]}`).trimStart(),
		place: text.slice(at, end),
		after: flat(`${after[0]}${isCutAfter ? '…' : ''}`).trimEnd(),
	};
}

/** Returns a variable with its sentence, e.g. `{{1}} in "Hi {{1}}!"`. */
export function inSentence(text: string, at: number): string {
	const { before, place, after } = sentenceAt(text, at);
	return `${place} in "${before}${place}${after}"`;
}

/** Returns the words next to a variable, up to a length: those before it, or else those after it. */
function wordsNextTo({ before, after }: Sentence, room: number): string {
	const wordsOf = (part = '') => part.match(/[\p{L}\p{N}][^\s{}]*/gu) ?? [];
	const fitting = (words: string[], isBefore: boolean) => {
		let found = '';
		for (const word of isBefore ? words.reverse() : words) {
			const longer = isBefore ? `${word} ${found}` : `${found} ${word}`;
			if (longer.trim().length > room) break;
			found = longer.trim();
		}
		return (found || cut(words[0] ?? '', room)).replace(/[^\p{L}\p{N}…]+$/u, '');
	};
	return fitting(wordsOf(before.split('}}').pop()), true) || fitting(wordsOf(after.split('{{').at(0)), false);
}

/** Joins what a variable is with the words that tell it from others, up to `MAX_LABEL`. */
function labelOf(kind: string, words: (room: number) => string): string {
	const room = MAX_LABEL - kind.length - ' · '.length;
	const told = room > 2 ? words(room) : '';
	return told === '' ? cut(kind, MAX_LABEL) : `${kind} · ${told}`;
}

/** The name that n8n makes of a label for an AI agent. */
export const keyOf = (label: string) => label.replace(/[^a-zA-Z0-9-]+/g, '_');

/** Adds a number to what the variable of a label is. */
function numbered(label: string, number: number): string {
	const [kind, ...words] = label.split(' · ');
	const told = `${cut(kind, MAX_LABEL - ` ${number}`.length)} ${number}`;
	return cut([told, ...words].join(' · '), MAX_LABEL);
}

/** Numbers the labels that people or AI agents could not tell apart. */
function toldApart(variables: TemplateVariable[]): TemplateVariable[] {
	const counts = new Map<string, number>();
	return variables.map((variable) => {
		const key = keyOf(variable.label);
		let { label } = variable;
		let count = counts.get(key) ?? 0;
		while (counts.has(keyOf(label))) label = numbered(variable.label, ++count);
		counts.set(keyOf(label), 1).set(key, Math.max(count, 1));
		return { ...variable, label };
	});
}

/** A part of a template, as its record describes it. The texts still contain the variables. */
export type TemplatePart =
	| { part: 'body' | 'footer'; text: string }
	| { part: 'button'; index: number; type: string; text: string; url: string; phoneNumber: string }
	| { part: 'header'; format: string; text: string }
	/** A part that this module does not know. */
	| { part: 'other'; type: string };

function buttonPart(button: Part, index: number, budget: Budget): TemplatePart {
	return {
		part: 'button',
		index,
		type: typeOf(button, ['type', 'sub_type', 'button_type']).toLowerCase(),
		text: budget.readText(textOf(button, ['text', 'title', 'label'])),
		url: budget.readText(textOf(button, ['url', 'link', 'value'])),
		phoneNumber: budget.readText(textOf(button, ['phone_number', 'phone'])),
	};
}

/**
 * Returns the parts of a template, in reading order.
 *
 * @returns undefined when the record does not contain its components
 * @throws TooManyParts when the template has more parts or text than a form takes
 */
export function templateParts(template: Part): TemplatePart[] | undefined {
	const budget = new Budget();
	const components = templateComponents(template, budget);
	if (!components) return undefined;
	let buttons = 0;
	const addButton = (button: Part) => {
		if (buttons === MAX_PARTS) throw new TooManyParts(`more than ${MAX_PARTS} buttons`);
		return buttonPart(button, buttons++, budget);
	};
	return components.flatMap((component): TemplatePart[] => {
		const type = typeOf(component);
		const text = () => budget.readText(textOf(component, ['text', 'content', 'value']));
		switch (type) {
			case 'HEADER': {
				const format = typeOf(component, ['format', 'sub_type', 'media_type']).toLowerCase() || 'text';
				return [{ part: 'header', format, text: text() }];
			}
			case 'BODY':
				return [{ part: 'body', text: text() }];
			case 'FOOTER':
				return [{ part: 'footer', text: text() }];
			case 'BUTTONS': {
				const list = listOf(component.buttons, budget) ?? listOf(component.items, budget);
				return list?.map(addButton) ?? [{ part: 'other', type: 'buttons' }];
			}
			case 'BUTTON':
				return [addButton({ ...component, type: component.sub_type })];
			default:
				return [{ part: 'other', type: type.toLowerCase() }];
		}
	});
}

function textVariables(part: 'body' | 'header', text: string): TemplateVariable[] {
	const [id, kind] = part === 'body' ? ['body', 'Body'] : ['header_text', 'Header'];
	return Array.from(placesIn(text), ([name, at]) => ({
		id: `${id}_${name}`,
		label: labelOf(`${kind} ${name}`, (room) => wordsNextTo(sentenceAt(text, at), room)),
		about: `The value for ${inSentence(text, at)}`,
		required: true,
	}));
}

const inHeader = (id: string, what: string, required = true): TemplateVariable => ({
	id: `header_${id}`,
	label: `Header ${what}`,
	about: `The ${what} of the header`,
	required,
});

function headerVariables(format: string, text: string): TemplateVariable[] {
	switch (format) {
		case 'image':
		case 'video':
			return [inHeader(format, format)];
		case 'document':
			return [inHeader(format, format), inHeader('document_filename', 'file name', false)];
		case 'location':
			return [
				inHeader('location_latitude', 'latitude'),
				inHeader('location_longitude', 'longitude'),
				inHeader('location_name', 'place name', false),
				inHeader('location_address', 'address', false),
			];
		default:
			return textVariables('header', text);
	}
}

/** The buttons that take a value, with its name. */
const BUTTON_VALUES = new Map([
	['copy_code', 'Code'],
	['flow', 'Flow token'],
	['quick_reply', 'Payload'],
	['url', 'URL end'],
]);

const MAY_BE_EMPTY = ['flow', 'quick_reply'];

function buttonVariables({ index, type, text, url }: TemplatePart & { part: 'button' }): TemplateVariable[] {
	const label = BUTTON_VALUES.get(type);
	const isUrl = type === 'url';
	if (label === undefined || (isUrl && placesIn(url).size === 0)) return [];
	const shown = cut(flat(text), MAX_BUTTON);
	return [
		{
			id: `button_${index}_${type}`,
			label: labelOf(label, (room) => cut(shown, room)),
			about: `${label} of button ${index + 1} "${shown}"${isUrl ? ` (${cut(url, MAX_BUTTON)})` : ''}`,
			required: !MAY_BE_EMPTY.includes(type),
			...(isUrl && { url }),
		},
	];
}

function variablesOf(part: TemplatePart): TemplateVariable[] {
	switch (part.part) {
		case 'header':
			return headerVariables(part.format, part.text);
		case 'body':
			return textVariables('body', part.text);
		case 'button':
			return buttonVariables(part);
		default:
			return [];
	}
}

/**
 * Returns the variables of a template, in reading order.
 *
 * @returns undefined when the record does not contain its components
 * @throws TooManyParts when the template has more variables, components or text than a form takes
 */
export function templateVariables(template: Part): TemplateVariable[] | undefined {
	const parts = templateParts(template);
	if (!parts) return undefined;
	const variables = new Map<string, TemplateVariable>();
	for (const part of parts) {
		for (const variable of variablesOf(part))
			variables.set(variable.id, variables.get(variable.id) ?? variable);
		if (variables.size > MAX_VARIABLES) throw new TooManyParts(`more than ${MAX_VARIABLES} variables`);
	}
	return toldApart([...variables.values()]);
}
