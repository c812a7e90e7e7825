import { secretHider } from '../../nodes/CustomerMessaging/credential/secretHider.ts';
import { leaksIn } from '../engine/leaks.mts';

/** Looks different in each spelling, and is a header's value all the same. */
const TOKEN = '12|Zx+"k\\9/tenant=to ken&<>';

const hide = secretHider(TOKEN);

/** A token without signs, as most services make them. */
const LONG = 'pat7Qm2VxKf9TzLw4RbNc8YhJd3SgPe6';
const html = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const inEachCharacter = (spell: (code: number) => string) =>
	Array.from(TOKEN, (character) => spell(character.charCodeAt(0))).join('');

const base64 = (text: string) => Buffer.from(text).toString('base64');
const hex = (code: number) => code.toString(16).padStart(2, '0');
/** Quoted-printable, in which `=` and what is no ASCII are bytes. */
const quoted = (text: string, lineBreak = '') =>
	text.replace(/[=\n]/g, (sign) => (sign === '\n' ? lineBreak : '=3D'));

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
		['in Base64 twice', base64(base64(TOKEN))],
		['in Base64 twice, behind Bearer', base64(`a${base64(`Bearer ${TOKEN}`)}`)],
		['in Base64 that is URL-encoded', encodeURIComponent(base64(TOKEN))],
		['in hexadecimal', Buffer.from(TOKEN).toString('hex')],
		['in hexadecimal with capital letters', Buffer.from(TOKEN).toString('hex').toUpperCase()],
		['URL-encoded twice', encodeURIComponent(encodeURIComponent(TOKEN))],
		['URL-encoded three times', [1, 2, 3].reduce(encodeURIComponent, TOKEN)],
		['JSON-escaped within a URL', encodeURIComponent(json(TOKEN))],
		['in small letters', TOKEN.toLowerCase()],
		['in capital letters', TOKEN.toUpperCase()],
		['quoted-printable', quoted(TOKEN)],
		['quoted-printable with a soft line break', quoted(`${TOKEN.slice(0, 9)}\n${TOKEN.slice(9)}`, '=\r\n')],
		['escaped by \\x41', inEachCharacter((code) => `\\x${hex(code)}`)],
		['escaped by \\u{41}', inEachCharacter((code) => `\\u{${hex(code)}}`)],
		['escaped by %u0041', inEachCharacter((code) => `%u00${hex(code)}`)],
		['in HTML without semicolons', inEachCharacter((code) => `&#${code}`)],
		['in HTML with zeros in front', inEachCharacter((code) => `&#${String(code).padStart(9, '0')};`)],
		['in HTML by padded hexadecimal', inEachCharacter((code) => `&#X${hex(code).padStart(9, '0')}`)],
		['in HTML twice', html(html(TOKEN))],
		['in HTML by the names of all signs', TOKEN.replaceAll('|', '&verbar;').replaceAll('=', '&equals;')],
		['reversed', [...TOKEN].reverse().join('')],
	])('%s is hidden', (_, spelled) => {
		const hidden = hide(`before ${spelled} after ${spelled}`, 2000);
		expect(leaksIn(hidden, TOKEN)).toEqual([]);
		expect(leaksIn(hidden.toLowerCase(), TOKEN.toLowerCase())).toEqual([]);
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

	it.each([
		['with spaces', [...LONG].join(' ')],
		['with line breaks', LONG.replace(/.{7}/g, '$&\n')],
		['with dots between its bytes', [...Buffer.from(LONG)].map(hex).join('.')],
		['in Base64 on several lines', base64(LONG).replace(/.{9}/g, '$&\r\n')],
		['without its end', `${LONG.slice(0, 20)}…`],
		['without its beginning', `…${LONG.slice(-20)}`],
		['with an end in capital letters', LONG.slice(0, 20) + LONG.slice(20).toUpperCase()],
	])('%s is left out with the words around it, and other lines stay', (_, spelled) => {
		const hidden = secretHider(LONG)(`Refused: ${spelled}\nCheck the values.`, 2000);
		expect(hidden).not.toContain(spelled);
		expect(leaksIn(hidden, LONG)).toEqual([]);
		expect(hidden.split('\n').at(-1)).toMatch(/^(Check the values\.|\(not shown.*\))$/);
	});

	it('is looked for in a time that grows with the text', () => {
		const odd = ['%25', '\\', '&amp;', '&#0', '=3D', '\\u{0', '%c3', TOKEN.slice(0, -1), '\\\\x', '&'];
		for (const part of odd) {
			const text = part.repeat(Math.ceil(40_000 / part.length));
			const before = process.cpuUsage();
			hide(text, 10_000);
			const { user } = process.cpuUsage(before);
			expect([part, user < 200_000]).toEqual([part, true]);
		}
	});
});
