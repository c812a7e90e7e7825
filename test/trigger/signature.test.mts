import { createHmac } from 'node:crypto';

import { isSignedBy, type SignatureScheme } from '../../nodes/CustomerMessaging/trigger/signature.ts';

const SCHEME: SignatureScheme = {
	...{ secret: 'key', encoding: 'hex' },
	...{ prefix: '', toleranceSeconds: 300 },
};
const FOX = Buffer.from('The quick brown fox jumps over the lazy dog');
const NOW = Date.parse('2026-01-01T00:10:00Z');
const SECOND = NOW / 1000;

const signed = (text: string, encoding: 'base64' | 'hex' = 'hex') =>
	createHmac('sha256', 'key').update(text).digest(encoding);
const isSigned = (signature: string, change: Partial<SignatureScheme> = {}, body = FOX) =>
	isSignedBy({ ...SCHEME, ...change }, body, signature, undefined, 0);
const isInTime = (timestamp: string, change: Partial<SignatureScheme> = {}) =>
	isSignedBy({ ...SCHEME, ...change }, FOX, signed(`${timestamp}.${FOX}`), timestamp, NOW);

// Known answers for this key and sentence.
it('an HMAC-SHA256 signs the body, and nothing but the body', () => {
	const base64 = '97yD9DBThCSxMpjmqm+xQ+9NWaFJRhdZl0edvC0aPNg=';
	const hex = Buffer.from(base64, 'base64').toString('hex');
	expect(isSigned(hex)).toBe(true);
	expect(isSigned(hex.toUpperCase())).toBe(true);
	expect(isSigned(base64, { encoding: 'base64' })).toBe(true);
	expect(isSigned(base64.toLowerCase(), { encoding: 'base64' })).toBe(false);
	expect(isSigned(hex, {}, Buffer.concat([FOX, Buffer.from('./')]))).toBe(false);
});

it('a prefix must be there, and only once; a space may follow it', () => {
	const prefix = 'sha256=';
	const signature = signed(String(FOX));
	expect(isSigned(`sha256=${signature}`, { prefix })).toBe(true);
	expect(isSigned(`sha256= ${signature}`, { prefix })).toBe(true);
	for (const wrong of [signature, `sha256=sha256=${signature}`, 'sha256=', `sha512=${signature}`])
		expect([wrong, isSigned(wrong, { prefix })]).toEqual([wrong, false]);
});

it.each([
	...['', 'x', 'zz', `${signed(String(FOX))}0`, `${signed(String(FOX))}zz`],
	...[signed(String(FOX)).slice(1), `00, ${signed(String(FOX))}`, 'a'.repeat(1_000_000)],
])('%.70j is no signature', (signature) => expect(isSigned(signature)).toBe(false));

it('an empty secret lets nobody in', () => {
	const signature = createHmac('sha256', '').update(FOX).digest('hex');
	expect(isSigned(signature, { secret: '' })).toBe(false);
});

it.each([
	['seconds', String(SECOND)],
	['milliseconds', String(NOW)],
	['ISO 8601', '2026-01-01T00:10:00Z'],
	['another zone', '2026-01-01T02:10:00+02:00'],
	['the last second of the tolerance', String(SECOND - 300)],
	['the last millisecond of the tolerance', String(NOW - 300_000)],
	['a clock that is ahead by all of the tolerance', String(SECOND + 300)],
])('a timestamp in %s is signed too', (_, timestamp) => expect(isInTime(timestamp)).toBe(true));

it.each([
	...[SECOND - 301, NOW - 300_001, SECOND + 301, NOW + 300_001, NOW * 1000, 0, -1].map(String),
	...['', ' ', 'NaN', 'Infinity', '-Infinity', '1e309', '0x65', 'now', 'yesterday', '2999-01-01T00:00:00Z'],
	...['x'.repeat(100_000), '9'.repeat(400)],
])('the timestamp %.30j is refused, though it is signed', (timestamp) => {
	expect(isInTime(timestamp)).toBe(false);
});

it('the tolerance of the credential counts, to the second', () => {
	expect(isInTime(String(SECOND - 60), { toleranceSeconds: 60 })).toBe(true);
	expect(isInTime(String(SECOND - 61), { toleranceSeconds: 60 })).toBe(false);
});

it('a signature that does not cover the timestamp is none', () => {
	expect(isSignedBy(SCHEME, FOX, signed(String(FOX)), String(SECOND), NOW)).toBe(false);
});
