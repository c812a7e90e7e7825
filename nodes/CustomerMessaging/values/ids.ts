import { InvalidValue, orUndefinedIfInvalid, type Parse } from './parse';
import { isObject } from './json';
import { emptyValue, isBlank, isWordForNothing, quote, stringOf, text, withoutInvisible } from './text';

/** What stands between the elements of a list in text, as people write it in a cell, and between labels of Google Contacts. */
const SEPARATOR = /[,;|\r\n\v\f\u2028\u2029]|:::/;

/** Lists as programs write them: `['VIP', 'Newsletter']` of Python, `[VIP, Newsletter]` of Java, `{VIP,"Big spender"}` of Postgres. */
const IN_BRACKETS = /^\s*(?:\[(?=\s*['"]|[^[\]]+,)([^]*)\]|\{([^{}]*)\})\s*$/;

/**
 * Returns the elements of a list in text, without the spaces around them and without empty ones. One in quotes may hold
 * separators, and its quotes doubled or behind a backslash. In brackets, NULL without quotes is nothing.
 */
export function splitList(words: string, separator?: string): string[] {
	const [, list, set] = (separator === undefined && IN_BRACKETS.exec(words)) || [];
	const inside = list ?? set;
	// Lists without quotes take a tenth of the time so.
	if (inside === undefined && !words.includes('"'))
		return words.split(separator ?? SEPARATOR).flatMap((element) => element.trim() || []);
	const [quotes, usual] = inside === undefined ? ['"', SEPARATOR.source] : [`"'`, ','];
	const between = separator?.replace(/[^\w\s]/g, '\\$&') ?? usual;
	const quoted = `\\s*([${quotes}])((?:\\\\[^]|(?!\\1)[^\\\\]|\\1\\1)*)\\1\\s*`;
	const matches = (inside ?? words).matchAll(new RegExp(`(?:${quoted}|([^]*?))(?:${between}|$)`, 'g'));
	return [...matches].flatMap(([, quote = '', held = '', bare = '']) => {
		const element = held.replaceAll(quote + quote, quote).replace(/\\(["'\\])/g, '$1') || bare;
		const isNone = element.trim() === '' || (inside !== undefined && isWordForNothing(bare));
		return isNone ? [] : element.trim();
	});
}

/** Returns the elements of a list. The input is an array, a list in text, a single value or nothing. */
export function toList(value: unknown): unknown[] {
	if (isBlank(value)) return [];
	if (Array.isArray(value)) return value;
	return typeof value === 'string' ? splitList(value) : [value];
}

const missing = () =>
	new InvalidValue(
		'is empty',
		'If it comes from an expression, check that the input item has that field. To mean none, give an empty list: [].',
	);

function jsonElements(value: string): unknown[] | undefined {
	if (!/^(\[|\{\s*")/.test(value)) return undefined;
	try {
		return [JSON.parse(value) as unknown].flat();
	} catch {
		return undefined;
	}
}

/**
 * Returns the elements of an array or a record, also as JSON text, of a list in text or a single value. An empty one is an empty
 * set. A missing value is refused, because it would empty the set by accident.
 */
function elementsOf(value: unknown, separator?: string): unknown[] {
	if (value === undefined || value === null) throw missing();
	if (typeof value !== 'string') return Array.isArray(value) ? value : [value];
	const elements = jsonElements(value.trim()) ?? splitList(value, separator);
	// Spaces and commas alone are what is left of expressions that found nothing.
	if (elements.length === 0 && value !== '' && !/^\s*[[{]/.test(value)) throw missing();
	return elements;
}

export const setOfEach =
	<Value>(parse: Parse<Value>): Parse<Value[]> =>
	(value, reading = {}) =>
		elementsOf(value, reading.separator).map((element) => parse(element, reading));

/** A whole number that is 0 or greater, also as text. */
const WHOLE = /^\s*\d+\s*$/;

/** @param what continues the label of the parameter */
const tooManyDigits = (what = '') =>
	new InvalidValue(
		`${what}has too many digits for a number`,
		'The service takes this ID as a number, which is exact up to 9007199254740991.',
	);

/** Parses one ID to the number that the interface takes in a body. */
export const integerId: Parse<number> = (value) => {
	if (isBlank(value)) throw emptyValue();
	const typed = stringOf(value);
	const id = WHOLE.test(typed) ? Number(typed) : NaN;
	if (Number.isSafeInteger(id)) return id;
	if (!Number.isNaN(id)) throw tooManyDigits();
	throw new InvalidValue(
		`"${quote(value)}" is not a whole number`,
		'Choose a record from the list or enter its numeric ID, e.g. 42.',
	);
};

export const idElement: Parse<number> = (element) => {
	const typed = stringOf(isObject(element) ? element.id : element);
	const id = WHOLE.test(typed) ? Number(typed) : NaN;
	if (Number.isSafeInteger(id)) return id;
	if (!Number.isNaN(id)) throw tooManyDigits(`contains "${quote(typed)}", which `);
	throw new InvalidValue(
		`contains "${quote(element)}", which is not an ID`,
		'IDs are whole numbers: choose from the list, or give an array or a list of IDs, e.g. 3, 14.',
	);
};

/** One ID in groups of three digits, as a sheet shows it, or a list without spaces. */
const GROUPED = /(?<![\d,])[1-9]\d{0,2}(?:,\d{3}){1,5}(?!,?\d)/;

/** Parses a set as `setOfEach`, but refuses a text in which one ID could be read as several. */
export function setOfIds<Value>(parse: Parse<Value>): Parse<Value[]> {
	const set = setOfEach(parse);
	return (value, reading) => {
		const words = typeof value === 'string' && !value.trimStart().startsWith('[') ? value : '';
		const [grouped] = GROUPED.exec(words) ?? [];
		if (grouped === undefined) return set(value, reading);
		throw new InvalidValue(
			`contains "${grouped}", which may be one ID or several`,
			`Write one ID as ${grouped.replaceAll(',', '')}, and several as ${grouped.replaceAll(',', ', ')}.`,
		);
	};
}

const ids = setOfIds(idElement);

/** Parses an array of IDs or records, a list in text, or a single ID, to IDs without duplicates. */
export const idSet: Parse<number[]> = (value) => [...new Set(ids(value))];

export const groupSet: Parse<Array<{ id: number }>> = (value) => idSet(value).map((id) => ({ id }));

/**
 * The ID of a record as the tenant gives it. The interface defines numbers, but some tenants give text. A number for
 * all digits that a number keeps, so that `7` and `"7"` are equal.
 */
export type RecordId = number | string;

/** Returns the ID of a record in a response; undefined if it is missing or has lost digits. */
export function recordId(value: unknown): RecordId | undefined {
	if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
	const typed = typeof value === 'string' ? value.trim() : '';
	return /^\d+$/.test(typed) && Number.isSafeInteger(Number(typed)) ? Number(typed) : typed || undefined;
}

/** Returns the ID of a record that goes back to the service; undefined if it is no whole number, or has lost digits. */
export function wholeId(value: unknown): number | undefined {
	const id = recordId(value);
	return typeof id === 'number' ? id : undefined;
}

/** Parses an ID in the path of a request, if the interface defines a whole number. */
export const integerSegment: Parse<string> = (value) => String(integerId(value));

/** UUIDs and whole numbers. Nothing else can leave its place in a path, however often a server decodes it. */
const ID = /^[\w-]+$/;

/** Parses an ID in the path of a request, if the interface defines a text or no type. */
export const textSegment: Parse<string> = (value) => {
	const typed = typeof value === 'string' || Number.isSafeInteger(value) ? stringOf(value).trim() : '';
	if (ID.test(typed)) return typed;
	throw new InvalidValue(`"${quote(value)}" is not an ID`, 'Enter the ID of the record.');
};

const nameElement: Parse<string> = (element) => {
	const name = orUndefinedIfInvalid(text, element)?.trim();
	if (name) return name;
	throw new InvalidValue(
		`contains "${quote(element)}", which is not a name`,
		'Choose from the list, or give an array or a list of names with commas.',
	);
};

export const textSet = setOfEach(nameElement);

/** Returns a title as titles are compared and sent: composed characters, and single spaces only. Capitals count. */
export const comparableTitle = (title: string) =>
	withoutInvisible(title.normalize('NFC')).trim().replace(/\s+/g, ' ');

/** Parses one title, or a record with a `title`, to the title in one form: see `comparableTitle`. */
export const titleElement: Parse<string> = (element) => {
	const given = isObject(element) && 'title' in element ? element.title : element;
	const title = typeof given === 'string' ? text(given) : (orUndefinedIfInvalid(text, given) ?? '');
	const name = comparableTitle(title);
	if (name !== '') return name;
	throw new InvalidValue(
		`contains "${quote(element)}", which has no title`,
		'Give titles, e.g. VIP, Newsletter, or records with a title.',
	);
};

const titles = setOfEach(titleElement);

/** Parses titles to the comma-separated list that the interface takes, those that only differ in capitals once. */
export const titleList: Parse<string> = (value, reading) => {
	const given = titles(value, reading);
	const apart = given.find((title) => title.includes(','));
	if (apart !== undefined)
		throw new InvalidValue(
			`contains "${quote(apart)}", whose comma would make it several tags`,
			'This request takes the titles in one text, separated by commas: use titles without commas.',
		);
	const distinct = new Map<string, string>();
	for (const title of given) {
		const folded = title.toLowerCase();
		if (!distinct.has(folded)) distinct.set(folded, title);
	}
	return [...distinct.values()].join(',');
};
