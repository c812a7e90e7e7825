import { cut } from '../../values/text';
import { BUTTON_VALUES, buttonVariable, isButtonKind } from './variables';
import { placesIn, type TemplatePart, templateParts, type TemplateRecord } from './templateRecord';

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

/** Cuts the labels, and numbers those that people or AI agents could not tell apart. */
function withUniqueLabels(variables: Iterable<TemplateVariable>): TemplateVariable[] {
	const known = new Set<string>();
	return Array.from(variables, (variable) => {
		let label = cut(variable.label, MAX_LABEL).replace(/\s…$/, '…');
		for (let number = 2; known.has(keyOf(label)); number++)
			label = `${cut(variable.label, MAX_LABEL - ` ${number}`.length)} ${number}`;
		known.add(keyOf(label));
		return { ...variable, label };
	});
}

const textVariables = (text: string, part: string): TemplateVariable[] =>
	Array.from(placesIn(text), ([name, at]) => ({
		name: part + name,
		label: withWords(text, at),
		about: `The value for ${inSentence(text, at)}`,
		required: true,
	}));

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

function headerVariables(format: string, text: string): TemplateVariable[] {
	if (!Object.hasOwn(HEADER_VARIABLES, format)) return textVariables(text, 'header_text_');
	return HEADER_VARIABLES[format].map(([name, what, isOptional = false]) => ({
		name,
		label: `${what[0].toUpperCase()}${what.slice(1)} of the header`,
		about: `The ${what} of the header`,
		required: !isOptional,
	}));
}

function buttonVariables({ index, type, text, url }: TemplatePart & { part: 'button' }): TemplateVariable[] {
	const isUrl = type === 'url';
	if (!isButtonKind(type) || (isUrl && placesIn(url).size === 0)) return [];
	const { label, isRequired: required } = BUTTON_VALUES[type];
	const shown = flat(text);
	const address = isUrl ? ` (${url})` : '';
	return [
		{
			name: buttonVariable(index, type),
			label: `${cut(shown, MAX_LABEL - ` · ${label}`.length)} · ${label}`,
			about: `${label} of button ${index + 1} "${shown}"${address}`,
			required,
		},
	];
}

function variablesOfPart(part: TemplatePart): TemplateVariable[] {
	if (part.part === 'header') return headerVariables(part.format, part.text);
	if (part.part === 'body') return textVariables(part.text, 'body_');
	return part.part === 'button' ? buttonVariables(part) : [];
}

/** Returns the variables of a template, in reading order. */
export function variablesOfParts(parts: readonly TemplatePart[]): TemplateVariable[] {
	const variables = new Map<string, TemplateVariable>();
	for (const variable of parts.flatMap(variablesOfPart))
		if (!variables.has(variable.name)) variables.set(variable.name, variable);
	return withUniqueLabels(variables.values());
}

/** Returns the variables of a template; undefined when the record does not contain its components. */
export function formVariables(template: TemplateRecord): TemplateVariable[] | undefined {
	const parts = templateParts(template);
	return parts && variablesOfParts(parts);
}
