import { type Conversion, ValueProblem } from './conversion';
import { shown } from './text';

/** The places after the decimal point that a small number keeps: far less than the width of a hair. */
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

/** Converts the degrees of a latitude to text. */
export const latitudeDegrees = degrees(90);

/** Converts the degrees of a longitude to text. */
export const longitudeDegrees = degrees(180);
