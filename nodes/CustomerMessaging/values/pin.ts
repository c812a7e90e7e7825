import { type Conversion, ValueProblem } from './conversion';

/**
 * A PIN of exactly six digits as the interface takes it, which is a number.
 *
 * A number has no leading zeros, so a PIN that begins with 0 goes out as text, `"012345"`: it keeps its zero, and a
 * service that reads digits takes it. A number that came in with fewer digits has lost its zeros, in a spreadsheet for
 * example, and gets them back.
 */
export const pinDigits: Conversion<number | string> = (value) => {
	const digits = typeof value === 'number' ? String(value).padStart(6, '0') : String(value).trim();
	if (!/^\d{6}$/.test(digits)) {
		return new ValueProblem('does not have exactly six digits', 'Enter six digits, e.g. 012345.');
	}
	return digits.startsWith('0') ? digits : Number(digits);
};
