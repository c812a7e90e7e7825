import type { IDataObject } from 'n8n-workflow';

import { switchOf } from '../values/choices';
import { toList } from '../values/ids';
import { isObject, ownMember } from '../values/json';
import { isFailedMessage, messageSummary } from '../values/messageSummary';
import { quote, stringOf, textOrNothing } from '../values/text';
import { Refused } from './refusals';

/**
 * The events that start a workflow ("Events" of the interface), in the order of the editor: the value that workflows store, the kind
 * in the interface, and what it starts after.
 */
export const EVENT_KINDS = [
	{
		name: 'New Agent Message',
		value: 'newAgentMessage',
		kind: 'new-agent-message',
		description: 'An agent message was sent with From Automation switched on',
		cause: 'an automation has sent a message, not when a customer writes',
	},
];

/** That of messages that tell no kind. */
export const [DEFAULT_EVENT] = EVENT_KINDS;

// The interface does not document the payload of a webhook. This is what is supported of it.

/** No message nests deeper. Deeper nesting could exhaust the stack of later code. */
const MAX_LEVELS = 100;

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
	/**
	 * What a redelivery shares with the first delivery: kind, ID and status of the message. One that was not delivered has another
	 * status then, whatever its word. Another event may be about any record, of which other members change.
	 */
	identity: unknown[];
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether a value nests too deeply. It goes level by level, for which no stack is too small. */
function isTooDeep(value: unknown): boolean {
	let level = [value].filter(isNested);
	for (let levels = 0; level.length > 0; levels++) {
		if (levels >= MAX_LEVELS) return true;
		level = level.flatMap((part) => Object.values(part)).filter(isNested);
	}
	return false;
}

/** Reads an event, whose message is in the first of these places that has an ID. */
function readEvent(raw: IDataObject): WebhookEvent {
	const places: Array<[member: string, held: unknown]> = [
		['message', raw.message],
		['data', ownMember(raw.data, 'message')],
		['data', raw.data],
		['', raw],
	];
	const [member = '', message] =
		places.find(([, held]) => {
			const id = ownMember(held, 'id');
			return Number.isSafeInteger(id) || textOrNothing(id) !== undefined;
		}) ?? [];
	// The type of a message that comes alone, such as text, is no kind of event.
	const isAlone = message === raw && 'conversation_id' in raw;
	const kind = textOrNothing(raw.event) ?? (isAlone ? undefined : textOrNothing(raw.type));
	const known = kind === undefined ? DEFAULT_EVENT : EVENT_KINDS.find((one) => one.kind === kind);
	const isMessage = isObject(message);
	const { [member]: holder, ...around } = raw;
	// What stands beside the message in `data` belongs to the event too.
	const beside = isObject(holder) && holder !== message ? { ...holder } : {};
	delete beside.message;
	const event = isMessage && message !== raw ? { ...beside, ...around } : {};
	const read = { raw, message: isMessage ? message : raw, event };
	if (!known || !isMessage) return { ...read, kind: kind ?? '', identity: [kind, raw] };
	const status = isFailedMessage(message) ? 'failed' : (message.status ?? '');
	const identity = [known.kind, stringOf(message.id).trim(), status];
	return { ...read, kind: known.kind, choice: known.value, identity };
}

/** Reads the events of a body, which is an object or a list of objects. @throws Refused for anything else, and for too many levels */
export function readDelivery(body: Buffer): WebhookEvent[] {
	let parsed: unknown;
	try {
		const json = new TextDecoder('utf-8', { fatal: true }).decode(body);
		// A member named `__proto__` could change the prototype of objects.
		parsed = JSON.parse(json, (name, value: unknown) => (name === '__proto__' ? undefined : value));
	} catch {
		parsed = undefined;
	}
	const events: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
	if (events.length === 0 || !events.every(isObject) || isTooDeep(parsed)) throw new Refused('unreadable');
	return events.map(readEvent);
}

const comparable = (value: unknown) => stringOf(value).trim().toLowerCase();

/**
 * Reads the filters of a node. A filter accepts several values, as a list in text or an array. One without a value accepts all
 * messages.
 *
 * @returns a function that says what a message does not pass; nothing if it passes
 * @throws Error when *Only Failed* is neither on nor off
 */
export function readFilters(filters: IDataObject): (message: IDataObject) => string[] {
	const { conversation, from, source, status, template, onlyFailed } = filters;
	const table: Array<[label: string, given: unknown, of: (message: IDataObject) => unknown[]]> = [
		['Conversation', conversation, (message) => [message.conversation_id]],
		['From', from, (message) => [message.from]],
		['Source', source, (message) => [message.source]],
		['Status', status, (message) => [message.status]],
		['Template', template, (message) => [message.ca_template_id, messageSummary(message).template]],
	];
	const wanted = table.flatMap(([label, given, of]) => {
		const values = new Set(toList(given).map(comparable));
		values.delete('');
		return values.size > 0 ? { label, of, values } : [];
	});
	const wantsFailed = switchOf('Only Failed', onlyFailed, false);
	return (message) => [
		...(wantsFailed && !isFailedMessage(message) ? ['there is no error (Only Failed)'] : []),
		...wanted.flatMap(({ label, of, values }) => {
			const found = of(message);
			if (found.some((value) => values.has(comparable(value)))) return [];
			return `${label} is ${found.map((value) => quote(value ?? null)).join(' or ')}`;
		}),
	];
}
