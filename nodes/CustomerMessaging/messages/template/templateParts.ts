import type { IDataObject } from 'n8n-workflow';

import { objectsOf } from '../../values/json';
import { cut, isBlank, stringOf, textOrNothing } from '../../values/text';
import { BUTTON_VALUES, buttonVariable, isButtonKind, lowerOf, type Variables } from './variables';

// The interface does not document the components of a template. So this module reads those of the chat-app provider.

export type TemplateRecord = Partial<Record<string, unknown>>;

/** Maximum length of a label. n8n cuts longer ones, and an AI agent gets them as the name of a value. */
const MAX_LABEL = 28;

const MAX_BEFORE = 17;
const MAX_AROUND = 151;

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

/** Cuts the beginning of a text, as `cut` does the end. */
const cutBefore = (words: string, limit: number) =>
	words.length > limit ? `…${words.slice(1 - limit)}` : words;

/**
 * Describes a variable by its sentence, e.g. `{{1}} in "Hi {{1}}!"`, and labels it by the words next to it, as far as no other variable
 * stands between them.
 */
function describe(text: string, at: number): Pick<TemplateVariable, 'about' | 'label'> {
	const end = text.indexOf('}}', at) + '}}'.length;
	const place = text.slice(at, end);
	const [sentence] = text.slice(0, at).split(END_OF_SENTENCE).slice(-1);
	const before = cutBefore(flat(sentence).trimStart(), MAX_AROUND);
	const after = cut(flat(text.slice(end).split(END_OF_SENTENCE)[0]).trimEnd(), MAX_AROUND);
	const words = before.slice(before.lastIndexOf('}}') + 1).replace(/^[^\p{L}\p{N}]+/u, '');
	const near = cutBefore(words, MAX_BEFORE).replace(/^…\S*\s(?=.)/, '…');
	const following = after.split('{{')[0].trimEnd();
	return {
		label: near + place + following + (following.length < after.length ? '…' : ''),
		about: `The value for ${place} in "${before}${place}${after}"`,
	};
}

/** The name that n8n makes of a label for an AI agent. */
export const keyOf = (label: string) => label.replace(/[^a-zA-Z0-9-]+/g, '_');

/** A place, with a name as people enter it: see `variableName`. */
const PLACE = /\{\{\s*([\p{L}\p{N}_][\p{L}\p{N}_-]*)\s*\}\}/gu;

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
	/** What of it nobody here can show, such as a carousel, with the type of the component that may fill it. */
	unknown?: { name: string; type: string };
	/** Position of a button, and the address that it opens. */
	index?: number;
	url?: string;
}

/** Types of parts and buttons that take no values. */
const WITHOUT_VALUES = ['call_permission_request', 'footer', 'phone_number', 'voice_call'];

const unknownPart = (part: TemplatePart['part'], name: string, type: string = part): TemplatePart => ({
	part,
	text: `[${name}]`,
	variables: [],
	unknown: WITHOUT_VALUES.includes(type) ? undefined : { name, type },
});

function textPart(part: 'body' | 'header', text: string, before: string): TemplatePart {
	const variables = Array.from(text.matchAll(PLACE), ({ 1: place, index }) => ({
		...describe(text, index),
		name: before + place,
		required: true,
	}));
	return { part, text, variables, nameOf: (place) => before + place };
}

const HEADER_VARIABLES: Record<string, Array<[name: string, what: string, isOptional?: boolean]>> = {
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

function headerPart(format: string, text?: string): TemplatePart {
	if (Object.hasOwn(HEADER_VARIABLES, format)) {
		const variables = HEADER_VARIABLES[format].map(([name, what, isOptional = false]) => ({
			name,
			label: `${what[0].toUpperCase()}${what.slice(1)} of the header`,
			about: `The ${what} of the header`,
			required: !isOptional,
		}));
		return { part: 'header', text: `[${format}]`, variables };
	}
	return text === undefined
		? unknownPart('header', `the header (${format})`)
		: textPart('header', text, 'header_text_');
}

function buttonPart(button: TemplateRecord, index: number): TemplatePart {
	const type = lowerOf(button.type);
	const words = stringOf(button.text);
	const target = type === 'phone_number' || type === 'url' ? stringOf(button[type]) : '';
	const part: TemplatePart = {
		part: 'button',
		index,
		variables: [],
		text: `[${words}] ${target}`.trimEnd(),
	};
	if (!isButtonKind(type)) {
		if (!WITHOUT_VALUES.includes(type))
			part.unknown = { name: `what button ${index + 1} does (${type || 'no type'})`, type: 'button' };
		return part;
	}
	const { label, isRequired: required } = BUTTON_VALUES[type];
	const name = buttonVariable(index, type);
	const shown = flat(words);
	part.nameOf = () => name;
	// People see neither the payload of a reply nor the token of a flow.
	if (type === 'copy_code') part.behind = name;
	if (type === 'url') part.url = target;
	if (type !== 'url' || target.search(PLACE) >= 0)
		part.variables.push({
			name,
			label: `${cut(shown, MAX_LABEL - ` · ${label}`.length)} · ${label}`,
			about: `${label} of button ${index + 1} "${shown}"${target && ` (${target})`}`,
			required,
		});
	return part;
}

/** Returns the parts of a template, in reading order; undefined when the record does not contain its components. */
export function templateParts({ components }: TemplateRecord): TemplatePart[] | undefined {
	let count = 0;
	if (!Array.isArray(components)) return undefined;
	return objectsOf(components).flatMap(({ type, format, text: words, buttons }) => {
		const part = lowerOf(type);
		const text = textOrNothing(words);
		if (part === 'header') return headerPart(lowerOf(format) || 'text', text);
		if (part === 'buttons' && Array.isArray(buttons))
			return objectsOf(buttons).map((button) => buttonPart(button, count++));
		if (part !== 'body' && part !== 'footer')
			return unknownPart('other', part || 'a part without a type', part);
		// The chat app itself writes some texts, e.g. those of an authentication template.
		if (text === undefined) return unknownPart(part, `the text of the ${part}`);
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

/** Returns the parts of a template that need values, and that neither a field of the form nor a component fills. */
export const unfilledIn = (parts: readonly TemplatePart[], components: IDataObject[] = []): string[] =>
	parts.flatMap(({ index, unknown }) => {
		const isFilled = components.some(
			(one) =>
				lowerOf(one.type) === unknown?.type && (index === undefined || stringOf(one.index) === String(index)),
		);
		return unknown && !isFilled ? unknown.name : [];
	});

/**
 * Returns a template as one text: its parts with the values of its variables, and then a line for each button. The place of a variable
 * without a value stays.
 */
export function textOfTemplate(parts: readonly TemplatePart[], variables: Variables): string {
	const linesOf = (areButtons: boolean) =>
		parts
			.filter(({ part }) => (part === 'button') === areButtons)
			.map(({ text, nameOf, behind = '' }) => {
				const fill = (place: string, name: string) => variables.get(nameOf?.(name) ?? '') ?? place;
				const value = variables.get(behind);
				return text.replace(PLACE, fill) + (value === undefined ? '' : ` ${value}`);
			})
			.filter((line) => !isBlank(line));
	return [...linesOf(false), linesOf(true).join('\n')].filter(Boolean).join('\n\n');
}
