import type { IDataObject } from 'n8n-workflow';

import { isObject, objectsOf, ownMember } from '../../values/json';
import { InvalidValue, type Parse } from '../../values/parse';
import { isBlank, quote, stringOf, text } from '../../values/text';

/**
 * The values of a template message, by names that saved workflows contain: `body_1` and `header_text_first_name` for variables in
 * texts, `header_image` for a file with `header_document_filename` beside it, `header_location_latitude`, and `button_0_url` with
 * the number of the button from 0. No value is blank.
 */
export type Variables = ReadonlyMap<string, string>;

export type VariableEntry = [name: string, value: string];

export const MEDIA_KINDS = ['image', 'video', 'document'] as const;

export type MediaKind = (typeof MEDIA_KINDS)[number];

const isMediaKind = (kind: unknown): kind is MediaKind => MEDIA_KINDS.some((one) => one === kind);

interface ButtonValue {
	label: string;
	isRequired: boolean;
	/** Type of the parameter in the chat-app provider's format, and name of the member with the value. */
	type: string;
	within?: string;
}

type ButtonKind = 'copy_code' | 'flow' | 'quick_reply' | 'url';

export const BUTTON_VALUES: Record<ButtonKind, ButtonValue> = {
	copy_code: { label: 'Code', isRequired: true, type: 'coupon_code' },
	flow: { label: 'Flow token', isRequired: false, type: 'action', within: 'flow_token' },
	quick_reply: { label: 'Value', isRequired: false, type: 'payload' },
	url: { label: 'URL suffix', isRequired: true, type: 'text' },
};

export const isButtonKind = (kind: string): kind is ButtonKind => Object.hasOwn(BUTTON_VALUES, kind);

const BUTTON_KINDS = Object.keys(BUTTON_VALUES).filter(isButtonKind);

export const buttonVariable = (index: number | string, kind: ButtonKind) => `button_${index}_${kind}`;

/** The name of a variable. */
export const VARIABLE =
	/^(?:body_.|header_(?:text|location)_.|header_(?:image|video|document)(?:_|$)|button_\d+_(?:copy_code|flow|quick_reply|url)$)/s;

const braced = (name: string) => `{{${quote(name)}}}`;

/** Returns where the value of a variable goes, in words. */
export function placeOf(name: string): string {
	const [part, first = '', ...others] = name.split('_');
	const rest = others.join('_');
	if (part === 'body') return `${braced(name.slice('body_'.length))} in the body`;
	if (part === 'button')
		return `the ${rest.replaceAll('_', ' ')} of button ${Number(first) + 1 || quote(first)}`;
	if (first === 'text') return `${braced(rest)} in the header`;
	const what = first === 'location' ? rest : `${first} ${rest}`;
	return `the ${what.replaceAll('_', ' ').trimEnd()} of the header`;
}

/** Parses the name or number of a variable, with or without the braces around it. */
export const variableName: Parse<string> = (value) => {
	const typed = text(value).trim();
	const inner = typed.startsWith('{{') && typed.endsWith('}}') ? typed.slice(2, -2).trim() : typed;
	const name = inner.replace(/^0+(?=\d)/, '');
	if (name !== '0' && /^[\p{L}\p{N}_][\p{L}\p{N}_-]*$/u.test(name)) return name;
	throw new InvalidValue(
		`"${quote(value)}" is not the name of a variable`,
		'Enter what stands between the braces: 1 for {{1}}, first_name for {{first_name}}.',
	);
};

/** A text, such as a part of a variable, that the chat app refuses. */
export const REFUSED_TEXT = /[\n\r\t]| {5}/;

export const refusedText = () =>
	new InvalidValue(
		'contains a line break, a tab or more than four spaces in a row',
		'The chat app refuses such a variable. In an expression, .replace(/\\s+/g, " ") makes one space of them.',
	);

/** The name of a variable that the chat app knows by its place. */
export const NUMBERED = /^\d+$/;

const listOf = (names: string[]) => names.map(braced).join(', ');

/**
 * Throws InvalidValue if the variables of one text of a template cannot be sent together. The chat app knows numbered ones by their
 * place in the list.
 */
export function checkVariableNames(names: string[]): void {
	const left = new Set(names);
	let next = 1;
	while (left.delete(String(next))) next++;
	if (left.size === 0) return;
	const numbers = names.filter((name) => NUMBERED.test(name));
	if (numbers.length === 0) return;
	if (numbers.length < names.length)
		throw new InvalidValue(
			`mix numbers and names: ${listOf(names)}`,
			'A template has either numbered or named variables. Fill in those in its text.',
		);
	throw new InvalidValue(
		`have ${listOf(numbers)}, but not ${braced(String(next))}`,
		'Fill in all numbered variables, from {{1}}. Otherwise a text would move to the place before it. If the template itself leaves a number out, give its values as JSON.',
	);
}

