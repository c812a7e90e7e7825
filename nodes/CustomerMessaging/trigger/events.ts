import type { IDataObject } from 'n8n-workflow';

import { isObject, objectsOf } from '../values/json';

/** An event that starts a workflow, and all words for it. */
interface EventKind {
	name: string;
	/** What workflows store. */
	value: string;
	/** Its kind in the interface. */
	kind: string;
	description: string;
	/** Continues "Starts after". */
	cause: string;
	/** How a person makes it happen. */
	trial: string;
}

/** The event of agent messages, also of those that tell no kind. */
export const DEFAULT_EVENT: EventKind = {
	name: 'New Agent Message',
	value: 'newAgentMessage',
	kind: 'new-agent-message',
	description: 'An agent message was sent with From Automation switched on',
	cause: 'an automation has sent a message, not when a customer writes',
	trial: 'Send an agent message with From Automation switched on.',
};

/** The events that start a workflow ("Events" of the interface), in the order of the editor. */
export const EVENT_KINDS = [DEFAULT_EVENT];

/** Returns what the texts of the trigger say of all its events. */
export const ofAllEvents = (words: 'cause' | 'kind' | 'trial') =>
	EVENT_KINDS.map((event) => event[words]).join(words === 'trial' ? ' Or: ' : ' or ');

// The interface does not document the payload of a webhook. So this module accepts several shapes.

/** No message nests deeper. Deeper nesting could exhaust the stack of later code. */
const MAX_LEVELS = 100;

const MAX_VALUES = 15_000;

/** Maximum number of events of one delivery. Each may start an item of the workflow. */
const MAX_EVENTS = 1000;

/** Maximum number of members that are copied to give each message of a list an event of its own. */
const MAX_COPIED = 100_000;

const MAX_KIND = 100;

export interface WebhookEvent {
	raw: IDataObject;
	/** The Message of the interface, from wherever the event holds it. */
	message: IDataObject;
	/** The event's own fields, without the message. Those of another event tell its kind. */
	event: IDataObject;
	/** The kind of the event, in the interface's spelling if it starts workflows; empty if another event does not tell. */
	kind: string;
	/** The choice of *Event* that it is; undefined for any other. A message without a kind is a new agent message. */
	choice?: string;
}

/** Whether a value nests too deeply, or holds too many values. It goes level by level, for which no stack is too small. */
function isTooMuch(value: unknown): boolean {
	let level = [value];
	for (let [levels, values] = [0, 0]; level.length > 0; levels++) {
		const collections = level.filter((part) => typeof part === 'object' && part !== null);
		values += level.length;
		if (values > MAX_VALUES || (levels >= MAX_LEVELS && collections.length > 0)) return true;
		level = collections.flatMap((part) => Object.values(part as object) as unknown[]);
	}
	return false;
}

/**
 * Parses the events of a body: an object, or an array of objects. An event with a list of messages is one for
 * each of them.
 *
 * @returns the events, and how many elements of their lists are none; undefined when the body is anything else, or
 * holds too much
 */
export function parseEvents(json: string): { events: IDataObject[]; skipped: number } | undefined {
	let parsed: unknown;
	try {
		// A member named `__proto__` could change the prototype of objects.
		parsed = JSON.parse(json, (key, value: unknown) => (key === '__proto__' ? undefined : value));
	} catch {
		return undefined;
	}
	if (isTooMuch(parsed)) return undefined;
	const found: unknown[] = Array.isArray(parsed) ? parsed : listIn(parsed);
	const objects = objectsOf(found);
	let skipped = found.length - objects.length;
	if (found.length > MAX_EVENTS || objects.length === 0) return undefined;
	if (skipped > 0 && !objects.some(messageOf)) return undefined;
	const events: IDataObject[] = [];
	let copied = 0;
	for (const event of objects) {
		// A message may have lists of what has become of it.
		const list = listOfMessages(
			event,
			isAgentMessage(event, event),
			messageOf(event) ? 'messages' : undefined,
		);
		if (!list) events.push(event);
		else {
			const { path, messages } = list;
			skipped += list.skipped;
			copied += messages.length * path.reduce((count, { part }) => count + Object.keys(part).length, 0);
			if (copied > MAX_COPIED || events.length + messages.length > MAX_EVENTS) return undefined;
			// Each has the list with one message, so that it stands where it stood.
			const withOne = (message: IDataObject) =>
				path.reduceRight<unknown>((inner, { part, name }) => ({ ...part, [name]: inner }), [message]);
			events.push(...(messages.map(withOne) as IDataObject[]));
		}
	}
	return { events, skipped };
}

