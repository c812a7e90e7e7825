import { repeatedOf } from '../../values/columns';
import { type Parse, InvalidValue } from '../../values/parse';
import { quote, text } from '../../values/text';

export const MEDIA_KINDS = ['image', 'video', 'document'] as const;

export type MediaKind = (typeof MEDIA_KINDS)[number];

export const isMediaKind = (kind: unknown): kind is MediaKind => MEDIA_KINDS.some((one) => one === kind);

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
	quick_reply: { label: 'Payload', isRequired: false, type: 'payload' },
	url: { label: 'URL end', isRequired: true, type: 'text' },
};

export const isButtonKind = (kind: string): kind is ButtonKind => Object.hasOwn(BUTTON_VALUES, kind);

export interface Slot {
	part: 'body' | 'button' | 'header';
	kind: ButtonKind | MediaKind | 'location' | 'text';
	/**
	 * Which one of its kind: the name or number of a variable in a text, the number of a button from 0, a member of a
	 * location. Of a file, it is empty for the address; `filename` and `id` are beside it.
	 */
	index: string;
}

export interface SlotValue {
	slot: Slot;
	value: string;
}

export const bodySlot = (variable: string): Slot => ({ part: 'body', kind: 'text', index: variable });

export const buttonSlot = (index: number, kind: ButtonKind): Slot => ({
	part: 'button',
	kind,
	index: String(index),
});

export const headerSlot = (kind: MediaKind | 'location' | 'text', index = ''): Slot => ({
	part: 'header',
	kind,
	index,
});

/**
 * Returns the name of a slot's field in the form, e.g. `body_1`, `header_text_first_name`, `header_image` or
 * `button_0_url`. Saved workflows contain these names.
 */
export function slotName({ part, kind, index }: Slot): string {
	if (part === 'body') return `body_${index}`;
	if (part === 'button') return `button_${index}_${kind}`;
	return index === '' ? `header_${kind}` : `header_${kind}_${index}`;
}

/** Returns the slot of a field's name, see `slotName`; undefined if it is none. */
export function slotOfName(name: string): Slot | undefined {
	const [part, first = '', ...others] = name.split('_');
	const rest = others.join('_');
	if (part === 'body' && first + rest !== '') return bodySlot(name.slice('body_'.length));
	if (part === 'button' && isNumbered(first) && isButtonKind(rest)) return { part, kind: rest, index: first };
	const isText = (first === 'text' || first === 'location') && rest !== '';
	return part === 'header' && (isText || isMediaKind(first)) ? headerSlot(first, rest) : undefined;
}

export const isNumbered = (name: string) => /^\d+$/.test(name);

const braced = (name: string) => `{{${quote(name)}}}`;

export function placeOf({ part, kind, index }: Slot): string {
	if (part === 'button')
		return `the ${kind.replaceAll('_', ' ')} of button ${isNumbered(index) ? Number(index) + 1 : quote(index)}`;
	if (kind === 'text') return `${braced(index)} in the ${part}`;
	const what = kind === 'location' ? index : `${kind} ${index}`;
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

/** Throws InvalidValue for the text of a variable, or a part of it, that the chat app refuses. */
export function checkVariableText(value: string): void {
	if (/[\n\r\t]| {5}/.test(value))
		throw new InvalidValue(
			'contains a line break, a tab or more than four spaces in a row',
			'The chat app refuses such a variable. In an expression, .replace(/\\s+/g, " ") makes one space of them.',
		);
}

const listOf = (names: string[]) => names.map(braced).join(', ');

/**
 * Throws InvalidValue if the variables of one text of a template cannot be sent together. The chat app knows numbered ones by their
 * place in the list.
 */
export function checkVariableNames(names: string[]): void {
	const repeated = repeatedOf(names);
	if (repeated !== undefined)
		throw new InvalidValue(`have ${braced(repeated)} twice`, 'Fill in each variable once.');
	const numbers = names.filter(isNumbered);
	if (numbers.length > 0 && numbers.length < names.length) {
		throw new InvalidValue(
			`mix numbers and names: ${listOf(names)}`,
			'A template has either numbered or named variables. Fill in the ones that stand in its text.',
		);
	}
	const given = new Set(numbers);
	let last = 0;
	for (const name of numbers) last = Math.max(last, Number(name));
	const missing = numbers
		.map((_, index) => String(index + 1))
		.find((name) => Number(name) <= last && !given.has(name));
	if (missing !== undefined)
		throw new InvalidValue(
			`have ${listOf(numbers)}, but not ${braced(missing)}`,
			'Fill in all numbered variables, from {{1}}. Otherwise a text would move to the place before it. If the template itself leaves a number out, give its values as JSON.',
		);
}
