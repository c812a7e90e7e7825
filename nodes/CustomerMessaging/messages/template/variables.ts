import type { IDataObject } from 'n8n-workflow';

import { isObject, objectsOf, ownMember } from '../../values/json';
import { InvalidValue, type Parse } from '../../values/parse';
import { quote, stringOf, text } from '../../values/text';

/**
 * The values of a template message, by names that saved workflows contain: `body_1` and `header_text_first_name` for variables in
 * texts, `header_image` for a file with `header_document_filename` beside it, `header_location_latitude`, and `button_0_url` with
 * the number of the button from 0. No value is blank.
 */
export type Variables = ReadonlyMap<string, string>;

export type VariableEntry = [name: string, value: string];

export const MEDIA_KINDS = ['image', 'video', 'document'] as const;

type ButtonKind = 'copy_code' | 'flow' | 'quick_reply' | 'url';

/** By kind of button. `type` of the parameter in the chat-app provider's format names its member with the value too. */
export const BUTTON_VALUES: Record<
	ButtonKind,
	{ label: string; isRequired: boolean; type: string; within?: string }
> = {
	copy_code: { label: 'Code', isRequired: true, type: 'coupon_code' },
	flow: { label: 'Flow token', isRequired: false, type: 'action', within: 'flow_token' },
	quick_reply: { label: 'Value', isRequired: false, type: 'payload' },
	url: { label: 'URL suffix', isRequired: true, type: 'text' },
};

export const isButtonKind = (kind: string): kind is ButtonKind => Object.hasOwn(BUTTON_VALUES, kind);

export const buttonVariable = (index: number | string, kind: ButtonKind) => `button_${index}_${kind}`;

export const VARIABLE =
	/^(?:body_.|header_(?:text|location)_.|header_(?:image|video|document)(?:_|$)|button_\d+_(?:copy_code|flow|quick_reply|url)$)/s;

/** A button and its kind in the name of a variable, also without what the names of all buttons begin with. */
const BUTTON = /^(?:button_)?(\d+)_(.+)$/s;

const braced = (name: string) => `{{${quote(name)}}}`;

/** Returns where the value of a variable goes, in words. */
export function placeOf(name: string): string {
	const [, part, inText = ''] = /^(body|header_text)_(.+)$/s.exec(name) ?? [];
	if (part) return `${braced(inText)} in the ${part.replace('_text', '')}`;
	const [, index, kind] = BUTTON.exec(name) ?? [];
	const what = (kind ?? name.replace(/^header_(location_)?/, '')).replaceAll('_', ' ').trimEnd();
	return `the ${what} of ${index ? `button ${Number(index) + 1}` : 'the header'}`;
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

/** Throws InvalidValue for a text, such as a part of a variable, that the chat app refuses. */
export function checkWords(words: string): void {
	if (!/[\n\r\t]| {5}/.test(words)) return;
	throw new InvalidValue(
		'contains a line break, a tab or more than four spaces in a row',
		'The chat app refuses such a variable. In an expression, .replace(/\\s+/g, " ") makes one space of them.',
	);
}

/** The name of a variable that the chat app knows by its place. */
const NUMBERED = /^\d+$/;

/** Returns the variables whose names begin so, by the rest of their names, in the order of their numbers. */
function variablesOf(part: string, variables: Variables): Map<string, string> {
	const found: VariableEntry[] = [];
	for (const [name, value] of variables)
		if (name.startsWith(part)) found.push([name.slice(part.length), value]);
	return new Map(found.sort(([one], [other]) => (parseInt(one, 10) || 0) - (parseInt(other, 10) || 0)));
}

/** Throws InvalidValue if a number is left out of the variables of a text: the next value would take its place. */
export function checkNumbers(variables: Variables): void {
	for (const part of ['header_text_', 'body_']) {
		const left = new Set<string>();
		for (const name of variablesOf(part, variables).keys()) if (NUMBERED.test(name)) left.add(name);
		let next = 1;
		while (left.delete(String(next))) next++;
		for (const other of left)
			throw new InvalidValue(
				`have ${braced(other)}, but not ${braced(String(next))}`,
				'Fill in all numbered variables, from {{1}}. If the template itself leaves a number out, give its values as JSON.',
			);
	}
}

/** Returns the file of a header. Its address is `null` in a preview, before the upload. */
export type MediaResolver = (
	kind: (typeof MEDIA_KINDS)[number],
	value: string,
) => Promise<{ link: string | null; filename?: string }>;

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

export function buttonComponent([name, value]: VariableEntry): IDataObject {
	const [, index, kind] = BUTTON.exec(name) ?? [];
	const { type, within } = BUTTON_VALUES[kind as ButtonKind];
	const parameter = { type, [type]: within === undefined ? value : { [within]: value } };
	return { type: 'button', sub_type: kind, index, parameters: [parameter] };
}

/** Makes the components of a template message, in the chat-app provider's format. */
export async function componentsOf(variables: Variables, media: MediaResolver): Promise<IDataObject[]> {
	const header = await headerParameter(variables, media);
	const components: IDataObject[] = header ? [{ type: 'header', parameters: [header] }] : [];
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

export const lowerOf = (value: unknown) => stringOf(value).toLowerCase();

/** Returns the variables of components that the user has entered, as far as they are texts. Some may be blank. */
export function variablesIn(components: IDataObject[]): VariableEntry[] {
	const found: Array<[name: string, value: unknown]> = [];
	for (const { type: ofComponent, sub_type, index, parameters } of components) {
		const [part, button] = [lowerOf(ofComponent), lowerOf(sub_type)];
		for (const [place, parameter] of objectsOf(parameters).entries()) {
			const type = lowerOf(parameter.type);
			const value = parameter[type];
			if (part === 'button' && isButtonKind(button)) {
				const { within } = BUTTON_VALUES[button];
				found.push([buttonVariable(stringOf(index), button), within ? ownMember(value, within) : value]);
			} else if (part === 'header' && type === 'location')
				for (const [member, given] of Object.entries(isObject(value) ? value : {}))
					found.push([`header_location_${member}`, given]);
			// A file can be one of the chat app, with an ID in place of an address.
			else if (part === 'header' && MEDIA_KINDS.some((kind) => kind === type))
				found.push([`header_${type}`, ownMember(value, 'link') ?? ownMember(value, 'id')]);
			else if (part === 'header' || part === 'body') {
				const name = stringOf(parameter.parameter_name ?? place + 1);
				const words = parameter.text ?? ownMember(value, 'fallback_value');
				found.push([`${part === 'body' ? part : 'header_text'}_${name}`, words]);
			}
		}
	}
	return found.map(([name, value]) => [name, stringOf(value)]);
}
