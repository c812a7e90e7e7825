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

/** Splits an event into its message and its own fields. */
export function readEvent(raw: IDataObject): WebhookEvent {
	const { message, data, payload } = raw;
	const places: Array<[string, unknown]> = [
		['message', message],
		['data', isObject(data) ? data.message : undefined],
		['data', data],
		['payload', isObject(payload) ? payload.message : undefined],
		['payload', payload],
	];
	const [name, found] = places.find(([, value]) => looksLikeMessage(value)) ?? [];
	const kind = [raw.event, raw.event_type, raw.kind, raw.topic, found ? raw.type : undefined].find(
		(value) => typeof value === 'string' && value !== '',
	) as string | undefined;
	const others = Object.fromEntries(Object.entries(raw).filter(([member]) => member !== name));
	const isNewAgentMessage =
		kind === undefined ? found !== undefined || looksLikeMessage(raw) : isNewAgentMessageKind(kind);
	return {
		raw,
		message: (found ?? raw) as IDataObject,
		event: found ? others : {},
		kind: isNewAgentMessage ? NEW_AGENT_MESSAGE : (kind ?? '').slice(0, MAX_KIND),
		isNewAgentMessage,
	};
}
