import type { IDataObject } from 'n8n-workflow';

import { parseEvents, readEvent } from '../../nodes/CustomerMessaging/trigger/events.ts';

describe('the events of a body', () => {
	const parse = (text: string) => parseEvents(text)?.events;

	it('are an object, a list of them, or the only list in an object', () => {
		const list = [{ a: 1 }, { b: 2 }];
		expect(parse('{"a":1}')).toEqual([{ a: 1 }]);
		expect(parse(JSON.stringify(list))).toEqual(list);
		for (const name of ['events', 'messages']) expect(parse(JSON.stringify({ [name]: list }))).toEqual(list);
		expect(parse('{"events":[{"a":1}],"more":1}')).toEqual([{ events: [{ a: 1 }], more: 1 }]);
		expect(parse('{"items":[{"a":1}]}')).toEqual([{ items: [{ a: 1 }] }]);
	});

	it.each([
		...['', 'null', '1', '"text"', '{"a":', '{} {}', '{}{}', 'a=b', '{"event":NaN}'],
		...['[]', '[1]', '[[]]', '[null]', '{"events":[]}', '{"events":[1]}'],
		// Without a message, one that is none makes all of them none.
		...['[{"id":1},2]', '[2,{"id":1}]', '[{"id":1},null]', '[{"id":1},[]]'],
	])('are not in %j', (text) => expect(parse(text)).toBeUndefined());

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

	it('are one for each message of a list in a named event, with the list of this one', () => {
		const [one, two] = [
			{ id: 1, status: 'created' },
			{ id: 2, conversation_id: 3 },
		];
		const event = 'new-agent-message';
		for (const name of ['messages', 'data', 'message', 'payload', 'events', 'records', 'batch', 'X']) {
			const events = parse(JSON.stringify({ event, [name]: [one, two], at: 'now' })) ?? [];
			expect(events).toEqual([one, two].map((message) => ({ event, [name]: [message], at: 'now' })));
			expect(events.map((raw) => readEvent(raw))).toMatchObject(
				[one, two].map((message) => ({ message, kind: event, event: { event, at: 'now' } })),
			);
		}
		const only = parse(JSON.stringify({ records: [one, two] }));
		expect(only?.map((raw) => readEvent(raw))).toMatchObject([{ message: one }, { message: two }]);
		const [named] = parse(JSON.stringify({ data: { event, records: [{ message: two }] }, at: 1 })) ?? [];
		expect(readEvent(named)).toMatchObject({ message: two, kind: event, event: { at: 1 } });
		const inner = parse(JSON.stringify([{ event, data: { page: 1, messages: [{ message: one }, two] } }]));
		expect(inner).toHaveLength(2);
		expect(inner?.map((raw) => readEvent(raw).message)).toEqual([one, two]);
		// The batch has an ID and a status, as a message has.
		const batch = parse(JSON.stringify({ id: 'b', status: 'ok', event, messages: [one, two] }));
		expect(batch?.map((raw) => readEvent(raw).message)).toEqual([one, two]);
	});

	it.each(['message', 'messages'])('are one for each of a list in %s of a named event', (name) => {
		const list = [{ id: 1, latest_error: { type: 'x' } }, { id: 2 }];
		for (const kind of [{ event: 'new-agent-message' }, { type: 'new-agent-message' }]) {
			for (const body of [
				{ ...kind, [name]: list },
				{ data: { ...kind, [name]: list } },
				{ batch: 1, events: list.map((one) => ({ ...kind, [name]: one })) },
			])
				expect(parse(JSON.stringify(body))?.map((raw) => readEvent(raw).message)).toEqual(list);
		}
		expect(parse(JSON.stringify({ event: 'another-event', [name]: list }))).toHaveLength(1);
		expect(parse(JSON.stringify([{ event: 'new-agent-message', message: { id: 1 } }, 2]))).toHaveLength(1);
	});

	it('are each of their own kind where a list of named events has others beside it', () => {
		const events = parse(
			JSON.stringify({
				batch: 1,
				events: ['new-agent-message', 'nobodys-message-read'].map((event, id) => ({
					event,
					message: { id, status: 'x' },
				})),
			}),
		);
		expect(events?.map((raw) => readEvent(raw).kind)).toEqual(['new-agent-message', 'nobodys-message-read']);
	});

	it('stay one with a list of something else, or with a message that has a list', () => {
		const history = [
			{ id: 1, status: 'sent' },
			{ id: 2, status: 'read' },
		];
		for (const event of [
			{ event: 'x', data: [{ id: 1 }, { id: 2 }] },
			{ event: 'x', message: { id: 7, status: 'read', events: history } },
		])
			expect(parse(JSON.stringify(event))).toEqual([event]);
	});

	it('are none where their lists have more than 1,000 messages, or more members to copy than a delivery has', () => {
		const list = (count: number, more: object = {}) =>
			JSON.stringify({
				...more,
				messages: Array.from({ length: count }, (_, id) => ({ id, status: 'x' })),
			});
		expect(parse(list(1000, { event: 'x' }))).toHaveLength(1000);
		expect(parse(list(1001, { event: 'x' }))).toBeUndefined();
		const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`m${index}`, 1]));
		expect(parse(list(99, many))).toHaveLength(99);
		expect(parse(list(100, many))).toBeUndefined();
	});

	it('are at most 1,000', () => {
		const events = (count: number) => JSON.stringify(Array.from({ length: count }, (_, id) => ({ id })));
		expect(parse(events(1000))).toHaveLength(1000);
		expect(parse(events(1001))).toBeUndefined();
	});
});

