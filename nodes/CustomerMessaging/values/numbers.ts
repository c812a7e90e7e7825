import { type Conversion, ValueProblem } from './conversion';
import { hasLostDigits, shown } from './text';

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

const DECIMAL_PLACES = 15;

/** Returns a number in plain decimal notation, without an exponent. */
function plainText(value: number): string {
	const text = String(value);
	return text.includes('e') ? value.toFixed(DECIMAL_PLACES).replace(/\.?0+$/, '') : text;
}

/** Makes a conversion of decimal degrees to text. It keeps the digits of a text as they are. */
function degrees(most: number): Conversion<string> {
	return (value) => {
		const typed = typeof value === 'number' && Number.isFinite(value) ? plainText(value) : value;
		const text = typeof typed === 'string' ? typed.trim() : '';
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

// Amounts of money are counted in whole units, since binary fractions add up to 0.30000000000000004.

/** Decimal places of the smallest unit. Prices of messages have up to six. */
const MONEY_PLACES = 10;

/** Returns an amount of money, which is not negative, in the smallest units. */
export function unitsOf(amount: number): bigint {
	const [whole, fraction = ''] = plainText(amount).split('.');
	return BigInt(whole + fraction.slice(0, MONEY_PLACES).padEnd(MONEY_PLACES, '0'));
}

/** Returns the amount of smallest units, which are not negative, in decimal notation. */
export function decimalOf(units: bigint): string {
	const digits = String(units).padStart(MONEY_PLACES + 1, '0');
	return `${digits.slice(0, -MONEY_PLACES)}.${digits.slice(-MONEY_PLACES)}`.replace(/\.?0+$/, '');
}
