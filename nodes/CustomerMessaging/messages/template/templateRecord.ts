import type { IDataObject } from 'n8n-workflow';

import { isBlank, quote, stringOf } from '../../values/text';
import { buttonVariable, isButtonKind, isMediaKind, type Variables } from './variables';
import type { Api } from '../../api/client';
import { orUndefinedIfForbidden, wholeList } from '../../api/records';
import { isObject, objectsOf } from '../../values/json';

/** Parts and buttons that take no values. */
const WITHOUT_VALUES = ['call_permission_request', 'footer', 'phone_number', 'voice_call'];

export interface RenderedTemplate {
	/** The parts as people read them. What is no text is named in brackets: `[image]`, `[Track] https://…`. */
	lines: Array<{ part: TemplatePart['part']; text: string }>;
	/** The parts that nobody here can show, such as a carousel. */
	unknown: string[];
	/** Those of them that need values, and that the components do not fill either. */
	unfilled: string[];
}

/** Fills the variables into the parts of a template. The place of one without a value stays in the text. */
export function renderTemplate(
	parts: readonly TemplatePart[],
	variables: Variables = new Map(),
	components: IDataObject[] = [],
): RenderedTemplate {
	const unknown: string[] = [];
	const unfilled: string[] = [];
	const fill = (text: string, nameOf: (variable: string) => string) =>
		text.replace(PLACE, (place, variable: string) => variables.get(nameOf(variable)) ?? place);
	const hide = (name: string, type: string, index?: number) => {
		unknown.push(name);
		const isFilled = components.some(
			(one) =>
				stringOf(one.type).toLowerCase() === type &&
				(index === undefined || stringOf(one.index) === String(index)),
		);
		if (!WITHOUT_VALUES.includes(type) && !isFilled) unfilled.push(name);
		return `[${name}]`;
	};
	/** People see neither the payload of a reply nor the token of a flow. */
	const showButton = ({ index, type, text, url, phoneNumber }: TemplatePart & { part: 'button' }) => {
		let target = '';
		if (type === 'url') target = fill(url, () => buttonVariable(index, type));
		else if (type === 'copy_code') target = variables.get(buttonVariable(index, type)) ?? '';
		else if (type === 'phone_number') target = phoneNumber;
		else if (!isButtonKind(type) && !WITHOUT_VALUES.includes(type))
			hide(`what button ${index + 1} does (${type || 'no type'})`, 'button', index);
		return `[${text}] ${target}`.trimEnd();
	};
	const show = (part: TemplatePart): string => {
		if (part.part === 'button') return showButton(part);
		if (part.part === 'other') return hide(part.type || 'a part without a type', part.type);
		if (part.part === 'header') {
			const { format, text } = part;
			if (isMediaKind(format) || format === 'location') return `[${format}]`;
			return text === ''
				? hide(`the header (${format})`, 'header')
				: fill(text, (one) => `header_text_${one}`);
		}
		// The chat app itself writes some texts, e.g. those of an authentication template.
		if (part.text === '') return hide(`the text of the ${part.part}`, part.part);
		return part.part === 'body' ? fill(part.text, (one) => `body_${one}`) : part.text;
	};
	const lines = parts.map((part) => ({ part: part.part, text: show(part) }));
	return { lines, unknown, unfilled };
}

/** Returns a template as one text: its parts, and then a line for each button. */
export function textOfLines(lines: RenderedTemplate['lines']): string {
	const shown = lines.filter(({ text }) => !isBlank(text));
	const buttons = shown.filter(({ part }) => part === 'button').map(({ text }) => text);
	const others = shown.filter(({ part }) => part !== 'button').map(({ text }) => text);
	return [...others, buttons.join('\n')].filter(Boolean).join('\n\n');
}

// The interface does not document the fields of a template record. So this module accepts the names that
// chat-app providers use. The components stand in the record itself.

export type TemplateRecord = Partial<Record<string, unknown>>;

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

export const templateStatus = (template: TemplateRecord) =>
	textOf(template, ['status', 'template_status']).trim();

/** Whether a status, if there is any, is one with which a template can be sent. */
export const isApproved = (status: string) => /^(approved\b|$)/i.test(status);

const listOf = (value: unknown): TemplateRecord[] | undefined =>
	Array.isArray(value) ? value.filter(isObject) : undefined;

