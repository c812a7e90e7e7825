import { componentSchemas, operations, type Schema } from '../../sandbox/contract.mts';

/** Words of envelopes and failures that the contract does not have. */
const USUAL_WORDS =
	`active after before code count created_at current_page cursor cursors data deleted_at detail end_cursor
	error errors exception file first first_page_url from has_more has_next_page href id instance items label last last_page
	last_page_url limit line links message meta next next_cursor next_page next_page_url offset page page_info page_size pages
	pagination paging path per_page prev prev_cursor prev_page_url previous previous_cursor records result results self size
	start_cursor status success title to total total_count total_pages trace type updated_at url uuid`.split(
		/\s+/,
	);

/** Spellings of one name are the same: `per_page`, `perPage`, `PerPage`. */
const spelt = (name: string) => name.toLowerCase().replace(/[_-]/g, '');

const namesIn = ({ properties = {}, items, allOf = [], anyOf = [] }: Schema): string[] => [
	...Object.keys(properties),
	...[...Object.values(properties), ...(items ? [items] : []), ...allOf, ...anyOf].flatMap(namesIn),
];

let known: Set<string> | undefined;

/** Whether a name is one of the contract, or a usual one of envelopes and failures: then it is no datum. */
export function isKnownName(name: string): boolean {
	known ??= new Set(
		[
			...USUAL_WORDS,
			...Object.values(componentSchemas()).flatMap(namesIn),
			...operations().flatMap(({ parameters }) => parameters.map((parameter) => parameter.name)),
		].map(spelt),
	);
	return known.has(spelt(name));
}

/** Snake or camel case, with at most two digits at the end: no number, address, date or UUID looks so. */
const MEMBER_NAME = /^[a-z][a-z]*(_?[A-Za-z][a-z]*)*(_?\d{1,2})?$/;
const LONGEST_NAME = 40;

/** How many words of values are remembered; after that, no new name is told. */
const MOST_WORDS = 200_000;

/** What stands for a name that could be a datum. */
export const HIDDEN = '*';

/**
 * Decides which names of members a report may tell. The keys of an object can be data themselves, as those of a map by
 * phone number, and a report has no data.
 *
 * - A name that the contract or an envelope has is told.
 * - Any other name is told only directly in an object that the contract describes, only if it looks like a name of a
 *   member, and only if it is no word of any value of the tenant.
 */
export class Tellable {
	/** Words of values, in small letters; they leave memory with the process. */
	private readonly words = new Set<string>();

	/** Remembers the words of all strings in a value. */
	addValues(value: unknown): void {
		if (typeof value === 'string') {
			for (const word of [value, ...value.slice(0, 2000).split(/[^\p{L}\p{N}]+/u)]) {
				if (word.length <= LONGEST_NAME && this.words.size < MOST_WORDS) this.words.add(spelt(word));
			}
		} else if (typeof value === 'object' && value !== null) {
			for (const member of Object.values(value)) this.addValues(member);
		}
	}

	/** The name, or `HIDDEN`. */
	tell(name: string, isInDescribedObject: boolean): string {
		if (isKnownName(name)) return name;
		const looksLikeName = name.length <= LONGEST_NAME && MEMBER_NAME.test(name);
		const isFull = this.words.size >= MOST_WORDS;
		return isInDescribedObject && looksLikeName && !isFull && !this.words.has(spelt(name)) ? name : HIDDEN;
	}
}