const message = { id: 7, conversation_id: 3 };
const about = { event: 'new-agent-message', at: 'now' };
const withData = (count: number): IDataObject => (count === 0 ? message : { data: withData(count - 1) });

describe('the message of an event', () => {
	it.each<[string, IDataObject]>([
		['message', { message }],
		['data', { data: message }],
		['data.message', { data: { message } }],
		['payload', { payload: message }],
		['payload.message', { payload: { message } }],
		['data.data', { data: { data: message } }],
		['payload.data.message', { payload: { data: { message } } }],
		['body', { body: message }],
		['object', { object: message }],
		['resource', { resource: message }],
		['attributes', { attributes: message }],
		['four members within each other', withData(4)],
		[
			'data.attributes, with the ID beside them',
			{ data: { type: 'messages', id: 7, attributes: { conversation_id: 3 } } },
		],
		['data as JSON text', { data: JSON.stringify({ message }) }],
		['data as JSON text of its own', { data: JSON.stringify(message) }],
	])('is found in %s, and the other fields are kept apart from it', (_, place) => {
		const raw = { ...about, ...place };
		const kind = 'new-agent-message';
		expect(readEvent(raw)).toEqual({ raw, message, event: about, kind, choice: 'newAgentMessage' });
	});

	it.each<[string, IDataObject]>([
		['data.object', { id: 'evt_1', type: about.event, data: { object: message } }],
		['data.attributes, beside the kind as type', { data: { type: about.event, id: 7, attributes: message } }],
		[
			'data.attributes, with the kind and the message in them',
			{ data: { type: 'events', id: 1, attributes: { event: about.event, message } } },
		],
		[
			'data.attributes, with the kind and a payload in them',
			{ data: { type: 'events', id: 1, attributes: { event: about.event, payload: { message } } } },
		],
		[
			'data as JSON text, beside a class as the kind',
			{ event: 'App\\Events\\NewAgentMessage', channel: 'x', data: JSON.stringify({ message }) },
		],
	])('is found in %s', (_, raw) => {
		expect(readEvent(raw)).toMatchObject({ choice: 'newAgentMessage', kind: about.event });
		expect(readEvent(raw).message).toEqual(message);
	});

	it('is not looked for in a fifth member, nor in a message that has members of these names', () => {
		expect(readEvent(withData(5))).toMatchObject({ choice: undefined, event: {} });
		const own = { ...message, data: { id: 1, status: 'x' }, body: { id: 2, status: 'y' } };
		expect(readEvent({ ...about, message: own }).message).toEqual(own);
		expect(readEvent({ data: { ...own, message: 'text' } }).message).toEqual({ ...own, message: 'text' });
	});

	it.each(['conversation_id', 'contents', 'status', 'sent_at'])(
		'is known by its ID and %s, also as the whole event',
		(name) => {
			const one = { id: 7, [name]: 'x' };
			const found = { message: one, event: {}, kind: 'new-agent-message', choice: 'newAgentMessage' };
			for (const raw of [{ message: one }, one]) expect(readEvent(raw)).toEqual({ raw, ...found });
			const named = { ...one, event: 'new-agent-message' };
			expect(readEvent(named)).toMatchObject({ message: named, event: {}, choice: 'newAgentMessage' });
		},
	);

	const failed = { id: 1, latest_error: { type: 'x' } };
	const like = { id: 2, status: 'x' };
	const inside: IDataObject = { id: 1, events: [like], message: { id: 3 } };
	const attributes = { latest_error: {} };
	it.each<[string, IDataObject, IDataObject]>([
		['in message', { message: failed }, failed],
		['with nothing but an ID', { message: { id: 1 } }, { id: 1 }],
		['in data.message', { data: { message: failed } }, failed],
		['in a list of one in message', { message: [failed] }, failed],
		['in a list of one in messages', { messages: [failed] }, failed],
		['beside something like a message', { data: like, message: failed }, failed],
		['with members like messages', { message: inside }, inside],
		['without an ID', { message: { status: 'created' } }, { status: 'created' }],
		[
			'with its members in attributes',
			{ message: { type: 'messages', id: 1, attributes } },
			{ type: 'messages', id: 1, attributes, ...attributes },
		],
	])('is what has an ID in a named event: %s', (_, place, expected) => {
		for (const name of ['event', 'type']) {
			const found = readEvent({ [name]: 'NewAgentMessage', ...place });
			expect(found).toMatchObject({ choice: 'newAgentMessage', kind: about.event });
			expect(found.message).toEqual(expected);
			const other = readEvent({ [name]: 'another-event', ...place });
			expect(other.choice).toBeUndefined();
			expect(other.message).not.toEqual(expected);
		}
		expect(readEvent({ ...like, event: about.event, ...place }).message).toEqual(expected);
	});

	it.each<[string, IDataObject]>([
		['nothing', {}],
		['something else', { hello: 'world' }],
		['no ID', { message: { status: 'created', contents: [] } }],
		['an ID and nothing of a message', { message: { id: 7, title: 'x' } }],
		['a list', { message: [7] }],
	])('is not %s', (_, raw) => {
		expect(readEvent(raw)).toEqual({ raw, message: raw, event: {}, kind: '', choice: undefined });
	});
});

