import type { IDataObject } from 'n8n-workflow';

import { readDelivery } from '../../nodes/CustomerMessaging/trigger/events.ts';

const read = (text: string) => readDelivery(Buffer.from(text));
const rawOf = (text: string) => read(text).map(({ raw }) => raw);
const REFUSED = 'The body of the webhook is not a JSON object or a list of objects';

describe('the events of a body', () => {
	it('are an object, or a list of them', () => {
		const list = [{ a: 1 }, { b: 2 }];
		expect(rawOf('{"a":1}')).toEqual([{ a: 1 }]);
		expect(rawOf(`\uFEFF${JSON.stringify(list)}`)).toEqual(list);
		expect(rawOf('{"events":[{"a":1}]}')).toEqual([{ events: [{ a: 1 }] }]);
	});

	it.each([
		...['', 'null', '1', '"text"', '{"a":', '{} {}', '{}{}', 'a=b', '{"event":NaN}', '[]', '[1]', '[[]]'],
		...['[null]', '[{"id":1},2]', '[2,{"id":1}]', '[{"id":1},null]', '[{"id":1},[]]'],
	])('are not in %j', (text) => expect(() => read(text)).toThrow(REFUSED));

	it('are not in another encoding', () => {
		for (const encoding of ['utf16le', 'latin1'] as const)
			expect(() => readDelivery(Buffer.from('{"event":"ä"}', encoding))).toThrow(REFUSED);
	});

	it('keep a byte order mark within a text, and brackets that are text', () => {
		for (const text of ['a\uFEFFb', '"\\"{[', `"${'['.repeat(200)}`, '{['.repeat(5000)])
			expect(rawOf(JSON.stringify({ text }))).toEqual([{ text }]);
	});

	it('cannot change what objects are made of', () => {
		const [{ raw }] = read('{"__proto__":{"isAdmin":true},"message":{"__proto__":{"id":1},"id":2}}');
		expect(Object.getPrototypeOf(raw)).toBe(Object.prototype);
		expect(JSON.stringify(raw)).toBe('{"message":{"id":2}}');
		expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
	});

	it.each<[string, (levels: number) => string]>([
		['lists', (levels) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`],
		['objects', (levels) => `${'{ "a": '.repeat(levels)}7${' }'.repeat(levels)}`],
	])('may have a hundred levels of %s, and no more', (_, nested) => {
		expect(read(nested(100))).toHaveLength(1);
		for (const text of [nested(101), nested(50_000), nested(50_000).slice(0, 50_000)])
			expect(() => read(text)).toThrow(REFUSED);
	});

	it('may be as many, with as many values, as fit into the size of a delivery', () => {
		const events = Array.from({ length: 5000 }, (_, id) => ({ event: 'x', id, contents: [1, 2, 3] }));
		expect(rawOf(JSON.stringify(events))).toEqual(events);
	});
});

const message = { id: 7, conversation_id: 3 };
const about = { event: 'new-agent-message', at: 'now' };
const agentMessage = { kind: 'new-agent-message', choice: 'newAgentMessage' };
const readEvent = (raw: IDataObject) => read(JSON.stringify(raw))[0];

describe('the message of an event', () => {
	it.each<[string, IDataObject, IDataObject?]>([
		['message', { message }],
		['data.message', { data: { message } }],
		['data', { data: message }],
		['message, before data', { message, data: { id: 1 } }, { data: { id: 1 } }],
		['data.message, before data', { data: { id: 1, message } }, { id: 1 }],
		[
			'data.message, with its own fields',
			{ data: { message, customer: { id: 9 } } },
			{ customer: { id: 9 } },
		],
		['data, where message is a text', { message: 'text', data: message }, { message: 'text' }],
	])('is found in %s, and the other fields are kept apart from it', (_where, place, others = {}) => {
		const raw = { ...about, ...place };
		expect(readEvent(raw)).toMatchObject({ raw, message, event: { ...about, ...others }, ...agentMessage });
		expect(readEvent(raw).event).toEqual({ ...about, ...others });
	});

	it('is the event itself where nothing in it has an ID', () => {
		for (const raw of [message, { ...message, message: 'text', data: { message: { id: '' } } }])
			expect(readEvent(raw)).toMatchObject({ raw, message: raw, event: {}, ...agentMessage });
	});

	it('has an ID that is a number or a text', () => {
		for (const id of [7, 0, '7', 'a-uuid', Number.MAX_SAFE_INTEGER])
			expect(readEvent({ message: { id } })).toMatchObject(agentMessage);
	});

	it.each<[string, IDataObject]>([
		['nothing', {}],
		['something else', { hello: 'world' }],
		['no ID', { event: about.event, message: { status: 'created', contents: [] } }],
		['an empty ID', { event: about.event, message: { id: ' ' } }],
		['an ID of another type', { event: about.event, message: { id: { a: 1 } } }],
		['an ID that has lost digits', { event: about.event, message: { id: 2 ** 53 } }],
		['a list', { event: about.event, message: [message] }],
		['text', { event: about.event, data: JSON.stringify(message) }],
		['in another member', { event: about.event, payload: message, messages: [message] }],
	])('is not %s', (_, raw) => {
		const kind = 'event' in raw ? about.event : '';
		expect(readEvent(raw)).toMatchObject({ raw, message: raw, event: {}, kind });
		expect(readEvent(raw).choice).toBeUndefined();
	});
});

describe('the kind of an event', () => {
	it.each(['event', 'type'])('stands in %s', (name) => {
		expect(readEvent({ [name]: 'new-agent-message', message })).toMatchObject(agentMessage);
		const other = { [name]: 'nobodys-message-read' };
		const found = readEvent({ ...other, message });
		expect(found).toMatchObject({ message, event: other, kind: 'nobodys-message-read' });
		expect(found.choice).toBeUndefined();
	});

	it.each([
		[{ id: 1, conversation_id: 2, type: 'text' }, 'newAgentMessage'],
		[{ id: 1, conversation_id: 2, type: 'new-agent-message' }, 'newAgentMessage'],
		[{ id: 1, type: 'customer-created' }, undefined],
		[{ event: 'new-agent-message', type: 'x', message }, 'newAgentMessage'],
		[{ event: 'x', type: 'new-agent-message', message }, undefined],
	])('is event before type, and not the type of a message that comes alone: %j', (raw, choice) => {
		expect(readEvent(raw).choice).toBe(choice);
	});

	it.each(['new-customer-message', 'NewAgentMessage', 'new-agent-messages', 'agent', 'ping'])(
		'%s is another, although it holds a message',
		(event) => {
			expect(readEvent({ event, message })).toMatchObject({ message, kind: event });
			expect(readEvent({ event, message }).choice).toBeUndefined();
		},
	);

	it.each([undefined, '', ' ', 5, { toString: 1 }])(
		'that is %j leaves a message a new agent message',
		(event) => {
			expect(readEvent({ event, message })).toMatchObject(agentMessage);
		},
	);
});
