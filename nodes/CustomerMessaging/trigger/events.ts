import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../values/json';

// The payload of a webhook is not shown by the interface, so an event is read tolerantly.

/** The kind of event that this trigger is for ("Events" 1 of the interface). */
const NEW_AGENT_MESSAGE = 'new-agent-message';

/** Deeper nesting than any message has; more could exhaust the stack of whatever walks through it. */
const MAX_DEPTH = 100;

/** A webhook's event, taken apart. */
export interface WebhookEvent {
	/** As it came. */
	raw: IDataObject;
	/** The Message of the interface, wherever the event keeps it. */
	message: IDataObject;
	/** The event's own fields. */
	event: IDataObject;
	/** Whether it is a new agent message; an event that names no kind is taken for one. */
	isNewAgentMessage: boolean;
}

/** Whether brackets nest deeper than `MAX_DEPTH`, told without parsing. */
function isTooDeep(json: string): boolean {
	let depth = 0;
	let inText = false;
	for (let index = 0; index < json.length; index++) {
		const character = json[index];
		if (inText) {
			if (character === '\\') index++;
			else if (character === '"') inText = false;
		} else if (character === '"') inText = true;
		else if (character === '{' || character === '[') {
			if (++depth > MAX_DEPTH) return true;
		} else if (character === '}' || character === ']') depth--;
	}
	return false;
}

/**
 * The events of a body: an object, or an array of them.
 *
 * @returns undefined when it is anything else
 */
export function parseEvents(body: Buffer): IDataObject[] | undefined {
	const json = body.toString('utf8').replace(/^\uFEFF/, '');
	if (isTooDeep(json)) return undefined;
	let parsed: unknown;
	try {
		// A member named __proto__ could change what objects are made of.
		parsed = JSON.parse(json, (key, value: unknown) => (key === '__proto__' ? undefined : value));
	} catch {
		return undefined;
	}
	const events = Array.isArray(parsed) ? parsed : [parsed];
	return events.length > 0 && events.every(isObject) ? events : undefined;
}

function looksLikeMessage(value: unknown): value is IDataObject {
	return (
		isObject(value) &&
		'id' in value &&
		['conversation_id', 'contents', 'status', 'sent_at'].some((name) => name in value)
	);
}

/** Takes an event apart. */
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
	return {
		raw,
		message: (found ?? raw) as IDataObject,
		event: found ? others : {},
		isNewAgentMessage:
			kind === undefined
				? found !== undefined || looksLikeMessage(raw)
				: kind.replace(/[_.\s]/g, '-').toLowerCase() === NEW_AGENT_MESSAGE,
	};
}