/** Returns the variables whose names begin so, by the rest of their names, in the order of their numbers. */
export function variablesOf(part: string, variables: Variables): Map<string, string> {
	const found: VariableEntry[] = [];
	for (const [name, value] of variables)
		if (name.startsWith(part)) found.push([name.slice(part.length), value]);
	return new Map(found.sort(([one], [other]) => (parseInt(one, 10) || 0) - (parseInt(other, 10) || 0)));
}

/** The file of a header. Its address is `null` in a preview, before the upload. */
export interface HeaderMedia {
	link: string | null;
	filename?: string;
}

export type MediaResolver = (kind: MediaKind, value: string) => Promise<HeaderMedia>;

/** Returns the parameter of a header that shows a file or a place; undefined if it shows a text, or nothing. */
async function headerParameter(variables: Variables, media: MediaResolver): Promise<IDataObject | undefined> {
	for (const kind of MEDIA_KINDS) {
		const file = variables.get(`header_${kind}`);
		if (file === undefined) continue;
		const { link, filename } = await media(kind, file);
		const name = kind === 'document' ? (variables.get('header_document_filename') ?? filename) : undefined;
		return { type: kind, [kind]: { link, ...(name !== undefined && { filename: name }) } };
	}
	const location = variablesOf('header_location_', variables);
	return location.size > 0 ? { type: 'location', location: Object.fromEntries(location) } : undefined;
}

/** Makes the component of a button, by what stands behind `button_` in the name of its variable. */
export function buttonComponent([name, value]: VariableEntry): IDataObject {
	const [, index, kind = ''] = /^(\d+)_(.+)$/.exec(name) ?? [];
	const { type, within } = BUTTON_VALUES[kind as ButtonKind];
	const parameter = { type, [type]: within === undefined ? value : { [within]: value } };
	return { type: 'button', sub_type: kind, index, parameters: [parameter] };
}

/** Makes the components of a template message, in the chat-app provider's format. */
export async function componentsOf(variables: Variables, media: MediaResolver): Promise<IDataObject[]> {
	const components: IDataObject[] = [];
	const header = await headerParameter(variables, media);
	if (header) components.push({ type: 'header', parameters: [header] });
	for (const part of header ? ['body'] : ['header_text', 'body']) {
		const parameters: IDataObject[] = [];
		// A named variable includes its name; the chat app knows a numbered one by its place.
		for (const [name, words] of variablesOf(`${part}_`, variables))
			parameters.push({ type: 'text', ...(!NUMBERED.test(name) && { parameter_name: name }), text: words });
		if (parameters.length > 0) components.push({ type: part.replace('_text', ''), parameters });
	}
	for (const button of variablesOf('button_', variables)) components.push(buttonComponent(button));
	return components;
}

const lower = (value: unknown) => stringOf(value).toLowerCase();

/** Returns the variables of components that the user has entered. */
export function variablesIn(components: IDataObject[]): Map<string, string> {
	const variables = new Map<string, string>();
	const add = (name: string, value: unknown) => {
		if (typeof value === 'string' && !isBlank(value)) variables.set(name, value);
	};
	for (const { type: ofComponent, index, parameters } of components) {
		const part = lower(ofComponent);
		for (const [place, parameter] of objectsOf(parameters).entries()) {
			const type = lower(parameter.type);
			const name = stringOf(parameter.parameter_name ?? place + 1);
			const value = parameter[type];
			const words = typeof parameter.text === 'string' ? parameter.text : ownMember(value, 'fallback_value');
			if (part === 'body') add(`body_${name}`, words);
			else if (part === 'button') {
				const kind = BUTTON_KINDS.find((one) => BUTTON_VALUES[one].type === type);
				const within = kind && BUTTON_VALUES[kind].within;
				if (kind) add(buttonVariable(stringOf(index), kind), within ? ownMember(value, within) : value);
			} else if (part === 'header' && type === 'location')
				for (const [member, given] of Object.entries(isObject(value) ? value : {}))
					add(`header_location_${member}`, stringOf(given));
			// A file can be one of the chat app, with an ID in place of an address.
			else if (part === 'header' && isMediaKind(type))
				add(`header_${type}`, ownMember(value, 'link') ?? ownMember(value, 'id'));
			else if (part === 'header') add(`header_text_${name}`, words);
		}
	}
	return variables;
}
