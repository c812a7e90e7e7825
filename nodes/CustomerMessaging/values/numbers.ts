import { type Conversion, ValueProblem } from './conversion';
import { hasLostDigits, shown, stringOf } from './text';

/** Returns a number, also from text or as 1 and 0; NaN for any other value. Never throws: `Number` does for some objects. */
export const numericOf = (value: unknown): number =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? Number(value) : NaN;

/** A number in decimal notation, also with an exponent. Others, such as 0x10, would silently be another number. */
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Converts a number, also from text. It rejects integers that would lose digits. */
export const number: Conversion<number> = (value) => {
	const typed = typeof value === 'string' ? value.trim() : value;
	const result = typeof typed === 'string' && DECIMAL.test(typed) ? Number(typed) : typed;
	if (typeof result !== 'number' || !Number.isFinite(result)) {
		return new ValueProblem(
			`"${shown(value)}" is not a number`,
			'Enter a number in decimal notation, e.g. 5 or 2.5.',
		);
	}
	return hasLostDigits(result)
		? new ValueProblem(
				`"${shown(value)}" has more digits than a number keeps`,
				'Send it as text, with Other Fields if the operation has them.',
			)
		: result;
};

export const integer: Conversion<number> = (value) => {
	const result = number(value);
	return result instanceof ValueProblem || Number.isInteger(result)
		? result
		: new ValueProblem(`"${shown(value)}" is not a whole number`, 'Enter a whole number, e.g. 5.');
};

function within(conversion: Conversion<number>, min: number, max: number): Conversion<number> {
	return (value) => {
		const result = conversion(value);
		if (result instanceof ValueProblem || (result >= min && result <= max)) return result;
		const [problem, remedy] =
			result < min
				? [`is less than ${min}`, `Enter ${min} or more.`]
				: [`is more than ${max}`, `Enter ${max} or less.`];
		return new ValueProblem(`${result} ${problem}`, remedy);
	};
}

export const integerFrom = (min: number, max = Number.MAX_SAFE_INTEGER): Conversion<number> =>
	within(integer, min, max);

export const numberFrom = (min: number): Conversion<number> => within(number, min, Number.MAX_VALUE);

/** Makes a conversion of decimal degrees to text. It keeps the digits of a text as they are. */
function degrees(most: number): Conversion<string> {
	return (value) => {
		const text = stringOf(value).trim();
		return /^-?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= most
			? text
			: new ValueProblem(
					`"${shown(value)}" is not a number of degrees between -${most} and ${most}`,
					'Enter decimal degrees with a point, e.g. 13.4050.',
				);
	};
}

export const latitudeDegrees = degrees(90);

export const longitudeDegrees = degrees(180);
