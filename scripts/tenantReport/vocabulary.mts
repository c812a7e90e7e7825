import { timeOf } from '../../nodes/CustomerMessaging/polling/times.ts';
import { componentSchemas, operations, type Schema } from '../../sandbox/contract.mts';

/** Names of envelopes and failures that the contract does not have. */
const USUAL_NAMES = `active after before code count created_at current_page cursor cursors data deleted_at detail end_cursor
	error errors exception file first first_page_url from has_more has_next_page headers href id instance items label last last_page
	last_page_url limit line link links message meta next next_cursor next_page next_page_url number offset page page_info page_size
	pages pagination paging path per_page prev prev_cursor prev_page_url previous previous_cursor records result results self size
	start_cursor status success title to total total_count total_pages trace type updated_at url uuid`;

const MOST_LETTERS = 60;

const spelt = (name: string) => name.slice(0, MOST_LETTERS).toLowerCase().replace(/[_-]/g, '');

const namesIn = ({ properties = {}, items, allOf = [], anyOf = [] }: Schema): string[] => [
	...Object.keys(properties),
	...[...Object.values(properties), ...(items ? [items] : []), ...allOf, ...anyOf].flatMap(namesIn),
];

let known: Map<string, string> | undefined;

/**
 * Returns a name as the contract or `USUAL_NAMES` spell it; undefined for any other. The keys of an object can be data, as those
 * of a map by phone number. A report has no other names than these, in any spelling, so that no key of a tenant gets into it.
 */
export function told(name: string): string | undefined {
	known ??= new Map(
		[
			...USUAL_NAMES.split(/\s+/),
			...Object.values(componentSchemas()).flatMap(namesIn),
			...operations().flatMap(({ parameters }) => parameters.map((parameter) => parameter.name)),
		].map((own) => [spelt(own), own]),
	);
	return name.length > MOST_LETTERS ? undefined : known.get(spelt(name));
}

/** What people call the types of JSON. */
const TYPE_WORDS: Partial<Record<string, string>> = {
	array: 'list',
	boolean: 'boolean',
	integer: 'number',
	null: 'null',
	number: 'number with a fraction',
	object: 'object',
	string: 'text',
};

/** Returns the type of JSON that a value has. */
function jsonType(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Whether a value has a type of a schema. */
export const fits = (value: unknown, type: string): boolean =>
	jsonType(value) === type || (type === 'number' && typeof value === 'number');

/** Returns the word for the type of a value. */
export const typeOf = (value: unknown): string => TYPE_WORDS[jsonType(value)] ?? 'nothing';

/** Returns the word for a type of a schema. */
export const typeWord = (type: string): string =>
	({ integer: 'whole number', number: 'number' })[type] ?? TYPE_WORDS[type] ?? 'value';

/** Says which members there are: those with a known name by name, all others by their number. */
export function membersText(members: Array<[name: string, type: string]>): string {
	const names = members.flatMap(([name, type]) => (told(name) === undefined ? [] : `${name} (${type})`));
	const types = members.flatMap(([name, type]) => (told(name) === undefined ? type : []));
	const counts = [...new Set(types)].map((type) => {
		const { length } = types.filter((one) => one === type);
		return `${length} ${type}${length === 1 ? '' : 's'}`;
	});
	const further = `${types.length} further member${types.length === 1 ? '' : 's'}: ${counts.join(', ')}`;
	return [...new Set(names), ...(types.length > 0 ? [further] : [])].join(', ') || 'no members';
}

/** Says the members of an object. */
export const membersOf = (value: object): string =>
	membersText(Object.entries(value).map(([name, member]) => [name, typeOf(member)]));

/** The form in which the interface shows times, and in which it takes dates. */
export const ISO_TIME = 'ISO 8601 with a time zone';
export const ISO_DATE = 'YYYY-MM-DD';

const TIME_FORMS: Array<[form: string, pattern: RegExp]> = [
	[ISO_TIME, /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/i],
	['ISO 8601 without a time zone', /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*$/],
	['a time as in SQL, without a time zone', /^\d{4}-\d\d-\d\d \d\d:\d\d[\d:.]*$/],
	['a time as in SQL, with a time zone', /^\d{4}-\d\d-\d\d \d\d:\d\d[\d:.]* ?(Z|[+-]\d\d:?\d\d|UTC)$/],
	[ISO_DATE, /^\d{4}-\d\d-\d\d$/],
	['DD.MM.YYYY', /^\d{1,2}\.\d{1,2}\.\d{4}$/],
	['a date with slashes', /^\d{1,4}\/\d{1,2}\/\d{1,4}/],
];

/** Returns the form of a date or time, and whether the node reads it as a time. */
export function timeForm(value: number | string): { form: string; isRead: boolean } {
	const isRead = timeOf(value) !== undefined;
	if (typeof value === 'number')
		return { form: value < 1e11 ? 'seconds since 1970' : 'milliseconds since 1970', isRead };
	const form = TIME_FORMS.find(([, pattern]) => pattern.test(value.slice(0, 40)))?.[0];
	return { form: form ?? 'a text in another form', isRead };
}
