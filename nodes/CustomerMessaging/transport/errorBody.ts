import { isObject } from '../values/json';

// The interface does not document error bodies. So this module reads the usual members.

/** Maximum length of one text. An error tells less of it. */
const MAX_LENGTH = 20_000;

/** A longer text that is not in a member for messages is a whole page. */
const MAX_PLAIN_LENGTH = 500;

/** Maximum number of parts of a body that are looked at, and of levels in which they may stand. */
const MAX_PARTS = 1000;
const MAX_LEVELS = 6;

/** Maximum number of lines about fields. */
const MAX_LINES = 100;

/** The members in which services give a message, the best first. */
const MESSAGE_NAMES = [
	'message',
	'error',
	'detail',
	'title',
	'error_description',
	'msg',
	'errorMessage',
	'error_message',
	'messages',
	'description',
];

/** The members in which services list what is wrong with which field. */
const FIELD_NAMES = ['errors', 'fields', 'details', 'error_description'];

/** The parts of a body that may have these members. */
const partsOf = (body: Partial<Record<string, unknown>>) => [body, body.error, body.data].filter(isObject);

/** Returns what stands in a text; undefined for a page. */
function text(value: unknown): string | undefined {
	const words = typeof value === 'string' ? value.slice(0, MAX_LENGTH).trim() : '';
	return words === '' || words.startsWith('<') ? undefined : words;
}

function messageIn(value: unknown, levels: number): string | undefined {
	if (levels === 0) return undefined;
	if (Array.isArray(value)) {
		const parts = value.slice(0, MAX_LINES).flatMap((part: unknown) => messageIn(part, levels - 1) ?? []);
		return text(parts.join('\n'));
	}
	if (!isObject(value)) return text(value);
	for (const name of MESSAGE_NAMES) {
		const found = messageIn(value[name], levels - 1);
		if (found) return found;
	}
	return undefined;
}

/** Returns the service's own message from an error body of any shape. */
export function serviceMessage(body: unknown): string | undefined {
	if (typeof body === 'string' && body.length > MAX_PLAIN_LENGTH) return undefined;
	return messageIn(body, MAX_LEVELS) ?? (isObject(body) ? messageIn(body.data, MAX_LEVELS - 1) : undefined);
}

/** Returns the field that a listed error names. */
const fieldOf = ({ field, path, param }: Record<string, unknown>) => text(field) ?? text(path) ?? text(param);

/** What is wrong with one field of a request. */
export interface FieldError {
	/** Name of the field in the service's words; empty if it is not told. */
	field: string;
	problem: string;
}

/** Collects what is wrong with fields, as long as there is not too much. */
class FieldErrors {
	readonly errors: FieldError[] = [];

	private parts = 0;

	/**
	 * Adds what is wrong.
	 *
	 * @param field what it is about; empty if that is not told
	 */
	add(value: unknown, field = '', levels = MAX_LEVELS): void {
		if (levels === 0 || ++this.parts > MAX_PARTS || this.errors.length === MAX_LINES) return;
		if (Array.isArray(value)) {
			for (const part of value.slice(0, MAX_LINES)) {
				if (isObject(part) && messageIn(part, 2) !== undefined) this.addMessage(part, field);
				else if (!isObject(part) || fieldOf(part) === undefined) this.add(part, field, levels - 1);
			}
		} else if (isObject(value)) this.addMembers(value, field, levels);
		else this.addError(field, text(value));
	}

	/** Adds the members of an object by the names of fields. A field may be called like a member for messages. */
	private addMembers(fields: Record<string, unknown>, field: string, levels: number): void {
		// A loop, since the members of a large object are not to be listed.
		for (const name in fields) {
			if (this.parts > MAX_PARTS) return;
			const value = fields[name];
			const path = field === '' ? name : `${field}.${name}`;
			if (isObject(value) && text(value.message) !== undefined) this.addMessage(value, path);
			else this.add(value, path, levels - 1);
		}
	}

	private addMessage(error: Record<string, unknown>, field: string): void {
		this.addError(fieldOf(error) ?? field, messageIn(error, 2));
	}

	private addError(field: string, problem: string | undefined): void {
		if (problem !== undefined) this.errors.push({ field, problem });
	}
}

/** Returns what an error body says about fields. */
export function fieldErrors(body: unknown): FieldError[] {
	const found = new FieldErrors();
	if (!isObject(body)) return [];
	for (const part of partsOf(body)) for (const name of FIELD_NAMES) found.add(part[name]);
	return found.errors;
}
