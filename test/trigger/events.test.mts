import type { IDataObject } from 'n8n-workflow';

import { parseEvents, readEvent } from '../../nodes/CustomerMessaging/trigger/events.ts';

describe('the events of a body', () => {
	const parse = (text: string) => parseEvents(Buffer.from(text));

	it('are an object, or a list of them', () => {
		const list = [{ a: 1 }, { b: 2 }];
		expect(parse('{"a":1}')).toEqual([{ a: 1 }]);
		expect(parse(`\uFEFF${JSON.stringify(list)}`)).toEqual(list);
		expect(parse('{"events":[{"a":1}]}')).toEqual([{ events: [{ a: 1 }] }]);
	});

	it.each([
		...['', 'null', '1', '"text"', '{"a":', '{} {}', '{}{}', 'a=b', '{"event":NaN}'],
		...['[]', '[1]', '[[]]', '[null]'],
		...['[{"id":1},2]', '[2,{"id":1}]', '[{"id":1},null]', '[{"id":1},[]]'],
	])('are not in %j', (text) => expect(parse(text)).toBeUndefined());

	it('are not in another encoding', () => {
		const event = '{"event":"ä"}';
		for (const encoding of ['utf16le', 'latin1'] as const)
			expect(parseEvents(Buffer.from(event, encoding))).toBeUndefined();
	});

	it('keep a byte order mark within a text, and brackets that are text', () => {
		for (const text of ['a\uFEFFb', '"\\"{[', `"${'['.repeat(200)}`, '{['.repeat(5000)])
			expect(parse(JSON.stringify({ text }))).toEqual([{ text }]);
	});

	it('cannot change what objects are made of', () => {
		const [event] = parse('{"__proto__":{"isAdmin":true},"message":{"__proto__":{"id":1},"id":2}}') ?? [];
		expect(Object.getPrototypeOf(event)).toBe(Object.prototype);
		expect(JSON.stringify(event)).toBe('{"message":{"id":2}}');
		expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
	});

	it.each<[string, (levels: number) => string]>([
		['lists', (levels) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`],
		[
			'lists with room between',
			(levels) => `{"a":${'[\n\t '.repeat(levels - 1)}${'] \n'.repeat(levels - 1)}}`,
		],
		['objects', (levels) => `${'{ "a": '.repeat(levels)}7${' }'.repeat(levels)}`],
		[
			'both',
			(levels) =>
				`${'{"a":['.repeat(levels / 2)}${levels % 2 ? '[]' : ''}${']}'.repeat(Math.floor(levels / 2))}`,
		],
		[
			'lists behind a text that ends with a backslash',
			(levels) => `{"text":"\\\\","a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`,
		],
	])('may have a hundred levels of %s, and no more', (_, nested) => {
		expect(parse(nested(100))).toHaveLength(1);
		expect(parse(nested(101))).toBeUndefined();
		expect(parse(nested(50_000).slice(0, 50_000))).toBeUndefined();
	});

	it.each(['{}', '[]', '{"a": [ 1, 2 ]}', '-1.5e+7', '"a \\" quotation {["', '"\\\\"'])(
		'may have a long flat list of %s',
		(element) => {
			expect(parse(`{ "list": [ ${Array<string>(300).fill(element).join(' , ')} ] }`)).toHaveLength(1);
		},
	);

	it('have at most 15,000 values', () => {
		const values = (count: number) => `{"contents":[${Array<number>(count).fill(1).join()}]}`;
		// The object and the list are two of the values.
		expect(parse(values(14_998))).toHaveLength(1);
		expect(parse(values(14_999))).toBeUndefined();
	});

	it('are at most 1,000', () => {
		const events = (count: number) => JSON.stringify(Array.from({ length: count }, (_, id) => ({ id })));
		expect(parse(events(1000))).toHaveLength(1000);
		expect(parse(events(1001))).toBeUndefined();
	});
});

const message = { id: 7, conversation_id: 3 };
const about = { event: 'new-agent-message', at: 'now' };

describe('the message of an event', () => {
	it.each<[string, IDataObject]>([
		['message', { message }],
		['data.message', { data: { message } }],
		['data', { data: message }],
		['message, before data', { message, data: { id: 1 } }],
	])('is found in %s, and the other fields are kept apart from it', (where, place) => {
		const raw = { ...about, ...place };
		const event = where.startsWith('message,') ? { ...about, data: { id: 1 } } : about;
		expect(readEvent(raw)).toEqual({
			...{ raw, message, event },
			...{ kind: 'new-agent-message', choice: 'newAgentMessage' },
		});
	});

	it('is the event itself where nothing in it has an ID', () => {
		for (const raw of [message, { ...message, message: 'text', data: { message: { id: '' } } }])
			expect(readEvent(raw)).toEqual({
				...{ raw, message: raw, event: {} },
				...{ kind: 'new-agent-message', choice: 'newAgentMessage' },
			});
	});

	it.each<[string, IDataObject]>([
		['nothing', {}],
		['something else', { hello: 'world' }],
		['no ID', { event: about.event, message: { status: 'created', contents: [] } }],
		['an empty ID', { event: about.event, message: { id: ' ' } }],
		['an ID of another type', { event: about.event, message: { id: { a: 1 } } }],
		['a list', { event: about.event, message: [message] }],
		['text', { event: about.event, data: JSON.stringify(message) }],
		['in another member', { event: about.event, payload: message, messages: [message] }],
	])('is not %s', (_, raw) => {
		const kind = 'event' in raw ? about.event : '';
		expect(readEvent(raw)).toEqual({ raw, message: raw, event: {}, kind });
	});
});

describe('the kind of an event', () => {
	it.each(['event', 'type'])('stands in %s', (name) => {
		expect(readEvent({ [name]: 'new-agent-message', message }).choice).toBe('newAgentMessage');
		const other = { [name]: 'nobodys-message-read' };
		expect(readEvent({ ...other, message })).toEqual({
			...{ raw: { ...other, message }, message, event: other },
			...{ kind: 'nobodys-message-read', choice: undefined },
		});
	});

	it.each([
		[{ id: 1, conversation_id: 2, type: 'text' }, 'newAgentMessage'],
		[{ id: 1, conversation_id: 2, type: 'new-agent-message' }, 'newAgentMessage'],
		[{ id: 1, type: 'customer-created' }, undefined],
	])('is not the type of a message that comes alone: %j', (raw, choice) => {
		expect(readEvent(raw).choice).toBe(choice);
	});

	it('is event before type', () => {
		const { kind, choice } = readEvent({ event: 'new-agent-message', type: 'x', message });
		expect([kind, choice]).toEqual(['new-agent-message', 'newAgentMessage']);
	});

	it.each(['new-customer-message', 'NewAgentMessage', 'new-agent-messages', 'agent', 'ping'])(
		'%s is another, although it holds a message',
		(event) =>
			expect(readEvent({ event, message })).toMatchObject({ message, kind: event, choice: undefined }),
	);

	it.each<[string, IDataObject]>([
		['missing', { message }],
		['empty', { event: '', message }],
		['a number', { event: 5, message }],
	])('that is %s leaves a message a new agent message', (_, raw) => {
		expect(readEvent(raw)).toMatchObject({ kind: 'new-agent-message', choice: 'newAgentMessage' });
	});
});
