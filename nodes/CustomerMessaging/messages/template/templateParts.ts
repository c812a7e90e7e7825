import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../values/json';
import { cut, isBlank, stringOf } from '../../values/text';
import { BUTTON_VALUES, buttonVariable, isButtonKind, type Variables } from './variables';

// The interface does not document the fields of a template record. So this module accepts the names that
// chat-app providers use. The components stand in the record itself.

export type TemplateRecord = Partial<Record<string, unknown>>;

export function textOf(record: TemplateRecord, names: string[]): string {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'string' && value.trim() !== '') return value;
	}
	return '';
}

const typeOf = (record: TemplateRecord, names = ['type', 'component_type']) =>
	textOf(record, names).toLowerCase();

const listOf = (value: unknown): TemplateRecord[] | undefined =>
	Array.isArray(value) ? value.filter(isObject) : undefined;

/** Maximum length of a label. n8n cuts longer ones, and an AI agent gets them as the name of a value. */
const MAX_LABEL = 28;

const MAX_BEFORE = 16;
const MAX_AROUND = 150;

export interface TemplateVariable {
	name: string;
	/** Label in the form. Its Latin letters and digits differ from those of the others. */
	label: string;
	/** The variable in a sentence for people and language models, with the text around it. */
	about: string;
	required: boolean;
}

const END_OF_SENTENCE = /\n|(?<=[.!?。！？])\s/;

const flat = (words: string) => words.replace(/\s+/g, ' ');