interface MessageList {
	/** The event and the parts of it within each other, each with its member that leads on to the list. */
	path: Array<{ part: IDataObject; name: string }>;
	messages: IDataObject[];
	skipped: number;
}

/**
 * Returns the first list in an event that has several messages, or only of one name.
 *
 * @param isNamed whether the event names the kind of an agent message
 */
function listOfMessages(
	part: IDataObject,
	isNamed: boolean,
	only?: string,
	levels = MAX_HOLDERS,
): MessageList | undefined {
	for (const name of holdersIn(part)) {
		const value: unknown = part[name];
		if (Array.isArray(value) && (only ?? name) === name) {
			const messages = objectsOf(value);
			const isMember = isNamed && IS_MESSAGE.test(name);
			if (value.length > 1 && messages.some((one) => (isMember && 'id' in one) || messageOf(one)))
				return { path: [{ part, name }], messages, skipped: value.length - messages.length };
		} else if (isObject(value) && levels > 1) {
			const inner = listOfMessages(value, isNamed, only, levels - 1);
			if (inner) return { ...inner, path: [{ part, name }, ...inner.path] };
		}
	}
	return undefined;
}

/** Returns the events of a body: those of its list, if it has nothing else, or the body itself. */
function listIn(body: unknown): unknown[] {
	if (!isObject(body)) return [body];
	const [name, ...others] = Object.keys(body).slice(0, 2);
	const list = others.length === 0 && (name === 'events' || name === 'messages') ? body[name] : undefined;
	return Array.isArray(list) ? list : [body];
}

const hasMember = (value: object, ...names: string[]) => names.some((name) => name in value);

const ONLY_OF_MESSAGE = ['conversation_id', 'contents', 'sent_at'];
const OF_MESSAGE = [...ONLY_OF_MESSAGE, 'status'];

/** Whether a record can be nothing but a message. */
export const isCertainMessage = (record: IDataObject) => hasMember(record, ...ONLY_OF_MESSAGE);

const looksLikeMessage = (value: unknown): value is IDataObject =>
	isObject(value) && 'id' in value && hasMember(value, ...OF_MESSAGE);

const wordsOf = (kind: string) =>
	kind
		.replace(/([a-z])(?=[A-Z])/g, '$1-')
		.toLowerCase()
		.replace(/[^a-z]+event$/, '')
		.split(/[^a-z]/)
		.sort()
		.join('-');

/** Returns the event of a kind in any usual spelling, also with a namespace in front; undefined for others. */
function eventOf(kind: string): EventKind | undefined {
	const parts = kind.slice(-MAX_KIND).split(/[\\/.:]/);
	const spellings = [1, 2, 3].map((count) => wordsOf(parts.slice(-count).join('.')));
	return EVENT_KINDS.find((one) => spellings.includes(wordsOf(one.kind)));
}

/** The usual members of an event that hold its message, at the top and within each other. */
const HOLDERS = [
	...['message', 'data', 'payload', 'body', 'object', 'resource', 'attributes', 'event'],
	...['messages', 'events'],
];

const MAX_HOLDERS = 4;

/** Returns the members of a part that may hold a message: the usual ones, and each list, whatever its name is. */
const holdersIn = (part: IDataObject) => [
	...HOLDERS,
	...Object.keys(part).filter((name) => Array.isArray(part[name]) && !HOLDERS.includes(name)),
];

/** Returns a record whose members are in `attributes`, with its ID beside them; undefined for anything else. */
function recordOf({ attributes, id }: IDataObject): IDataObject | undefined {
	return isObject(attributes) ? { id, ...(attributes as IDataObject) } : undefined;
}

const onlyOf = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

const IS_MESSAGE = /^messages?$/;

/**
 * Returns the message in a value: in its member `message`, the value itself, or what another member holds.
 *
 * @param isNamed whether the event names the kind of an agent message. Then what is in `message` needs only a member of one
 */
function messageIn(
	given: unknown,
	isNamed: boolean,
	isMember = false,
	levels = MAX_HOLDERS,
): IDataObject | undefined {
	const value = onlyOf(given);
	if (!isObject(value) || levels === 0) return undefined;
	const inside = messageIn(value.message, isNamed && !isMember, true, levels - 1);
	if (inside) return inside;
	const itself = [value, recordOf(value)].find(looksLikeMessage);
	if (itself) return itself;
	if (isNamed && isMember && hasMember(value, 'id', ...OF_MESSAGE))
		return isObject(value.attributes) ? { ...value, ...recordOf(value) } : value;
	return heldIn(value, isNamed, levels - 1)?.message;
}

