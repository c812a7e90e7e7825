import { isObject } from '../values/json';

/** Returns a name in the spelling in which names are compared. */
const plainName = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

const FAILURE_NAMES = new Set(
	'success ok status statuscode code type title detail message messages reason error errors errorcode errormsg errormessage errordescription data instance path timestamp requestid traceid meta took'.split(
		' ',
	),
);

// The interface does not document error bodies. So this module reads the usual members.

const MAX_LENGTH = 20_000;

/** A longer text that is not in a member for messages is a whole page. */
const MAX_PLAIN_LENGTH = 500;

const MAX_PARTS = 1000;
const MAX_LEVELS = 6;
const MAX_LINES = 100;

/** The members in which services give a message, the best first. */
const MESSAGE_NAMES =
	'message error detail title error_description msg errorMessage error_message messages reason description'.split(
		' ',
	);

/** The members in which services list what is wrong with which field. */
const FIELD_NAMES =
	'errors fields details error_description issues violations invalid-params invalidParams'.split(' ');

/** The members for messages that may also hold a list of what is wrong with which field. */
const LIST_NAMES = 'detail message messages error data'.split(' ');

/** The members in which a listed error names its field. */
const NAMING = 'field path param pointer propertyPath property attribute target loc parameter source'.split(
	' ',
);

/** What people cannot see, and what turns the order of letters around. */
const UNSEEN = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;

function text(value: unknown): string | undefined {
	const words = typeof value === 'string' ? value.slice(0, MAX_LENGTH).replace(UNSEEN, ' ').trim() : '';
	return words === '' || words.startsWith('<') ? undefined : words;
}

function messageIn(value: unknown, levels: number): string | undefined {
	if (levels === 0) return undefined;
	if (Array.isArray(value)) {
		// What is wrong with a field is told with its name.
		const parts = value
			.slice(0, MAX_LINES)
			.flatMap((part: unknown) => (namesField(part) ? [] : (messageIn(part, levels - 1) ?? [])));
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

function nameIn(value: unknown): string | undefined {
	if (Array.isArray(value)) {
		const isStep = (step: unknown) => typeof step === 'string' || typeof step === 'number';
		return text(value.slice(0, MAX_LEVELS).filter(isStep).join('.'));
	}
	return isObject(value) ? (text(value.pointer) ?? text(value.parameter)) : text(value);
}

function fieldOf(error: Record<string, unknown>): string | undefined {
	for (const name of NAMING) {
		const field = nameIn(error[name]);
		if (field !== undefined) return field;
	}
	return text(error.reason) === undefined ? undefined : text(error.name);
}

const namesField = (part: unknown) => isObject(part) && fieldOf(part) !== undefined;

export interface FieldError {
	/** Name of the field in the service's words; empty if it is not told. */
	field: string;
	problem: string;
}

/** Returns what an error body says about fields, as long as there is not too much. */
export function fieldErrors(body: unknown): FieldError[] {
	const errors: FieldError[] = [];
	let parts = 0;

	const addError = (field: string, problem: string | undefined) => {
		if (problem !== undefined) errors.push({ field, problem });
	};
	const addMessage = (error: Record<string, unknown>, field: string) =>
		addError(fieldOf(error) ?? field, messageIn(error, 2));

	/** @param field what it is about; empty if that is not told */
	function add(value: unknown, field = '', levels = MAX_LEVELS): void {
		if (levels === 0 || ++parts > MAX_PARTS || errors.length === MAX_LINES) return;
		if (Array.isArray(value)) {
			for (const part of value.slice(0, MAX_LINES)) {
				if (isObject(part) && messageIn(part, 2) !== undefined) addMessage(part, field);
				else if (!namesField(part)) add(part, field, levels - 1);
			}
		} else if (!isObject(value)) addError(field, text(value));
		else {
			// A loop, since the members of a large object are not to be listed.
			for (const name in value) {
				if (parts > MAX_PARTS) return;
				const part = value[name];
				const path = field === '' ? name : `${field}.${name}`;
				// A field may be called like a member for messages.
				if (isObject(part) && text(part.message) !== undefined) addMessage(part, path);
				else add(part, path, levels - 1);
			}
		}
	}

	const addNamed = (list: unknown) => Array.isArray(list) && add(list.slice(0, MAX_PARTS).filter(namesField));
	addNamed(body);
	if (!isObject(body)) return errors;
	for (const part of [body, body.error, body.data].filter(isObject)) {
		for (const name of FIELD_NAMES) add(part[name]);
		for (const name of LIST_NAMES) addNamed(part[name]);
	}
	if (errors.length === 0 && serviceMessage(body) === undefined) {
		// Some services answer with nothing but texts or lists of them by the names of fields.
		for (const holder of [body, body.message, body.messages, body.error].filter(isObject))
			for (const name in holder) {
				const isTold = Array.isArray(holder[name]) || typeof holder[name] === 'string';
				if (isTold && !FAILURE_NAMES.has(plainName(name))) add(holder[name], name);
			}
	}
	return errors;
}

/** The editor's names of the members that a request writes, by member. */
export type Labels = Partial<Record<string, string>>;

/** A longer path is no member of a request. */
const MAX_PATH = 200;

const plain = (path: string) => path.replace(/[_-]/g, '').toLowerCase();

/**
 * Returns the editor's name of a field that the service names, e.g. "Phone Number" for `customers.3.display_id`, with its
 * place in a list; the service's own name if the editor shows no such field.
 *
 * @param entryName names the entry at a place, from 0
 */
export function fieldName(
	labels: Labels,
	path: string,
	entryName = (place: number) => `entry ${place + 1}`,
): string {
	if (path.length > MAX_PATH) return path;
	const byPath = new Map(Object.entries(labels).map(([member, name]) => [plain(member), name]));
	const steps = path.split(/[./[\]]+/).filter((step) => step !== '');
	const isPlace = (step: string) => /^\d+$/.test(step);
	const place = steps.findIndex(isPlace);
	const entry = place < 0 ? '' : ` (${entryName(Number(steps[place]))})`;
	for (let start = 0; start < steps.length; start++) {
		for (let end = steps.length; end > start; end--) {
			const part = steps.slice(start, end);
			const exact = byPath.get(plain(part.join('.')));
			if (exact !== undefined) return start <= place && place < end ? exact : `${exact}${entry}`;
			const name = byPath.get(plain(part.filter((step) => !isPlace(step)).join('.')));
			if (name !== undefined) return `${name}${entry}`;
		}
	}
	return path;
}
