import { type Conversion, ValueProblem } from '../../values/conversion';

/**
 * Converts a PIN of exactly six digits. The interface defines it as a number.
 *
 * A number has no leading zeros. So a PIN that begins with 0 is sent as text, `"012345"`, which a service that reads
 * digits accepts. A number with fewer digits has lost its zeros, for example in a spreadsheet. The conversion restores
 * them.
 */
export const pinDigits: Conversion<number | string> = (value) => {
	const digits = typeof value === 'number' ? String(value).padStart(6, '0') : String(value).trim();
	if (!/^\d{6}$/.test(digits)) {
		return new ValueProblem('does not have exactly six digits', 'Enter six digits, e.g. 012345.');
	}
	return digits.startsWith('0') ? digits : Number(digits);
};