describe('the kind of an event', () => {
	it.each([
		...[
			'new-agent-message',
			'new_agent_message',
			'new agent message',
			'new.agent.message',
			'New Agent_Message',
		],
		...['new:agent:message', 'newAgentMessage', 'NewAgentMessage', 'NEW_AGENT_MESSAGE', 'NEW.AGENT.MESSAGE'],
		...['message.agent.new', 'agent.message.new', 'agentMessageNew', 'NewAgentMessageEvent'],
		...['App\\Events\\NewAgentMessage', 'App/Events/NewAgentMessage', 'App.Events.NewAgentMessage'],
		...['App\\Events\\NewAgentMessageEvent', 'com.acme.new-agent-message', 'webhook.new_agent_message'],
	])('%s is a new agent message, and told in one spelling', (event) => {
		const kind = 'new-agent-message';
		expect(readEvent({ event, message })).toMatchObject({ kind, choice: 'newAgentMessage' });
		expect(readEvent({ event: { type: event }, message })).toMatchObject({ kind, choice: 'newAgentMessage' });
	});

	it.each([
		...['new-customer-message', 'App\\Events\\NewCustomerMessage', 'nobodys-message-read', 'another-event'],
		...['agent-message-updated', 'AgentMessageDeleted', 'message.agent.read', 'new-agent-message-failed'],
		...['new-agent', 'NewAgent', 'message.new', 'new-message', 'agent', 'agent-message', 'ping', 'old'],
		...['renew-agent-message', 'not-new-agent-message', 'message.agent.newer', 'NewAgentMessages'],
		...['new-user-agent-message', 'new-agent-messages'],
	])('%s is another, although it holds a message', (event) => {
		expect(readEvent({ event, message })).toMatchObject({ message, kind: event, choice: undefined });
	});

	it.each([
		...['event', 'type', 'kind', 'topic', 'event_type', 'eventType', 'event_name', 'eventName'],
		...['webhook_event'],
	])('stands in %s', (name) => {
		expect(readEvent({ [name]: 'New Agent_Message', message }).choice).toBe('newAgentMessage');
		const other = { [name]: 'nobodys-message-read' };
		expect(readEvent({ ...other, message })).toMatchObject({ event: other, choice: undefined });
	});

	it.each<IDataObject>([
		{ event: { name: 'nobodys-message-read' }, message },
		{ data: { event: 'nobodys-message-read', message } },
		{ payload: { event: 'nobodys-message-read', message } },
		{ meta: { event: 'nobodys-message-read' }, data: message },
	])('stands in %j, and then in the fields of the event', (raw) => {
		const { choice, event } = readEvent(raw);
		expect(choice).toBeUndefined();
		expect(JSON.stringify(event)).toContain('nobodys-message-read');
	});

	it.each<[string, IDataObject]>([
		['missing', { message }],
		['empty', { event: '', message }],
		['a number', { event: 5, message }],
		['the type of the message itself', { type: 'text', ...message }],
	])('that is %s leaves a message a new agent message', (_, raw) => {
		expect(readEvent(raw).choice).toBe('newAgentMessage');
	});

	it('is compared and kept to its hundredth character', () => {
		const long = `${'x'.repeat(82)}.new-agent-message`;
		expect(readEvent({ event: long, message }).choice).toBe('newAgentMessage');
		expect(readEvent({ event: `x${long}`, message }).choice).toBe('newAgentMessage');
		expect(readEvent({ event: 'y'.repeat(101), message }).kind).toBe('y'.repeat(100));
	});
});
