import { parseEvents } from '../../../nodes/CustomerMessaging/trigger/events.ts';
import { arrive, type Arrival, newMessage } from './arrival.mts';

const KILOBYTE = 1024;

/** A new event that takes so many bytes. */
function eventOf(bytes: number): Buffer {
	const event = { event: 'new-agent-message', message: newMessage(), text: '' };
	const text = 'x'.repeat(bytes - JSON.stringify(event).length);
	return Buffer.from(JSON.stringify({ ...event, text }));
}

const statusOf = async (arrival: Arrival) => {
	const { status, items } = await arrive(arrival);
	return items ? 'started' : status;
};

describe('size', () => {
	const parameters = { additionalOptions: { maximumSizeKb: 2 } };

	it.each([
		['as large as allowed', 2 * KILOBYTE, 'started'],
		['a byte larger', 2 * KILOBYTE + 1, 413],
	])('a body that is %s', async (_, bytes, expected) => {
		const body = eventOf(bytes);
		expect(await statusOf({ parameters, body })).toBe(expected);
		expect(
			await statusOf({ parameters, body: eventOf(bytes), headers: { 'content-length': String(bytes) } }),
		).toBe(expected);
	});

	it('a megabyte is allowed unless told otherwise', async () => {
		expect(await statusOf({ body: eventOf(KILOBYTE * KILOBYTE) })).toBe('started');
		expect(await statusOf({ body: eventOf(KILOBYTE * KILOBYTE + 1) })).toBe(413);
	});

	it('what is announced as too large is not read, nor is the credential', async () => {
		const headers = { 'content-length': String(2 * KILOBYTE + 1) };
		const arrived = await arrive({ parameters, headers, credential: new Error('No key') });
		expect(arrived).toMatchObject({ status: 413, bodyReads: 0, credentialReads: 0 });
	});

	it.each([
		['is larger than n8n takes', Object.assign(new Error(), { type: 'entity.too.large' }), 413],
		['breaks off', Object.assign(new Error(), { type: 'request.aborted' }), 400],
		['cannot be read', new Error('broken'), 400],
	])('a body that %s is answered with its status', async (_, body, status) => {
		expect(await statusOf({ body })).toBe(status);
	});

	it('a body is read once, even where its signature is checked first', async () => {
		const arrived = await arrive({
			credential: {
				method: 'hmac',
				signatureHeaderName: 'X-Signature',
				secret: 'secret',
				algorithm: 'sha256',
			},
			headers: { 'x-signature': 'no' },
		});
		expect(arrived).toMatchObject({ status: 401, bodyReads: 1 });
	});
});

describe('content type', () => {
	it.each([
		['application/json', 'started'],
		['APPLICATION/JSON', 'started'],
		[' application/json ; charset=utf-8', 'started'],
		['application/cloudevents+json ; a=b', 'started'],
		['application/json-seq', 415],
		['text/json', 415],
		['text/plain; application/json', 415],
		['', 415],
		[undefined, 415],
	])('%j: %s', async (type, expected) => {
		expect(await statusOf({ headers: { 'content-type': type } })).toBe(expected);
	});
});

describe('nesting', () => {
	const parse = (text: string) => parseEvents(Buffer.from(text));
	/** So many levels, the object around them among them. */
	const nested = (levels: number, open: string, close: string, between = '') =>
		`{"a":${Array<string>(levels - 1)
			.fill(open)
			.join(between)}${Array<string>(levels - 1)
			.fill(close)
			.join(between)}}`;

	it.each([
		['lists', '[', ']', ''],
		['lists with room between', '[', ']', '\n\t '],
	])('a hundred levels of %s are taken, and no more', (_, open, close, between) => {
		expect(parse(nested(100, open, close, between))).toHaveLength(1);
		expect(parse(nested(101, open, close, between))).toBeUndefined();
	});

	it('a hundred levels of objects are taken, and no more', () => {
		const objects = (levels: number) => `${'{ "a": '.repeat(levels)}7${' }'.repeat(levels)}`;
		expect(parse(objects(100))).toHaveLength(1);
		expect(parse(objects(101))).toBeUndefined();
	});

	it('levels of both kinds count together', () => {
		const both = (pairs: number) => `${'{"a":['.repeat(pairs)}${']}'.repeat(pairs)}`;
		expect(parse(both(50))).toHaveLength(1);
		expect(parse(both(51))).toBeUndefined();
	});

	it.each([['{}'], ['[]'], ['{"a": [ 1, 2 ]}'], ['-1.5e+7'], ['"a \\" quotation {["'], ['"\\\\"']])(
		'a long flat list of %s is taken',
		(element) => {
			const elements = Array<string>(300).fill(element).join(' , ');
			expect(parse(`{ "list": [ ${elements} ] }`)).toHaveLength(1);
		},
	);

	it('brackets behind a quotation mark of a text are part of the text', () => {
		const text = `"${'['.repeat(200)}`;
		expect(parse(JSON.stringify({ text }))).toEqual([{ text }]);
	});

	it('brackets behind a text that ends with a backslash are none of it', () => {
		expect(parse(`{"text":"\\\\","a":${'['.repeat(101)}${']'.repeat(101)}}`)).toBeUndefined();
	});
});

describe('content', () => {
	it('a byte order mark within a text stays', () => {
		const text = 'a\uFEFFb';
		expect(parseEvents(Buffer.from(JSON.stringify({ text })))).toEqual([{ text }]);
	});

	it.each(['[{"id":1},2]', '[2,{"id":1}]', '[{"id":1},null]', '[{"id":1},[]]'])(
		'%s is refused as a whole',
		async (text) => {
			expect(parseEvents(Buffer.from(text))).toBeUndefined();
			expect(await statusOf({ body: Buffer.from(text) })).toBe(400);
		},
	);
});