const typeOf = (part: TemplateRecord, names = ['type', 'component_type']) =>
	textOf(part, names).toLowerCase();

/** A place, with a name as people enter it: see `variableName`. */
export const PLACE = /\{\{\s*([\p{L}\p{N}_][\p{L}\p{N}_-]*)\s*\}\}/gu;

/** Returns the `{{…}}` variables in a text, in order and without duplicates, with the index of their first place. */
export function placesIn(text: string): Map<string, number> {
	const places = new Map<string, number>();
	for (const { 1: name, index } of text.matchAll(PLACE)) {
		if (!places.has(name)) places.set(name, index);
	}
	return places;
}

/** A part of a template, as its record describes it. The texts still contain the variables. */
export type TemplatePart =
	| { part: 'body' | 'footer'; text: string }
	| { part: 'button'; index: number; type: string; text: string; url: string; phoneNumber: string }
	| { part: 'header'; format: string; text: string }
	| { part: 'other'; type: string };

function buttonPart(button: TemplateRecord, index: number): TemplatePart {
	return {
		part: 'button',
		index,
		type: typeOf(button, ['type', 'sub_type', 'button_type']),
		text: textOf(button, ['text', 'title', 'label']),
		url: textOf(button, ['url', 'link', 'value']),
		phoneNumber: textOf(button, ['phone_number', 'phone']),
	};
}

/** Returns the parts of a template, in reading order; undefined when the record does not contain its components. */
export function templateParts(template: TemplateRecord): TemplatePart[] | undefined {
	let buttons = 0;
	const addButton = (button: TemplateRecord) => buttonPart(button, buttons++);
	return listOf(template.components)?.flatMap((component): TemplatePart | TemplatePart[] => {
		const part = typeOf(component);
		const text = () => textOf(component, ['text', 'content', 'value']);
		switch (part) {
			case 'header': {
				const format = typeOf(component, ['format', 'sub_type', 'media_type']) || 'text';
				return { part, format, text: text() };
			}
			case 'body':
			case 'footer':
				return { part, text: text() };
			case 'buttons': {
				const list = listOf(component.buttons) ?? listOf(component.items);
				return list?.map(addButton) ?? { part: 'other', type: part };
			}
			case 'button':
				return addButton({ ...component, type: component.sub_type });
			default:
				return { part: 'other', type: part };
		}
	});
}

/** A template of the tenant, and what keeps it from being sent or shown. */
interface FoundTemplate {
	parts?: TemplatePart[];
	/** The parts of the same template in another language, where the tenant shows none in this one. */
	partsElsewhere?: TemplatePart[];
	problems: string[];
}

function search(records: TemplateRecord[], name: string, language: string): FoundTemplate {
	const named = records.filter((record) => templateName(record) === name);
	// A record that does not tell its language may be the right one.
	const matching = named.filter((record) => ['', language].includes(templateLanguage(record)));
	const record = matching.find((one) => isApproved(templateStatus(one))) ?? matching.at(0);
	if (!record) {
		const languages = named.map((one) => quote(templateLanguage(one)));
		const where = languages.length > 0 ? ` in "${quote(language)}", only in ${languages.join(', ')}` : '';
		const problems = [`The service shows no template "${quote(name)}"${where}`];
		return { partsElsewhere: named[0] && templateParts(named[0]), problems };
	}
	const status = templateStatus(record);
	const parts = templateParts(record);
	const problems = [
		...(isApproved(status) ? [] : [`The template "${quote(name)}" is not approved: ${quote(status)}`]),
		...(parts ? [] : [`The service does not show the texts of the template "${quote(name)}"`]),
	];
	return { parts, problems };
}

/** Reads the tenant's templates, once per run. Undefined if the token must not read them. */
export const templatesOf = async (api: Api) =>
	await api.once('templates', async () => await orUndefinedIfForbidden(wholeList(api, '/templates')));

/** Finds a template. The tenant's list is read once per run, and so is each template. */
export async function findTemplate(api: Api, name: string, language: string): Promise<FoundTemplate> {
	const records = await templatesOf(api);
	if (!records) return { problems: ['The service does not show its templates'] };
	const key = `template ${JSON.stringify([name, language])}`;
	return api.once(key, () => search(objectsOf(records), name, language));
}
