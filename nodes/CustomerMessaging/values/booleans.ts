import { type Conversion, ValueProblem } from './conversion';
import { shown } from './text';

const WORDS = new Map([
	...['true', '1', 'yes', 'on', 'ja'].map((word) => [word, true] as const),
	...['false', '0', 'no', 'off', 'nein'].map((word) => [word, false] as const),
]);

/** Yes or no: true and false, 1 and 0, and their usual words in text. Nothing else is taken for either. */
export const boolean: Conversion<boolean> = (value) => {
	if (typeof value === 'boolean') return value;
	const word = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	return (
		WORDS.get(word.trim().toLowerCase()) ??
		new ValueProblem(`"${shown(value)}" is neither true nor false`, 'Enter true or false.')
	);
};

/** Yes or no as the interface writes it where it has a number: 1 and 0. */
export const oneOrZero: Conversion<0 | 1> = (value) => {
	const given = boolean(value);
	return given instanceof ValueProblem ? given : given ? 1 : 0;
};
