import { createHmac } from 'node:crypto';

import { Deliveries, deliveryKey } from '../../../nodes/CustomerMessaging/trigger/deliveries.ts';
import { parseEvents, readEvent } from '../../../nodes/CustomerMessaging/trigger/events.ts';
import { passes } from '../../../nodes/CustomerMessaging/trigger/filters.ts';
import { isAllowedIp } from '../../../nodes/CustomerMessaging/trigger/ipAllowList.ts';
import { isSignedBy, type SignatureScheme } from '../../../nodes/CustomerMessaging/trigger/signature.ts';

describe('isSignedBy', () => {
	const scheme = (change: Partial<SignatureScheme> = {}): SignatureScheme => ({
		secret: 'key',
		algorithm: 'sha256',
		encoding: 'hex',
		prefix: '',
		toleranceSeconds: 300,
		...change,
	});
	const fox = Buffer.from('The quick brown fox jumps over the lazy dog');

	// Known answers: RFC 2202 and RFC 4231 style vectors of this key and sentence.
	test.each<[SignatureScheme['algorithm'], string]>([
		['sha1', 'de7c9b85b8b78aa6bc8a7a36f70a90701c9db4d9'],
		['sha256', 'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8'],
		[
			'sha384',
			'd7f4727e2c0b39ae0f1e40cc96f60242d5b7801841cea6fc592c5d3e1ae50700582a96cf35e1e554995fe4e03381c237',
		],
		[
			'sha512',
			'b42af09057bac1e2d41708e48a902e09b5ff7f12ab428a4fe86653c73dd248fb82f948a549f7b791a5b41915ee4d1ec3935357e4e2317250d0372afa2ebeeb3a',
		],
	])('%s', (algorithm, signature) => {
		expect(isSignedBy(scheme({ algorithm }), fox, signature, undefined, 0)).toBe(true);
		expect(isSignedBy(scheme({ algorithm }), fox, signature.toUpperCase(), undefined, 0)).toBe(true);
		expect(
			isSignedBy(scheme({ algorithm }), Buffer.concat([fox, Buffer.from('.')]), signature, undefined, 0),
		).toBe(false);
	});

	const signed = (text: string, encoding: 'base64' | 'hex' = 'hex') =>
		createHmac('sha256', 'key').update(text).digest(encoding);

	it('base64 is compared as it is written', () => {
		const base64 = scheme({ encoding: 'base64' });
		expect(isSignedBy(base64, fox, signed(String(fox), 'base64'), undefined, 0)).toBe(true);
		expect(isSignedBy(base64, fox, signed(String(fox), 'base64').toLowerCase(), undefined, 0)).toBe(false);
	});

	it('a prefix must be there, and only once', () => {
		const prefixed = scheme({ prefix: 'sha256=' });
		expect(isSignedBy(prefixed, fox, `sha256=${signed(String(fox))}`, undefined, 0)).toBe(true);
		expect(isSignedBy(prefixed, fox, signed(String(fox)), undefined, 0)).toBe(false);
		expect(isSignedBy(prefixed, fox, `sha256=sha256=${signed(String(fox))}`, undefined, 0)).toBe(false);
	});

	const now = Date.parse('2026-01-01T00:10:00Z');
	test.each([
		['seconds', String(now / 1000)],
		['milliseconds', String(now)],
		['ISO 8601', '2026-01-01T00:10:00Z'],
		['the edge of the tolerance', String(now / 1000 - 300)],
		['a clock that is ahead', String(now / 1000 + 299)],
	])('a timestamp in %s is signed too', (_, timestamp) => {
		expect(isSignedBy(scheme(), fox, signed(`${timestamp}.${String(fox)}`), timestamp, now)).toBe(true);
	});

	test.each([
		['too old', String(now / 1000 - 301)],
		['too far ahead', String(now / 1000 + 301)],
		['no time', 'yesterday'],
		['empty', ''],
	])('a timestamp that is %s is refused', (_, timestamp) => {
		expect(isSignedBy(scheme(), fox, signed(`${timestamp}.${String(fox)}`), timestamp, now)).toBe(false);
	});

	it('an empty secret lets nobody in', () => {
		const empty = createHmac('sha256', '').update(fox).digest('hex');
		expect(isSignedBy(scheme({ secret: '' }), fox, empty, undefined, 0)).toBe(false);
	});

	test.each(['', 'x', signed(String(fox)).slice(1), `${signed(String(fox))}0`])(
		'%j is refused',
		(signature) => {
			expect(isSignedBy(scheme(), fox, signature, undefined, 0)).toBe(false);
		},
	);
});

