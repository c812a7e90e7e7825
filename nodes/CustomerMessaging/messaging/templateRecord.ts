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

/** Maximum length of a label. */
const MAX_LABEL = 200;

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
	/** Label in the form, with the text around the variable. */
	label: string;
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

/**
 * Returns the text around one variable, short enough for a label.
 *
 * @param text without several spaces in a row
 * @param at index of the first place of the variable
 */
function around(text: string, name: string, at: number): string {
	// n8n cuts labels after about twenty characters. The text after the variable is more useful than the text long before
	// it.
	const [mostBefore, mostAfter] = [12, 38];
	const isOwn = (place: string, other: string) => (other === name ? '▁▁' : place);
	// Each of the characters may stand for another place of the same variable.
	const longest = name.length + '{{  }}'.length;
	const placeEnd = text.indexOf('}}', at) + '}}'.length;
	const from = Math.max(0, at - mostBefore * longest);
	const to = placeEnd + mostAfter * longest;
	const before = text.slice(from, at).replace(PLACE, isOwn);
	const after = text.slice(placeEnd, to).replace(PLACE, isOwn);
	const isCutBefore = from > 0 || before.length > mostBefore;
	const isCutAfter = to < text.length || after.length > mostAfter;
	const shown = `${before.slice(-mostBefore)}▁▁${after.slice(0, mostAfter)}`.trim();
	return `${isCutBefore ? '…' : ''}${shown}${isCutAfter ? '…' : ''}`;
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
	const [id, label] = part === 'body' ? ['body', ''] : ['header_text', 'Header '];
	const flat = text.replace(/\s+/g, ' ');
	return Array.from(placesIn(flat), ([name, at]) => ({
		id: `${id}_${name}`,
		label: `${label}{{${name}}} “${around(flat, name, at)}”`,
		required: true,
	}));
}

function headerVariables(format: string, text: string): TemplateVariable[] {
	switch (format) {
		case 'image':
		case 'video':
			return [
				{
					id: `header_${format}`,
					label: `${format === 'image' ? 'Image' : 'Video'} (URL or field)`,
					required: true,
				},
			];
		case 'document':
			return [
				{ id: 'header_document', label: 'Document (URL or field)', required: true },
				{ id: 'header_document_filename', label: 'Document: file name', required: false },
			];
		case 'location':
			return [
				{ id: 'header_location_latitude', label: 'Location: latitude', required: true },
				{ id: 'header_location_longitude', label: 'Location: longitude', required: true },
				{ id: 'header_location_name', label: 'Location: name', required: false },
				{ id: 'header_location_address', label: 'Location: address', required: false },
			];
		default:
			return textVariables('header', text);
	}
}

function buttonVariables({ index, type, text, url }: TemplatePart & { part: 'button' }): TemplateVariable[] {
	const label = `Button ${index + 1} “${cut(text, MAX_LABEL)}”`;
	switch (type) {
		case 'url':
			return placesIn(url).size === 0
				? []
				: [
						{
							id: `button_${index}_url`,
							label: `${label}: end of ${cut(url, MAX_LABEL)}`,
							required: true,
							url,
						},
					];
		case 'quick_reply':
			return [{ id: `button_${index}_quick_reply`, label: `${label}: payload`, required: false }];
		case 'copy_code':
			return [{ id: `button_${index}_copy_code`, label: `${label}: code to copy`, required: true }];
		case 'flow':
			return [{ id: `button_${index}_flow`, label: `${label}: flow token`, required: false }];
		default:
			return [];
	}
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
	return [...variables.values()];
}
