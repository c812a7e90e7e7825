import type { IDataObject } from 'n8n-workflow';

import { recordId } from '../values/ids';
import { isObject, ownMember } from '../values/json';
import { stringOf } from '../values/text';

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

// The interface does not document the payload of a webhook. This is what is supported of it.

/** No message nests deeper. Deeper nesting could exhaust the stack of later code. */
const MAX_LEVELS = 100;

const MAX_VALUES = 15_000;

/** Maximum number of events of one delivery. Each may start an item of the workflow. */
const MAX_EVENTS = 1000;

export interface WebhookEvent {
	raw: IDataObject;
	/** The Message of the interface, from where the event holds it; the event itself if it holds none. */
	message: IDataObject;
	/** The event's own fields, without the message. */
	event: IDataObject;
	/** The kind of the event; empty if another event does not tell. */
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

/** Parses the events of a body in UTF-8: an object, or a list of objects. Undefined for anything else, or for too much. */
export function parseEvents(body: Buffer): IDataObject[] | undefined {
	let parsed: unknown;
	try {
		// A member named `__proto__` could change the prototype of objects.
		const json = new TextDecoder('utf-8', { fatal: true }).decode(body);
		parsed = JSON.parse(json, (key, value: unknown) => (key === '__proto__' ? undefined : value));
	} catch {
		return undefined;
	}
	if (isTooMuch(parsed)) return undefined;
	const events: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
	return events.length > 0 && events.length <= MAX_EVENTS && events.every(isObject) ? events : undefined;
}

/** Where an event holds its message, in the order in which it is looked for, with the member of the event that leads there. */
const HOLDERS: Array<[name: string, find: (raw: IDataObject) => unknown]> = [
	['message', ({ message }) => message],
	['data', ({ data }) => ownMember(data, 'message')],
	['data', ({ data }) => data],
	['', (raw) => raw],
];

export function readEvent(raw: IDataObject): WebhookEvent {
	const kindIn = (...given: unknown[]) => given.find((one) => typeof one === 'string' && one !== '');
	for (const [name, find] of HOLDERS) {
		const message = find(raw);
		if (!isObject(message) || recordId(message.id) === undefined) continue;
		// The type of a message, such as text, is no kind of event.
		const isOwn = message === raw && 'conversation_id' in raw && raw.type !== DEFAULT_EVENT.kind;
		const kind = kindIn(raw.event, isOwn ? undefined : raw.type);
		const others = Object.entries(raw).filter(([member]) => member !== name);
		const handled = kind === undefined ? DEFAULT_EVENT : EVENT_KINDS.find((one) => one.kind === kind);
		const event = name === '' ? {} : Object.fromEntries(others);
		return { raw, message, event, kind: stringOf(kind ?? handled?.kind), choice: handled?.value };
	}
	return { raw, message: raw, event: {}, kind: stringOf(kindIn(raw.event, raw.type)) };
}
