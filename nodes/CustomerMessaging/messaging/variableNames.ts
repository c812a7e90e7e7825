import { repeatedOf } from '../values/columns';
import { type Conversion, ValueProblem } from '../values/conversion';
import { shown, text } from '../values/text';

const REMEDY = 'Enter what stands between the braces: 1 for {{1}}, first_name for {{first_name}}.';

const NUMBERED = /^\d+$/;

/** Whether a variable is known by its number, not by a name. */
export const isNumbered = (name: string) => NUMBERED.test(name);

/** Converts the name or number of a variable, with or without the braces around it. */
export const variableName: Conversion<string> = (value) => {
	const typed = text(value);
	if (typed instanceof ValueProblem) return typed;
	const name = typed
		.trim()
		.replace(/^\{\{\s*(.*?)\s*\}\}$/, '$1')
		.replace(/^0+(?=\d)/, '');
	return name !== '0' && /^[\p{L}\p{N}_][\p{L}\p{N}_-]*$/u.test(name)
		? name
		: new ValueProblem(`"${shown(value)}" is not the name of a variable`, REMEDY);
};

const braced = (name: string) => `{{${shown(name)}}}`;

/** Returns a number that is missing before another one; undefined if there is none. */
function missingBefore(numbers: string[], places: string[] | undefined): string | undefined {
	const expected = places ?? numbers.map((_, index) => String(index + 1));
	const last = Math.max(...numbers.map(Number));
	return expected.find((name) => isNumbered(name) && Number(name) <= last && !numbers.includes(name));
}

/**
 * Checks the variables of one part of a template. The chat app knows numbered variables by their place in the list, so
 * none may be missing before another.
 *
 * @param places the variables that the template has, if they are known
 * @returns undefined if they can be sent
 */
export function problemOfNames(names: string[], places?: string[]): ValueProblem | undefined {
	const repeated = repeatedOf(names);
	if (repeated !== undefined)
		return new ValueProblem(`have ${braced(repeated)} twice`, 'Fill in each variable once.');
	const numbers = names.filter(isNumbered);
	if (numbers.length > 0 && numbers.length < names.length) {
		return new ValueProblem(
			`mix numbers and names: ${names.map(braced).join(', ')}`,
			'A template has either numbered or named variables. Fill in the ones that stand in its text.',
		);
	}
	const missing = missingBefore(numbers, places);
	return missing === undefined
		? undefined
		: new ValueProblem(
				`have ${numbers.map(braced).join(', ')}, but not ${braced(missing)}`,
				'Fill in all numbered variables, from {{1}}. Otherwise a text would move to the place before it.',
			);
}
