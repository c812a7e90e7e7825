import { type Conversion, ValueProblem } from './values';

/**
 * A PIN as the interface takes it: a number that stands for exactly six digits.
 *
 * A JSON number has no leading zeros, so 012345 goes out as 12345. Text must have six digits; a number, whose leading
 * zeros a spreadsheet has dropped, is read as if they were there.
 */
export const pinNumber: Conversion = (value) => {
	const digits = typeof value === 'number' ? String(value).padStart(6, '0') : String(value).trim();
	return /^\d{6}$/.test(digits)
		? Number(digits)
		: new ValueProblem('does not have exactly six digits', 'Enter six digits, e.g. 012345.');
};
