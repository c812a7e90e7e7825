import { InvalidValue, type Parse } from './parse';
import { hasLostDigits, quote, stringOf } from './text';

/** Returns a number, also from text or as 1 and 0; NaN for any other value. Never throws: `Number` does for some objects. */
export const numericOf = (value: unknown): number =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? Number(value) : NaN;

/** A number in decimal notation, also with an exponent. Others, such as 0x10, would silently be another number. */
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Makes a parser of numbers, also from text. It refuses integers that would lose digits. */
const numberIn =
	(min: number, max: number, isWhole: boolean): Parse<number> =>
	(value) => {
		const typed = typeof value === 'string' ? value.trim() : value;
		const result = typeof typed === 'string' && DECIMAL.test(typed) ? Number(typed) : typed;
		if (typeof result !== 'number' || !Number.isFinite(result))
			throw new InvalidValue(
				`"${quote(value)}" is not a number`,
				'Enter a number in decimal notation, e.g. 5 or 2.5.',
			);
		if (isWhole && !Number.isInteger(result))
			throw new InvalidValue(`"${quote(value)}" is not a whole number`, 'Enter a whole number, e.g. 5.');
		if (result < min) throw new InvalidValue(`${result} is less than ${min}`, `Enter ${min} or more.`);
		if (result > max) throw new InvalidValue(`${result} is more than ${max}`, `Enter ${max} or less.`);
		if (hasLostDigits(result))
			throw new InvalidValue(
				`"${quote(value)}" has too many digits for a number`,
				'Send it as text, with Other Fields if the operation has them.',
			);
		return result;
	};

export const number = numberIn(-Infinity, Infinity, false);

export const integer = numberIn(-Infinity, Infinity, true);

export const integerFrom = (min: number, max = Infinity) => numberIn(min, max, true);

export const numberFrom = (min: number) => numberIn(min, Infinity, false);

/** Makes a parser of decimal degrees to text. It keeps the digits of a text as they are. */
const degrees =
	(most: number): Parse<string> =>
	(value) => {
		const text = stringOf(value).trim();
		if (/^-?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= most) return text;
		throw new InvalidValue(
			`"${quote(value)}" is not a number of degrees between -${most} and ${most}`,
			'Enter decimal degrees with a point, e.g. 13.4050.',
		);
	};

export const latitudeDegrees = degrees(90);

export const longitudeDegrees = degrees(180);
