import { bearerToken, secretHider } from '../../nodes/CustomerMessaging/credential/accessToken.ts';
import { leaksIn } from '../engine/leaks.mts';

/** Looks different in each spelling, and is a header's value all the same. */
const TOKEN = '12|Zx+"k\\9/tenant=to ken&<>';

const hide = secretHider(TOKEN);
const html = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const inEachCharacter = (spell: (code: number) => string) =>
	Array.from(TOKEN, (character) => spell(character.charCodeAt(0))).join('');

describe('a token in a text of the service', () => {
	it.each([
		['as it is', TOKEN],
		['URL-encoded', encodeURIComponent(TOKEN)],
		['URL-encoded in small letters', encodeURIComponent(TOKEN).toLowerCase().replace('zx', 'Zx')],
		['URL-encoded as a form', String(new URLSearchParams({ a: TOKEN })).slice(2)],
		['URL-encoded letter by letter', inEachCharacter((code) => `%${code.toString(16).padStart(2, '0')}`)],
		['JSON-escaped', json(TOKEN)],
		['JSON-escaped with its slashes', json(TOKEN).replaceAll('/', '\\/')],
		['JSON-escaped twice', json(json(TOKEN))],
		[
			'JSON-escaped letter by letter',
			inEachCharacter((code) => `\\u00${code.toString(16).padStart(2, '0')}`),
		],
		['in HTML', html(TOKEN)],
		['in HTML by numbers', inEachCharacter((code) => `&#${code};`)],
		['in HTML by hexadecimal numbers', inEachCharacter((code) => `&#x${code.toString(16)};`)],
		['in Base64', Buffer.from(TOKEN).toString('base64')],
		['in Base64 for URLs', Buffer.from(`a${TOKEN}`).toString('base64url')],
		['in Base64 behind Bearer', Buffer.from(`Bearer ${TOKEN}`).toString('base64')],
		['in Base64 of a login', Buffer.from(`me:${TOKEN}:more`).toString('base64')],
		['in hexadecimal', Buffer.from(TOKEN).toString('hex')],
	])('%s is hidden', (_, spelled) => {
		const hidden = hide(`before ${spelled} after ${spelled}`, 2000);
		expect(leaksIn(hidden, TOKEN)).toEqual([]);
		expect(hidden).not.toContain(spelled);
		expect(hidden).toMatch(/^before .*\*\*\*.* after .*\*\*\*/);
	});

	it('leaves other words as they are', () => {
		const words = 'The field "title" is taken: 12|Zx+ is no token, 100 % sure. \\u0041 &amp; <b>';
		expect(hide(words, 2000)).toBe(words);
	});

	it('cuts a text, and never a token in two', () => {
		expect(hide('x'.repeat(2000), 2000)).toBe('x'.repeat(2000));
		expect(hide('x'.repeat(2001), 2000)).toBe(`${'x'.repeat(1999)}…`);
		for (let before = 1900; before < 2100; before++) {
			const hidden = hide('x'.repeat(before) + TOKEN.repeat(500), 2000);
			expect(hidden.length).toBeLessThanOrEqual(2000);
			expect(hidden.replace(/^x+/, '').replaceAll('***', '')).toMatch(/^\**…$/);
		}
	});
});

describe('a token of a credential', () => {
	it.each([
		['abc', 'abc'],
		['  abc\n', 'abc'],
		['Bearer abc', 'abc'],
		['bearer   abc', 'abc'],
		['abc Bearer def', 'abc Bearer def'],
		['Bearerabc', 'Bearerabc'],
		[7, '7'],
	])('%j goes out as %j, and is hidden in that form', (typed, expected) => {
		const token = bearerToken(typed);
		expect(token).toBe(expected);
		expect(secretHider(token)(`Unknown: ${expected}, or Bearer ${expected}`, 100)).toBe(
			'Unknown: ***, or Bearer ***',
		);
	});

	it.each(['Bearer', ' Bearer ', 'bearer\n', '', ' ', undefined, null])('%j is none', (given) => {
		expect(() => bearerToken(given)).toThrow(
			expect.objectContaining({
				message: 'The access token is empty',
				description: 'Open the credential and enter the access token of your tenant.',
			}),
		);
	});

	it.each(['a\nb', 'a\tb', 'a\u0000b', 'ä', '日本', 'a\u200bb'])('%j cannot be sent', (given) => {
		expect(() => bearerToken(given)).toThrow('The access token contains a character that cannot be sent');
	});
});