function sentenceAt(text: string, at: number) {
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
function inSentence(text: string, at: number): string {
	const { before, place, after } = sentenceAt(text, at);
	return `${place} in "${before}${place}${after}"`;
}

/** Returns a variable with the words next to it, as far as no other variable stands between them. */
function withWords(text: string, at: number): string {
	const { before, place, after } = sentenceAt(text, at);
	const words = before.slice(before.lastIndexOf('}}') + 1).replace(/^[^\p{L}\p{N}]+/u, '');
	const near = words.length > MAX_BEFORE ? `…${words.slice(-MAX_BEFORE).replace(/^\S*\s(?=.)/, '')}` : words;
	const following = after.split('{{')[0].trimEnd();
	return near + place + following + (following.length < after.trimEnd().length ? '…' : '');
}

/** The name that n8n makes of a label for an AI agent. */
export const keyOf = (label: string) => label.replace(/[^a-zA-Z0-9-]+/g, '_');

/** A place, with a name as people enter it: see `variableName`. */
const PLACE = /\{\{\s*([\p{L}\p{N}_][\p{L}\p{N}_-]*)\s*\}\}/gu;

/** Returns the `{{…}}` variables in a text, in order and without duplicates, with the index of their first place. */
function placesIn(text: string): Map<string, number> {
	const places = new Map<string, number>();
	for (const { 1: name, index } of text.matchAll(PLACE)) if (!places.has(name)) places.set(name, index);
	return places;
}

/** A part of a template. */
export interface TemplatePart {
	part: 'body' | 'button' | 'footer' | 'header' | 'other';
	/** As people read it, with the places of variables. What is no text is named in brackets: `[image]`, `[Track] https://…`. */
	text: string;
	variables: TemplateVariable[];
	/** Returns the name of the variable that fills a place in the text. */
	nameOf?: (place: string) => string;
	/** The variable that people read behind the text. */
	behind?: string;
	/** What of it nobody here can show, such as a carousel, with the type and index of the component that may fill it. */
	unknown?: { name: string; type: string; index?: number };
	/** Position of a button, and the address that it opens. */
	index?: number;
	url?: string;
}

const unknownPart = (part: TemplatePart['part'], name: string, type: string = part): TemplatePart => ({
	part,
	text: `[${name}]`,
	variables: [],
	unknown: { name, type },
});

function textPart(part: 'body' | 'header', text: string, before: string): TemplatePart {
	const variables = Array.from(placesIn(text), ([name, at]) => ({
		name: before + name,
		label: withWords(text, at),
		about: `The value for ${inSentence(text, at)}`,
		required: true,
	}));
	return { part, text, variables, nameOf: (place) => before + place };
}

type HeaderVariable = [name: string, what: string, isOptional?: boolean];

const HEADER_VARIABLES: Record<string, HeaderVariable[]> = {
	image: [['header_image', 'image']],
	video: [['header_video', 'video']],
	document: [
		['header_document', 'document'],
		['header_document_filename', 'file name', true],
	],
	location: [
		['header_location_latitude', 'latitude'],
		['header_location_longitude', 'longitude'],
		['header_location_name', 'place name', true],
		['header_location_address', 'address', true],
	],
};

function headerPart(format: string, text: string): TemplatePart {
	if (Object.hasOwn(HEADER_VARIABLES, format)) {
		const variables = HEADER_VARIABLES[format].map(([name, what, isOptional = false]) => ({
			name,
			label: `${what[0].toUpperCase()}${what.slice(1)} of the header`,
			about: `The ${what} of the header`,
			required: !isOptional,
		}));
		return { part: 'header', text: `[${format}]`, variables };
	}
	return text === ''
		? unknownPart('header', `the header (${format})`)
		: textPart('header', text, 'header_text_');
}

/** Parts and buttons that take no values. */
const WITHOUT_VALUES = ['call_permission_request', 'footer', 'phone_number', 'voice_call'];

/** What a button shows behind its text. */
const TARGETS: Partial<Record<string, string[]>> = {
	phone_number: ['phone_number', 'phone'],
	url: ['url', 'link', 'value'],
};

function buttonPart(button: TemplateRecord, index: number): TemplatePart {
	const type = typeOf(button, ['type', 'sub_type', 'button_type']);
	const words = textOf(button, ['text', 'title', 'label']);
	const target = textOf(button, TARGETS[type] ?? []);
	const part: TemplatePart = {
		part: 'button',
		index,
		variables: [],
		text: `[${words}] ${target}`.trimEnd(),
	};
	if (!isButtonKind(type)) {
		if (!WITHOUT_VALUES.includes(type))
			part.unknown = { name: `what button ${index + 1} does (${type || 'no type'})`, type: 'button', index };
		return part;
	}
	const { label, isRequired: required } = BUTTON_VALUES[type];
	const name = buttonVariable(index, type);
	const shown = flat(words);
	part.nameOf = () => name;
	// People see neither the payload of a reply nor the token of a flow.
	if (type === 'copy_code') part.behind = name;
	if (type === 'url') part.url = target;
	if (type !== 'url' || placesIn(target).size > 0)
		part.variables.push({
			name,
			label: `${cut(shown, MAX_LABEL - ` · ${label}`.length)} · ${label}`,
			about: `${label} of button ${index + 1} "${shown}"${target && ` (${target})`}`,
			required,
		});
	return part;
}

/** Returns the parts of a template, in reading order; undefined when the record does not contain its components. */
export function templateParts(template: TemplateRecord): TemplatePart[] | undefined {
	let buttons = 0;
	const addButton = (button: TemplateRecord) => buttonPart(button, buttons++);
	return listOf(template.components)?.flatMap((component) => {
		const part = typeOf(component);
		const text = textOf(component, ['text', 'content', 'value']);
		if (part === 'header')
			return headerPart(typeOf(component, ['format', 'sub_type', 'media_type']) || 'text', text);
		if (part === 'button') return addButton({ ...component, type: component.sub_type });
		const list = part === 'buttons' ? (listOf(component.buttons) ?? listOf(component.items)) : undefined;
		if (list) return list.map(addButton);
		if (part !== 'body' && part !== 'footer')
			return unknownPart('other', part || 'a part without a type', part);
		// The chat app itself writes some texts, e.g. those of an authentication template.
		if (text === '') return unknownPart(part, `the text of the ${part}`);
		return part === 'body' ? textPart(part, text, 'body_') : { part, text, variables: [] };
	});
}

/**
 * Returns the variables of a template, in reading order. Their labels are cut, and those numbered that people or AI agents could not
 * tell apart.
 */
export function variablesOfParts(parts: readonly TemplatePart[]): TemplateVariable[] {
	const variables = new Map<string, TemplateVariable>();
	const keys = new Set<string>();
	for (const variable of parts.flatMap((part) => part.variables)) {
		if (variables.has(variable.name)) continue;
		let label = cut(variable.label, MAX_LABEL).replace(/\s…$/, '…');
		for (let number = 2; keys.has(keyOf(label)); number++)
			label = `${cut(variable.label, MAX_LABEL - ` ${number}`.length)} ${number}`;
		keys.add(keyOf(label));
		variables.set(variable.name, { ...variable, label });
	}
	return [...variables.values()];
}

/** Returns the text of a part with the values of its variables. The place of one without a value stays. */
function filledText({ text, nameOf, behind = '' }: TemplatePart, variables: Variables): string {
	const fill = (place: string, name: string) => variables.get(nameOf?.(name) ?? '') ?? place;
	const value = variables.get(behind);
	return `${text.replace(PLACE, fill)}${value === undefined ? '' : ` ${value}`}`;
}

/** Returns the parts of a template that need values, and that neither a field of the form nor a component fills. */
export function unfilledIn(parts: readonly TemplatePart[], components: IDataObject[] = []): string[] {
	return parts.flatMap(({ unknown }) => {
		if (!unknown || WITHOUT_VALUES.includes(unknown.type)) return [];
		const { name, type, index } = unknown;
		const isFilled = components.some(
			(one) =>
				stringOf(one.type).toLowerCase() === type &&
				(index === undefined || stringOf(one.index) === String(index)),
		);
		return isFilled ? [] : [name];
	});
}

/** Returns a template as one text: its parts with the values of its variables, and then a line for each button. */
export function textOfTemplate(parts: readonly TemplatePart[], variables: Variables): string {
	const linesOf = (areButtons: boolean) =>
		parts
			.filter(({ part }) => (part === 'button') === areButtons)
			.map((part) => filledText(part, variables))
			.filter((line) => !isBlank(line));
	return [...linesOf(false), linesOf(true).join('\n')].filter(Boolean).join('\n\n');
}
