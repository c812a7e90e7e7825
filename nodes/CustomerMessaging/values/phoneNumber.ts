import { type Conversion, ValueProblem } from './conversion';

const FORMAT = 'Use the international format with country code, e.g. +49 171 1234567.';

/**
 * The digits of a phone number in international format, as the interface keeps them (rule 2 for customers: no leading
 * plus, special characters or spaces).
 *
 * Takes what people have: `+49 171 …`, `0049 171 …`, plain digits, with spaces, dashes, dots, slashes or parentheses. A
 * `(0)` behind the country code is left out, as it is when dialling from abroad.
 *
 * @returns the digits, or a problem when it cannot be such a number; a country code is never guessed
 */
export const phoneDigits: Conversion<string> = (value) => {
	if (typeof value !== 'string' && typeof value !== 'number') {
		return new ValueProblem('is not a phone number', FORMAT);
	}
	const typed = String(value).trim();
	const compact = typed.replace(/\(0\)/, '').replace(/[\s\u00a0\u2010-\u2015\-./()]/g, '');
	const digits = compact.replace(/^(\+|00)/, '');
	if (!/^\d+$/.test(digits)) return new ValueProblem(`"${typed}" is not a phone number`, FORMAT);
	if (digits.startsWith('0')) {
		return new ValueProblem(
			`"${typed}" has no country code`,
			`A leading 0 is never replaced by a guess. ${FORMAT}`,
		);
	}
	if (digits.length < 7 || digits.length > 15) {
		return new ValueProblem(`"${typed}" has ${digits.length} digits, a phone number has 7 to 15`, FORMAT);
	}
	return digits;
};

/** The same as the interface takes it where it has a number. */
export const phoneNumber: Conversion<number> = (value) => {
	const digits = phoneDigits(value);
	return digits instanceof ValueProblem ? digits : Number(digits);
};
