import { leaksIn } from './leaks.mts';

const SECRET = '12|Zx+"k\\9/tenant=token';
const hidden = (value: unknown) => Object.defineProperty({}, 'hidden', { value });
const computed = new (class Request {
	get header() {
		return `Bearer ${SECRET}`;
	}
})();

describe('a secret is found', () => {
	it.each<[string, unknown]>([
		['in a text', `The token ${SECRET} is no good`],
		['URL-encoded', `https://a.example/?token=${encodeURIComponent(SECRET)}`],
		['as a form encodes it', new URLSearchParams({ token: SECRET }).toString()],
		['JSON-escaped', JSON.stringify({ message: SECRET })],
		['JSON-escaped twice', JSON.stringify(JSON.stringify({ message: SECRET }))],
		['in Base64', Buffer.from(SECRET).toString('base64')],
		['in Base64, one byte behind', Buffer.from(`:${SECRET}`).toString('base64')],
		['in Base64, two bytes behind', Buffer.from(`u:${SECRET} and more`).toString('base64')],
		['in Base64 for URLs', Buffer.from(`Bearer ${SECRET}`).toString('base64url')],
		['deep within', { a: [{ b: { c: [[{ d: { e: SECRET } }]] } }] }],
		['in the name of a member', { [SECRET]: 1 }],
		['behind a symbol', { [Symbol('request')]: { headers: SECRET } }],
		['in a hidden member', hidden({ config: SECRET })],
		['in a computed member', computed],
		['in a map', new Map([['header', { value: SECRET }]])],
		['as the key of a map', new Map([[SECRET, 1]])],
		['in a set', new Set([[SECRET]])],
		['in bytes', { body: Buffer.from(`${'x'.repeat(1000)}${SECRET}`) }],
		['in the message of an error', new Error(SECRET)],
		['in the cause of a cause', new Error('outer', { cause: new Error('inner', { cause: { SECRET } }) })],
		['in a function', Object.assign(() => 1, { bound: SECRET })],
		['within a circle', (() => Object.assign({ self: {} as unknown }, { SECRET }))()],
	])('%s', (_, value) => {
		expect(leaksIn(value, SECRET)).not.toEqual([]);
	});

	it('with the way to it', () => {
		const error = new Error('outer', {
			cause: { config: { headers: { Authorization: `Bearer ${SECRET}` } } },
		});
		expect(leaksIn(error, SECRET, 'error')).toEqual(['error.cause.config.headers.Authorization: as it is']);
	});
});

it('nothing is found where no secret is', () => {
	const circle: { self?: unknown; text: string } = { text: 'Bearer ***' };
	circle.self = circle;
	const values = [
		undefined,
		null,
		1,
		'Bearer',
		circle,
		new Error('x'),
		new Map([[1, circle]]),
		Buffer.from('abc'),
	];
	for (const value of values) expect(leaksIn(value, SECRET)).toEqual([]);
});

it('a secret that stands in ordinary text by chance is refused', () => {
	expect(() => leaksIn('', 'token')).toThrow('at least 8 characters');
});
