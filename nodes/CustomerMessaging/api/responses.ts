import { isObject, objectsOf, ownMember } from '../values/json';
import { cut } from '../values/text';

/** Whether a body is a page in place of the interface's JSON, such as the page of a login. */
export const isPage = (body: unknown) => typeof body === 'string' && body.trimStart().startsWith('<');

/** What people cannot see, and what turns the order of letters around. */
const UNSEEN = /(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu;

/** Returns a text that a person can read; undefined for anything else, such as a page. */
function readable(value: unknown): string | undefined {
	const words = typeof value === 'string' ? cut(value, 20_000).replace(UNSEEN, ' ').trim() : '';
	return words === '' || words.startsWith('<') ? undefined : words;
}

/** Returns the service's own message: `message`, `error` or `error.message`. The interface does not show it. */
export function serviceMessage(body: unknown): string | undefined {
	const error = ownMember(body, 'error');
	return readable(ownMember(body, 'message')) ?? readable(error) ?? readable(ownMember(error, 'message'));
}

/** Returns what an error body says about fields: `errors: { field: text or list }`, or a list of field or path, message or detail. */
export function fieldErrors(body: unknown): Array<{ field: string; problem: string }> {
	const errors = ownMember(body, 'errors');
	const listed = objectsOf(errors).map(({ field, path, message, detail }) => [
		readable(field) ?? readable(path),
		readable(message) ?? readable(detail),
	]);
	const byField = Object.entries(isObject(errors) ? errors : {}).flatMap(([field, problems]) =>
		[problems].flat().map((problem) => [field, readable(problem)]),
	);
	const all = [...listed, ...byField];
	return all.flatMap(([field, problem]) => (field && problem ? [{ field, problem }] : []));
}

/** The editor's names of the members that a request writes. */
export type Labels = Partial<Record<string, string>>;

/**
 * Returns the editor's name of a field that the service names, if the request has a member of exactly this name; otherwise the
 * service's own name. In a list, it has its place: "Phone Number (entry 4)" for `customers.3.display_id`.
 *
 * @param entryName names the entry at a place, from 0; with it, an entry of a list needs no label of its own member
 */
export function fieldName(labels: Labels, field: string, entryName?: (place: number) => string): string {
	const labelOf = (name: string) => (Object.hasOwn(labels, name) ? labels[name] : undefined);
	const [, list, place, member = list] = /^([^.]+)\.(\d+)(?:\.(.+))?$/s.exec(field) ?? [];
	const label = list === undefined ? undefined : (labelOf(member) ?? (entryName && labelOf(list)));
	const entry = entryName?.(Number(place)) ?? `entry ${Number(place) + 1}`;
	return labelOf(field) ?? (label === undefined ? field : `${label} (${entry})`);
}
