import { repeatedOf } from '../values/columns';
import { type Conversion, ValueProblem } from '../values/conversion';
import { cut, shown, text } from '../values/text';

const REMEDY = 'Enter what stands between the braces: 1 for {{1}}, first_name for {{first_name}}.';

/** Maximum length of a list of names in an error message. */
const MAX_LIST = 500;

const NUMBERED = /^\d+$/;

/** Whether a variable is known by its number, not by a name. */
export const isNumbered = (name: string) => NUMBERED.test(name);

/** Converts the name or number of a variable, with or without the braces around it. */
export const variableName: Conversion<string> = (value) => {
	const given = text(value);
	if (given instanceof ValueProblem) return given;
	const typed = given.trim();
	const inner = typed.startsWith('{{') && typed.endsWith('}}') ? typed.slice(2, -2).trim() : typed;
	const name = inner.replace(/^0+(?=\d)/, '');
	return name !== '0' && /^[\p{L}\p{N}_][\p{L}\p{N}_-]*$/u.test(name)
		? name
		: new ValueProblem(`"${shown(value)}" is not the name of a variable`, REMEDY);
};

const braced = (name: string) => `{{${shown(name)}}}`;

/** Returns where a variable stands, for people. @param id see `TemplateVariable` */
export function placeOf(id: string): string {
	const [, part, name] = /^(body|header)_(?:text_|location_)?(.+)$/.exec(id) ?? [];
	if (part === 'body' || id.startsWith('header_text_')) return `${braced(name)} in the ${part}`;
	const [, index, kind] = /^button_(\d+)_(.+)$/.exec(id) ?? [];
	if (kind) return `the ${kind.replaceAll('_', ' ')} of button ${Number(index) + 1}`;
	return part ? `the ${name.replaceAll('_', ' ')} of the header` : shown(id);
}

const listOf = (names: string[]) => cut(names.slice(0, MAX_LIST).map(braced).join(', '), MAX_LIST);

/** Returns a number that is missing before another one; undefined if there is none. */
function missingBefore(numbers: string[], places: string[] | undefined): string | undefined {
	const given = new Set(numbers);
	const expected = places ?? numbers.map((_, index) => String(index + 1));
	const last = numbers.reduce((highest, name) => Math.max(highest, Number(name)), 0);
	return expected.find((name) => isNumbered(name) && Number(name) <= last && !given.has(name));
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
			`mix numbers and names: ${listOf(names)}`,
			'A template has either numbered or named variables. Fill in the ones that stand in its text.',
		);
	}
	const missing = missingBefore(numbers, places);
	return missing === undefined
		? undefined
		: new ValueProblem(
				`have ${listOf(numbers)}, but not ${braced(missing)}`,
				'Fill in all numbered variables, from {{1}}. Otherwise a text would move to the place before it.',
			);
}