function heldIn(
	value: IDataObject,
	isNamed: boolean,
	levels = MAX_HOLDERS,
): { name: string; message: IDataObject } | undefined {
	for (const name of holdersIn(value)) {
		const message = messageIn(value[name], isNamed, IS_MESSAGE.test(name), levels);
		if (message) return { name, message };
	}
	return undefined;
}

/** Whether an event names the kind of an agent message, itself or in what stands around its message. */
function isAgentMessage(event: IDataObject, message: IDataObject): boolean {
	const kind = kindOf(event, message);
	return kind !== undefined && eventOf(kind) === DEFAULT_EVENT;
}

/** Returns the message that an event holds, with the name of the member that leads to it. */
function held(event: IDataObject) {
	const named = heldIn(event, true);
	return !named || isAgentMessage(event, named.message) ? named : heldIn(event, false);
}

/** Returns the message of an event: what it holds, or the event itself. */
const messageOf = (event: IDataObject) =>
	held(event)?.message ?? [event, recordOf(event)].find(looksLikeMessage);

/** Returns the event with its data as an object, if they are JSON text, as some services broadcast them. */
function withData(raw: IDataObject): IDataObject {
	const { data } = raw;
	if (typeof data !== 'string' || !data.startsWith('{')) return raw;
	const [parsed] = parseEvents(data)?.events ?? [];
	return parsed ? { ...raw, data: parsed } : raw;
}

/** The members in which events tell their kind, in small letters without other signs. */
const KIND_NAMES = new Set('event eventtype eventname kind topic webhookevent'.split(' '));

/** A `type` that tells what a record is, which is no kind of event. */
const RESOURCE_TYPE = /^((agent[-_]?)?messages?|events?|notifications?)$/i;

function namedIn(part: IDataObject): string | undefined {
	for (const name of Object.keys(part).slice(0, MAX_KIND)) {
		const value = isObject(part[name]) ? part[name].name : part[name];
		if (typeof value !== 'string' || value === '') continue;
		if (KIND_NAMES.has(name.toLowerCase().replace(/[^a-z]/g, ''))) return value;
	}
	return undefined;
}

/** Returns the `type` of a part, unless it tells what the message is. */
const typeIn = ({ type }: IDataObject) =>
	typeof type === 'string' && type !== '' && !RESOURCE_TYPE.test(type) ? type : undefined;

/** Returns the kind that an event tells, itself or in what stands around its message. */
function kindOf(event: IDataObject, message: IDataObject | undefined): string | undefined {
	const around: IDataObject[] = [event];
	for (const part of around) {
		if (around.length > MAX_AROUND) break;
		for (const name of [...holdersIn(part), 'meta']) {
			const inner = onlyOf(part[name]);
			if (isObject(inner) && inner !== message) around.push(inner);
		}
	}
	const first = (kindIn: (part: IDataObject) => string | undefined) =>
		around.map(kindIn).find((kind) => kind !== undefined);
	return first(namedIn) ?? (message && first(typeIn));
}

const MAX_AROUND = 20;

/** Whether the member for the message holds none, in the event or in what usually holds it. */
const lacksMessage = (event: IDataObject, levels = MAX_HOLDERS): boolean =>
	HOLDERS.some((name) => {
		const value: unknown = event[name];
		if (isObject(value)) return levels > 1 && lacksMessage(value, levels - 1);
		return IS_MESSAGE.test(name) && (value === null || (Array.isArray(value) && !value.some(isObject)));
	});

export function readEvent(raw: IDataObject): WebhookEvent {
	const opened = withData(raw);
	const { name, message: found } = held(opened) ?? {};
	const kind = kindOf(opened, found);
	const others = Object.fromEntries(Object.entries(raw).filter(([member]) => member !== name));
	const isMessage = found !== undefined || looksLikeMessage(raw);
	const named = kind === undefined ? DEFAULT_EVENT : eventOf(kind);
	const handled = isMessage || (kind !== undefined && !lacksMessage(opened)) ? named : undefined;
	// The member that tells the kind may hold the message.
	const isTold = handled !== undefined || kind === undefined || kindOf(others, found) === kind;
	const told = isTold ? others : { ...others, ['event' in others ? 'kind' : 'event']: kind };
	return {
		raw,
		message: found ?? raw,
		event: found ? told : {},
		kind: handled?.kind ?? (kind ?? '').slice(0, MAX_KIND),
		choice: handled?.value,
	};
}
