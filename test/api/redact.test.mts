import { redactor } from '../../nodes/CustomerMessaging/api/redact.ts';
import { leaksIn } from '../engine/leaks.mts';

/** Looks different in each spelling, and is a header's value all the same. */
const TOKEN = '12|Zx+"k\\9/tenant=to ken&<>';

const redact = redactor(TOKEN);

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The token, and as URLs, JSON and Base64 write it. */
const SPELLINGS: Array<[string, string]> = [
	['as it is', TOKEN],
	['URL-encoded', encodeURIComponent(TOKEN)],
	['URL-encoded in small letters', encodeURIComponent(TOKEN).toLowerCase()],
	['URL-encoded as a whole address', encodeURI(TOKEN)],
	['URL-encoded as a form', String(new URLSearchParams({ a: TOKEN })).slice(2)],
	['JSON-escaped', json(TOKEN)],
	['JSON-escaped with its slashes', json(TOKEN).replaceAll('/', '\\/')],
	['in Base64', base64(TOKEN)],
	['in Base64 for URLs', Buffer.from(`a${TOKEN}`).toString('base64url')],
	['in Base64 behind Bearer', base64(`Bearer ${TOKEN}`)],
	['in Base64 of a login', base64(`me:${TOKEN}:more`)],
];

describe('a secret in a text', () => {
	it.each(SPELLINGS)('is hidden %s', (_, spelled) => {
		const hidden = redact(`before ${spelled} after ${spelled}`, 2000);
		expect(leaksIn(hidden, TOKEN)).toEqual([]);
		expect(hidden).not.toContain(spelled);
		expect(hidden).toMatch(/^before .*\*\*\*.* after .*\*\*\*/);
	});

	it('leaves no half of it where the text is cut', () => {
		for (let before = 1900; before < 2010; before++)
			expect(redact('-'.repeat(before) + TOKEN, 2000)).toMatch(/^-+(\*{0,3}|\**…)$/);
	});

	it('is hidden whatever stands in front of it, and however often', () => {
		expect(redact(`Bearer ${TOKEN}${TOKEN}, or ${TOKEN.slice(0, -1)}${TOKEN}`, 2000)).not.toContain(TOKEN);
	});

	it('is one of several, of which one holds the other', () => {
		expect(redactor('pass word', 'jo:pass word')('jo:pass word, pass%20word', 100)).toBe('***, ***');
	});

	it.each([
		['7', 'HTTP 7'],
		['abc', 'abc'],
	])('is hidden also if it is as short as %s', (secret, text) => {
		expect(redactor(secret)(text, 100)).toBe(text.replace(secret, '***'));
	});
});

it('other words stay as they are', () => {
	const words = 'The field "title" is taken: 12|Zx+ is no token, 100 % sure… \\u0041 &amp; <b>';
	expect(redact(words, 2000)).toBe(words);
	expect(redactor('')(words, 2000)).toBe(words);
});

it('a text is cut', () => {
	expect(redact('x'.repeat(2000), 2000)).toBe('x'.repeat(2000));
	expect(redact('x'.repeat(2001), 2000)).toBe(`${'x'.repeat(1999)}…`);
	expect(redactor()('x'.repeat(2001), 2000)).toBe(`${'x'.repeat(1999)}…`);
});
