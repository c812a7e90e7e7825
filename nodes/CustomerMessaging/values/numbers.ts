import { type Conversion, ValueProblem } from './conversion';
import { shown } from './text';

/** Converts a number, also from text. It rejects integers that would lose digits. */
export const number: Conversion<number> = (value) => {
	const typed = typeof value === 'string' ? value.trim() : value;
	const result = typeof typed === 'string' && typed !== '' ? Number(typed) : typed;
	if (typeof result !== 'number' || !Number.isFinite(result)) {
		return new ValueProblem(`"${shown(value)}" is not a number`, 'Enter a number, e.g. 5 or 2.5.');
	}
	return Number.isInteger(result) && !Number.isSafeInteger(result)
		? new ValueProblem(
				`"${shown(value)}" has more digits than a number keeps`,
				'Send it as text, with Other Fields.',
			)
		: result;
};
