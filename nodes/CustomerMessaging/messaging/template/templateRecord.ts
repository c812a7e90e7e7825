import { isObject } from '../../values/json';

// The interface does not document the fields of a template record. So this module accepts the names and shapes that
// chat-app providers use.

export type TemplateRecord = Partial<Record<string, unknown>>;

/** Maximum number of characters in all texts of a template. The longest that a chat app allows has 32,768. */
const MAX_TEXT = 65_536;

const MAX_JSON = 262_144;

export const MAX_VARIABLES = 500;

const MAX_PARTS = 1000;
const MAX_NAME = 100;
const MAX_TYPE = 50;

/** A template has more of something than the form takes. The message names what. */
export class TooManyParts extends Error {}

/** Returns a text of the template. It counts the characters, and throws beyond the limit. */
type Counter = (text: string) => string;

function counter(limit: number, what: string): Counter {
	let left = limit;
	return (text) => {
		left -= text.length;
		if (left < 0) throw new TooManyParts(`more than ${limit} characters of ${what}`);
		return text;
	};
}

function textOf(record: TemplateRecord, names: string[]): string {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'string' && value.trim() !== '') return value;
	}
	return '';
}

export const templateName = (template: TemplateRecord) =>
	textOf(template, ['name', 'template_name', 'element_name']);

export const templateLanguage = (template: TemplateRecord) =>
	isObject(template.language)
		? textOf(template.language, ['code'])
		: textOf(template, ['language', 'template_language', 'language_code', 'locale']);

const wordOf = (template: TemplateRecord, names: string[]) =>
	textOf(template, names).trim().slice(0, MAX_TYPE);

export const templateCategory = (template: TemplateRecord) =>
	wordOf(template, ['category', 'template_category']).toLowerCase();

export const templateStatus = (template: TemplateRecord) => wordOf(template, ['status', 'template_status']);

/** Whether a status, if there is any, is one with which a template can be sent. */
export const isApproved = (status: string) => /^(approved\b|$)/i.test(status);

function listOf(value: unknown, readJson: Counter): TemplateRecord[] | undefined {
	let list = value;
	if (typeof value === 'string' && value.trimStart().startsWith('[')) {
		const json = readJson(value);
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
function componentsOfRecord(template: TemplateRecord, readJson: Counter): TemplateRecord[] | undefined {
	const holders = [template, template.content, template.template, template.data, template.structure];
	for (const holder of holders) {
		if (!isObject(holder)) continue;
		for (const name of ['components', 'template_components', 'elements']) {
			const components = listOf(holder[name], readJson);
			if (components) return components;
		}
	}
	return listOf(template.content, readJson) ?? listOf(template.structure, readJson);
}

const typeOf = (part: TemplateRecord, names = ['type', 'component_type']) =>
	textOf(part, names).slice(0, MAX_TYPE).toLowerCase();

/** A place, with a name as people enter it: see `variableName`. */
export const PLACE = /\{\{\s*([\p{L}\p{N}_][\p{L}\p{N}_-]*)\s*\}\}/gu;

/** Returns the `{{…}}` variables in a text, in order and without duplicates, with the index of their first place. */
export function placesIn(text: string): Map<string, number> {
	const places = new Map<string, number>();
	for (const { 1: name, index } of text.matchAll(PLACE)) {
		if (name.length > MAX_NAME)
			throw new TooManyParts(`a variable whose name has more than ${MAX_NAME} characters`);
		if (!places.has(name)) places.set(name, index);
		if (places.size > MAX_VARIABLES) throw new TooManyParts(`more than ${MAX_VARIABLES} variables`);
	}
	return places;
}

/** A part of a template, as its record describes it. The texts still contain the variables. */
export type TemplatePart =
	| { part: 'body' | 'footer'; text: string }
	| { part: 'button'; index: number; type: string; text: string; url: string; phoneNumber: string }
	| { part: 'header'; format: string; text: string }
	| { part: 'other'; type: string };

function buttonPart(button: TemplateRecord, index: number, readText: Counter): TemplatePart {
	return {
		part: 'button',
		index,
		type: typeOf(button, ['type', 'sub_type', 'button_type']),
		text: readText(textOf(button, ['text', 'title', 'label'])),
		url: readText(textOf(button, ['url', 'link', 'value'])),
		phoneNumber: readText(textOf(button, ['phone_number', 'phone'])),
	};
}

/**
 * Returns the parts of a template, in reading order; undefined when the record does not contain its components.
 *
 * @throws TooManyParts when the template has more parts or text than a form takes
 */
export function templateParts(template: TemplateRecord): TemplatePart[] | undefined {
	const readText = counter(MAX_TEXT, 'text');
	const readJson = counter(MAX_JSON, 'JSON');
	let buttons = 0;
	const addButton = (button: TemplateRecord) => {
		if (buttons === MAX_PARTS) throw new TooManyParts(`more than ${MAX_PARTS} buttons`);
		return buttonPart(button, buttons++, readText);
	};
	return componentsOfRecord(template, readJson)?.flatMap((component): TemplatePart | TemplatePart[] => {
		const part = typeOf(component);
		const text = () => readText(textOf(component, ['text', 'content', 'value']));
		switch (part) {
			case 'header': {
				const format = typeOf(component, ['format', 'sub_type', 'media_type']) || 'text';
				return { part, format, text: text() };
			}
			case 'body':
			case 'footer':
				return { part, text: text() };
			case 'buttons': {
				const list = listOf(component.buttons, readJson) ?? listOf(component.items, readJson);
				return list?.map(addButton) ?? { part: 'other', type: part };
			}
			case 'button':
				return addButton({ ...component, type: component.sub_type });
			default:
				return { part: 'other', type: part };
		}
	});
}
