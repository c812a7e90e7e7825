import type { INodeTypeDescription } from 'n8n-workflow';

import { InvalidValue, orInvalid, type Parse } from './parse';
import { labelOf, type Parameter } from './field';
import { isBlank, quote } from './text';

export function oneOf<const Value extends string>(...values: Value[]): Parse<Value> {
	return (value) => {
		if (values.includes(value as Value)) return value as Value;
		throw new InvalidValue(
			`is "${quote(value)}", which cannot be chosen`,
			`Choose one of ${values.join(', ')}.`,
		);
	};
}

/** A label and a description; or a description alone, where the label is the value in words. */
type Choice = string | readonly [label: string, description?: string];

/** Makes the parser and the parameter for a choice, by the values that workflows store. */
export function choice<
	const Value extends string,
	const Look extends Omit<Parameter, 'default' | 'options' | 'type'>,
>(choices: Record<Value, Choice>, defaultValue: NoInfer<Value>, look: Look = {} as Look) {
	const options = Object.entries<Choice>(choices).map(([value, words]) => {
		const [name, description] = typeof words === 'string' ? [labelOf(value), words] : words;
		return { name, value, ...(description !== undefined && { description }) };
	});
	const parameter = { ...look, type: 'options' as const, options, default: defaultValue };
	return [oneOf(...(Object.keys(choices) as Value[])), parameter] as const;
}

/** Returns the subtitle of a node that shows which option of a parameter is chosen. */
export function chosenAsSubtitle(
	parameter: string,
	options: Array<{ name: string; value: string }>,
): Pick<INodeTypeDescription, 'subtitle'> {
	const labels = Object.fromEntries(options.map(({ name, value }) => [value, name]));
	return { subtitle: `={{ ${JSON.stringify(labels)}[$parameter["${parameter}"]] }}` };
}

const WORDS = new Map([
	...['true', 't', '1', 'yes', 'y', 'on', 'ja', 'wahr'].map((word) => [word, true] as const),
	...['false', 'f', '0', 'no', 'n', 'off', 'nein', 'falsch'].map((word) => [word, false] as const),
]);

/** Parses true and false, 1 and 0, and the usual words for them. */
export const boolean: Parse<boolean> = (value) => {
	if (typeof value === 'boolean') return value;
	const word = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	const known = WORDS.get(word.trim().toLowerCase());
	if (known !== undefined) return known;
	throw new InvalidValue(`"${quote(value)}" is neither true nor false`, 'Enter true or false.');
};

/** Returns a switch outside of an item; without a value, as it usually is. @throws Error that names it */
export function switchOf(label: string, value: unknown, defaultValue: boolean): boolean {
	const found = isBlank(value) ? defaultValue : orInvalid(() => boolean(value));
	if (found instanceof InvalidValue) throw new Error(`${label} ${found.message}. ${found.hint}`);
	return found;
}

/** Parses a boolean to 1 or 0, for members that the interface defines as numbers. */
export const oneOrZero: Parse<0 | 1> = (value) => (boolean(value) ? 1 : 0);