describe('isAllowedIp', () => {
	test.each([
		['192.0.2.10', '192.0.2.10'],
		['192.0.2.0/24', '192.0.2.255'],
		['198.51.100.1, 192.0.2.0/24', '192.0.2.7'],
		['0.0.0.0/0', '8.8.8.8'],
		['192.0.2.10', '::ffff:192.0.2.10'],
		['2001:db8::/32', '2001:db8:1::1'],
		['::1', '0:0:0:0:0:0:0:1'],
	])('%s lets %s in', (list, caller) => expect(isAllowedIp(list, caller)).toBe(true));

	test.each([
		['192.0.2.10', '192.0.2.11'],
		['192.0.2.0/24', '192.0.3.0'],
		['192.0.2.0/33', '192.0.2.0'],
		['0.0.0.0/0', '2001:db8::1'],
		['2001:db8::/32', '2001:db9::1'],
		['not an address', '192.0.2.10'],
		['', '192.0.2.10'],
		['192.0.2.10', 'unknown'],
		['192.0.2.10', undefined],
	])('%s keeps %s out', (list, caller) => expect(isAllowedIp(list, caller)).toBe(false));
});

describe('parseEvents', () => {
	const parse = (text: string) => parseEvents(Buffer.from(text));

	it('takes an object or a list of them', () => {
		expect(parse('{"a":1}')).toEqual([{ a: 1 }]);
		expect(parse('\uFEFF[{"a":1},{"b":2}]')).toEqual([{ a: 1 }, { b: 2 }]);
	});

	test.each(['', 'null', '1', '"text"', '[]', '[1]', '[[]]', '{"a":', '{} {}'])('refuses %j', (text) => {
		expect(parse(text)).toBeUndefined();
	});

	it('does not let a body change what objects are made of', () => {
		const [event] = parse('{"__proto__":{"isAdmin":true},"message":{"__proto__":{"id":1},"id":2}}') ?? [];
		expect(Object.getPrototypeOf(event)).toBe(Object.prototype);
		expect(JSON.stringify(event)).toBe('{"message":{"id":2}}');
		expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
	});

	it('refuses bottomless nesting at once, but not brackets in texts', () => {
		expect(parse(`${'['.repeat(500_000)}`)).toBeUndefined();
		expect(parse(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`)).toBeUndefined();
		expect(parse(JSON.stringify({ text: '{['.repeat(5000), quoted: '\\"{' }))).toHaveLength(1);
	});
});

describe('readEvent', () => {
	const message = { id: 7, conversation_id: 3, status: 'created' };
	test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
		[
			'message',
			{ event: 'new-agent-message', at: 'now', message },
			{ event: 'new-agent-message', at: 'now' },
		],
		['data', { type: 'new_agent_message', data: message }, { type: 'new_agent_message' }],
		['data.message', { event: 'new-agent-message', data: { message } }, { event: 'new-agent-message' }],
		['payload', { kind: 'NEW.AGENT.MESSAGE', payload: message }, { kind: 'NEW.AGENT.MESSAGE' }],
		['the event itself', message, {}],
		['the event itself, named', { ...message, event: 'new-agent-message' }, {}],
	])('finds the message in %s', (_, raw, event) => {
		expect(readEvent(raw as never)).toMatchObject({ message: { id: 7 }, event, isNewAgentMessage: true });
	});

	test.each([{ event: 'customer-created', data: { id: 1 } }, { hello: 'world' }, {}])(
		'%j is another event',
		(raw) => {
			expect(readEvent(raw as never).isNewAgentMessage).toBe(false);
		},
	);
});

describe('passes', () => {
	const message = {
		id: 7,
		conversation_id: 3,
		from: 'agent',
		source: 'api',
		status: 'created',
		ca_template_id: 9,
	};
	test.each<[Record<string, unknown>, boolean]>([
		[{}, true],
		[{ conversation: '3' }, true],
		[{ conversation: '1, 3' }, true],
		[{ conversation: [1, 3] }, true],
		[{ conversation: 4 }, false],
		[{ conversation: '' }, true],
		[{ from: 'Agent', source: 'API' }, true],
		[{ from: 'agent', source: 'app' }, false],
		[{ status: 'failed' }, false],
		[{ template: '9' }, true],
		[{ onlyFailed: true }, false],
		[{ onlyFailed: false }, true],
	])('%j: %s', (filters, expected) => {
		expect(passes(filters as never, message)).toBe(expected);
	});

	it('knows failed messages by their error', () => {
		expect(passes({ onlyFailed: true }, { ...message, latest_error: { id: 1 } })).toBe(true);
		expect(passes({ onlyFailed: true }, { ...message, latest_error: null })).toBe(false);
	});
});

describe('Deliveries', () => {
	const open = (trigger: string, data: Record<string, unknown>, now = 1000) =>
		new Deliveries(trigger, data as never, 60, now);
	const key = (id: number, status = 'created') => deliveryKey({ id, status });

	it('accepts each key once within the window', () => {
		const data = {};
		expect(open('a', data).accept(key(1))).toBe(true);
		expect(open('a', data).accept(key(1))).toBe(false);
		expect(open('a', data).accept(key(1, 'failed'))).toBe(true);
		expect(open('b', data).accept(key(1))).toBe(true);
		expect(open('a', data, 1061).accept(key(1))).toBe(true);
	});

	it('knows after a restart what was kept, at most 1,000 of them', () => {
		const data: Record<string, unknown> = {};
		const before = open('c', data);
		for (let index = 0; index < 12_000; index++) before.accept(key(index));
		before.keep();
		const written = JSON.parse(JSON.stringify(data)) as { deliveries: string };
		expect(written.deliveries.split(' ')).toHaveLength(1000);
		const afterRestart = open('c after a restart', written as never);
		expect(afterRestart.accept(key(11999))).toBe(false);
		expect(afterRestart.accept(key(11000))).toBe(false);
	});

	it('forgets what n8n could not start, so that it may come again', () => {
		const failing = open('d', {});
		expect(failing.accept(key(1))).toBe(true);
		failing.keep();
		failing.answered(500);
		const started = {};
		const again = open('d', started);
		expect(again.accept(key(1))).toBe(true);
		again.keep();
		JSON.stringify(started);
		again.answered(500);
		expect(open('d', {}).accept(key(1))).toBe(false);
	});

	it('keeps with the next delivery what was lost on its own way', () => {
		const lost = open('e', {});
		lost.accept(key(1));
		lost.keep();
		lost.answered(200);
		const data = {};
		const next = open('e', data);
		next.accept(key(2));
		next.keep();
		const written = JSON.parse(JSON.stringify(data)) as never;
		expect(open('e after a restart', written).accept(key(1))).toBe(false);
	});

	it('keeps what n8n answers at the end of an execution once that has ended well', () => {
		const first = {};
		const delivery = open('f', first);
		delivery.accept(key(1));
		delivery.keep({ isAnsweredAtEnd: true });
		const whileExecuting = JSON.parse(JSON.stringify(first)) as never;
		expect(open('f in another process', whileExecuting).accept(key(1))).toBe(true);
		expect(open('f', {}).accept(key(1))).toBe(false);

		delivery.answered(200);
		const second = {};
		const next = open('f', second);
		next.accept(key(2));
		next.keep({ isAnsweredAtEnd: true });
		const afterwards = JSON.parse(JSON.stringify(second)) as never;
		expect(open('f in a third process', afterwards).accept(key(1))).toBe(false);
	});

	it('a message without an ID is known by its content', () => {
		expect(deliveryKey({ text: 'a' })).toBe(deliveryKey({ text: 'a' }));
		expect(deliveryKey({ text: 'a' })).not.toBe(deliveryKey({ text: 'b' }));
	});

	it('a message with an ID is known by that and its status', () => {
		expect(deliveryKey({ id: 7, status: 'created', text: 'a' })).toBe(key(7));
		expect(deliveryKey({ id: '7', status: 'created' })).toBe(key(7));
		expect(key(7, 'failed')).not.toBe(key(7));
		expect(deliveryKey({ id: 7 })).toBe(deliveryKey({ id: 7, status: null }));
	});
});
