import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../values/json';
import { excessOf } from '../values/jsonText';

// The interface does not document the payload of a webhook. So this module accepts several shapes.

/** The kind of event that this trigger handles ("Events" 1 of the interface). */
const NEW_AGENT_MESSAGE = 'new-agent-message';

/** The words of this kind in alphabetical order. */
const AGENT_MESSAGE_NEW = 'agent-message-new';

/** No message nests deeper. Deeper nesting could exhaust the stack of later code. */
const MAX_DEPTH = 100;

/** Maximum number of values in one delivery. A message has some dozens. */
const MAX_VALUES = 15_000;

/** Maximum number of events of one delivery. Each may start an item of the workflow. */
const MAX_EVENTS = 1000;

/** Length of the beginning of a kind that is compared. */
const MAX_KIND = 100;

/** The parts of a webhook's event. */
interface WebhookEvent {
	/** The event as it arrived. */
	raw: IDataObject;
	/** The Message of the interface, from wherever the event holds it. */
	message: IDataObject;
	/** The event's own fields, without the message. */
	event: IDataObject;
	/** The kind of the event, in one spelling for new agent messages; empty if another event does not tell. */
	kind: string;
	/** Whether it is a new agent message. An event without a kind counts as one if it is or contains a message. */
	isNewAgentMessage: boolean;
}

/**
 * Parses the events of a body: an object, or an array of up to 1,000 objects.
 *
 * @returns undefined when the body is anything else, or has more values or levels than events have
 */
export function parseEvents(body: Buffer): IDataObject[] | undefined {
	const json = body.toString('utf8').replace(/^\uFEFF/, '');
	if (excessOf(json, MAX_DEPTH, MAX_VALUES)) return undefined;
	let parsed: unknown;
	try {
		// A member named `__proto__` could change the prototype of objects.
		parsed = JSON.parse(json, (key, value: unknown) => (key === '__proto__' ? undefined : value));
	} catch {
		return undefined;
	}
	const events = Array.isArray(parsed) ? parsed : [parsed];
	return events.length > 0 && events.length <= MAX_EVENTS && events.every(isObject) ? events : undefined;
}

function looksLikeMessage(value: unknown): value is IDataObject {
	return (
		isObject(value) &&
		'id' in value &&
		['conversation_id', 'contents', 'status', 'sent_at'].some((name) => name in value)
	);
}

/**
 * Whether a kind is that of a new agent message, in any usual spelling: with other signs between its words, as one word in
 * camel case, with the namespace of a class in front, or with the new thing first, as `message.agent.new`.
 */
function isNewAgentMessageKind(kind: string): boolean {
	const [name = ''] = kind.slice(-MAX_KIND).split(/[\\/]/).slice(-1);
	const words = name
		.replace(/([a-z])(?=[A-Z])/g, '$1-')
		.toLowerCase()
		.split(/[-_.:\s]/);
	return words.sort().join('-') === AGENT_MESSAGE_NEW;
}

/** The members of an event that may hold its message, at the top and within each other. */
const HOLDERS = ['message', 'data', 'payload', 'body', 'object', 'resource'];

/** Maximum number of holders within each other. */
const MAX_HOLDERS = 3;

/** Returns the record in the form of JSON:API, whose members are in `attributes`; undefined for anything else. */
function recordOf({ attributes, id }: IDataObject): IDataObject | undefined {
	return isObject(attributes) ? { id, ...(attributes as IDataObject) } : undefined;
}

/** Returns the message in a value: in its member `message`, the value itself, or what another member holds. */
function messageIn(value: unknown, levels = MAX_HOLDERS): IDataObject | undefined {
	if (!isObject(value) || levels === 0) return undefined;
	const inside = messageIn(value.message, levels - 1);
	if (inside) return inside;
	const itself = [value, recordOf(value)].find(looksLikeMessage);
	if (itself) return itself;
	for (const name of HOLDERS) {
		const found = messageIn(value[name], levels - 1);
		if (found) return found;
	}
	return undefined;
}

/** Returns the event with its data as an object, if they are JSON text, as some services broadcast them. */
function withData(raw: IDataObject): IDataObject {
	const { data } = raw;
	const [parsed] =
		typeof data === 'string' && data.startsWith('{') ? (parseEvents(Buffer.from(data)) ?? []) : [];
	return parsed ? { ...raw, data: parsed } : raw;
}

/** The members in which events tell their kind. */
const KIND_NAMES = ['event', 'event_type', 'eventType', 'event_name', 'eventName', 'kind', 'topic'];

/** Returns the kind that an event tells, also within its member `event`. */
function kindOf(raw: IDataObject, hasMessage: boolean): string | undefined {
	const { event, type } = raw;
	const told = [
		...KIND_NAMES.map((name) => raw[name]),
		...(isObject(event) ? [event.type, event.name, event.kind] : []),
		hasMessage ? type : undefined,
	];
	return told.find((value): value is string => typeof value === 'string' && value !== '');
}

/** Splits an event into its message and its own fields. */
export function readEvent(raw: IDataObject): WebhookEvent {
	const opened = withData(raw);
	const name = HOLDERS.find((holder) => messageIn(opened[holder]));
	const found = name === undefined ? undefined : messageIn(opened[name]);
	const kind = kindOf(raw, found !== undefined);
	const others = Object.fromEntries(Object.entries(raw).filter(([member]) => member !== name));
	const isNewAgentMessage =
		kind === undefined ? found !== undefined || looksLikeMessage(raw) : isNewAgentMessageKind(kind);
	return {
		raw,
		message: found ?? raw,
		event: found ? others : {},
		kind: isNewAgentMessage ? NEW_AGENT_MESSAGE : (kind ?? '').slice(0, MAX_KIND),
		isNewAgentMessage,
	};
}
