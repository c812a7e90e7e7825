import { leaksIn } from './leaks.mts';

const SECRET = '12|Zx+"k\\9/tenant=token';

it('a secret is found wherever it stands, with the way to it', () => {
	const values = {
		text: `The token ${SECRET} is no good`,
		url: `https://a.example/?token=${encodeURIComponent(SECRET)}`,
		json: JSON.stringify(JSON.stringify({ message: SECRET })),
		base64: Buffer.from(`u:${SECRET} and more`).toString('base64url'),
		names: { [SECRET]: 1 },
		hidden: Object.defineProperty({}, 'hidden', { value: SECRET }),
		map: new Map([[SECRET, new Set([1])]]),
		bytes: { body: Buffer.from(`${'x'.repeat(1000)}${SECRET}`) },
	};
	for (const [place, value] of Object.entries(values))
		expect([place, leaksIn(value, SECRET).length > 0]).toEqual([place, true]);
	const cause = { config: { headers: { Authorization: `Bearer ${SECRET}` } } };
	expect(leaksIn(new Error('outer', { cause }), SECRET, 'error')).toEqual([
		'error.cause.config.headers.Authorization: as it is',
	]);
	expect(leaksIn([undefined, null, 1, 'Bearer', new Error('x'), Buffer.from('abc')], SECRET)).toEqual([]);
});
