import type { INodeTypeDescription } from 'n8n-workflow';

import { type Conversion, ValueProblem, whenConverted } from './conversion';
import { labelOf, type Parameter } from './parameter';
import { isBlank, shown } from './text';

export function oneOf<const Value extends string>(...values: Value[]): Conversion<Value> {
	return (value) =>
		values.find((one) => one === value) ??
		new ValueProblem(`is "${shown(value)}", which cannot be chosen`, `Choose one of ${values.join(', ')}.`);
}

/** A label and a description; or a description alone, where the label is the value in words. */
type Choice = string | readonly [label: string, description?: string];

/** Makes the conversion and the parameter for a choice, by the values that workflows store. */
export function choice<
	const Value extends string,
	const Look extends Omit<Parameter, 'default' | 'options' | 'type'>,
>(choices: Record<Value, Choice>, usual: NoInfer<Value>, look: Look) {
	const options = Object.entries<Choice>(choices).map(([value, words]) => {
		const [name, description] = typeof words === 'string' ? [labelOf(value), words] : words;
		return { name, value, ...(description !== undefined && { description }) };
	});
	const parameter = { ...look, type: 'options' as const, options, default: usual };
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

/** Converts true and false, 1 and 0, and the usual words for them. It rejects all other values. */
export const boolean: Conversion<boolean> = (value) => {
	if (typeof value === 'boolean') return value;
	const word = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	return (
		WORDS.get(word.trim().toLowerCase()) ??
		new ValueProblem(`"${shown(value)}" is neither true nor false`, 'Enter true or false.')
	);
};

/** Returns a switch outside of an item; without a value, as it usually is. @throws Error that names it */
export function switchOf(label: string, value: unknown, usual: boolean): boolean {
	const found = isBlank(value) ? usual : boolean(value);
	if (found instanceof ValueProblem) throw new Error(`${label} ${found.problem}. ${found.remedy}`);
	return found;
}

/** Converts a boolean to 1 or 0, for members that the interface defines as numbers. */
export const oneOrZero: Conversion<0 | 1> = (value) =>
	whenConverted(boolean(value), (given) => (given ? 1 : 0));
