import { UserError } from 'n8n-workflow';

import { cut } from '../values/text';

/** Characters that a header can hold in every version of n8n. n8n removes others without a word. */
const SENDABLE = /^[\x20-\x7e]*$/;

/**
 * Returns the token of a credential as it is sent: without surrounding spaces and without a leading "Bearer", which
 * people often copy with it.
 *
 * @throws UserError when the token is empty or cannot be sent
 */
export function bearerToken(accessToken: unknown): string {
	const token = String(accessToken ?? '')
		.trim()
		.replace(/^Bearer(\s+|$)/i, '');
	if (token === '') {
		throw new UserError('The access token is empty', {
			description: 'Open the credential and enter the access token of your tenant.',
		});
	}
	if (!SENDABLE.test(token)) {
		throw new UserError('The access token contains a character that cannot be sent', {
			description: 'Open the credential and copy the token again, without line breaks and other additions.',
		});
	}
	return token;
}

/** Hides secrets in a text of the service, and cuts the text after a number of characters. */
export type HideSecrets = (words: string, limit: number) => string;

/** Stands in the place of a secret. */
const MASK = '***';

/** A shorter text in Base64 or hexadecimal stands in ordinary words by chance. */
const MIN_ENCODED_LENGTH = 8;

/** Maximum number of backslashes in front of an escaped character: JSON in JSON in JSON. */
const MAX_BACKSLASHES = 8;

/** The longest spelling of a character, `&#x0041;`, and of an escaped one. */
const MAX_SPELLING_LENGTH = MAX_BACKSLASHES + 5;

const HTML_NAMES: Partial<Record<string, string>> = {
	'"': 'quot',
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	"'": 'apos',
};

const literally = (words: string) => words.replace(/[^\w]/g, '\\$&');

/** Makes the expression for a number in hexadecimal, in small or capital letters. */
const hexadecimal = (number: number, length: number) =>
	number
		.toString(16)
		.padStart(length, '0')
		.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** Makes the expression for a character as it is, URL-encoded, JSON-escaped or in HTML. */
function spellingsOf(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	const name = HTML_NAMES[character];
	const backslashes = `\\\\{1,${MAX_BACKSLASHES}}`;
	const plain =
		character === '\\'
			? backslashes
			: `${/\w/.test(character) ? '' : `\\\\{0,${MAX_BACKSLASHES}}`}${literally(character)}`;
	return `(?:${[
		plain,
		Array.from(Buffer.from(character), (byte) => `%${hexadecimal(byte, 2)}`).join(''),
		Array.from(character.split(''), (unit) => `${backslashes}u${hexadecimal(unit.charCodeAt(0), 4)}`).join(
			'',
		),
		`&#0{0,2}${code};`,
		`&#[xX]0{0,2}${hexadecimal(code, 2)};`,
		...(name ? [`&${name};`] : []),
		...(character === ' ' ? ['\\+'] : []),
	].join('|')})`;
}

/**
 * Returns the parts of a text in Base64 that are the same wherever the secret stands in it. They depend on the number of
 * bytes in front of the secret, since Base64 takes three at a time.
 */
function base64Within(secret: string): string[] {
	const bytes = Buffer.from(secret);
	return [0, 1, 2].flatMap((before) => {
		const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
		const whole = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
		return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
	});
}

/**
 * Makes a function that hides secrets in a text of the service and cuts the text. It knows each secret as it is,
 * URL-encoded, JSON-escaped, in HTML, in Base64 and in hexadecimal.
 *
 * The text is cut before the work on it, so that a long text costs little. It is cut behind the limit, so that no secret
 * is cut in two.
 */
export function secretHider(...secrets: string[]): HideSecrets {
	const encoded = secrets
		.flatMap((secret) => [...base64Within(secret), Buffer.from(secret).toString('hex')])
		.filter(({ length }) => length >= MIN_ENCODED_LENGTH)
		.map(literally);
	const plain = secrets.map((secret) => Array.from(secret, spellingsOf).join('')).filter(Boolean);
	const expression = new RegExp([...plain, ...encoded].join('|') || '(?!)', 'g');
	const margin = Math.max(...secrets.map(({ length }) => length)) * MAX_SPELLING_LENGTH;
	return (words, limit) => {
		const hidden = words.slice(0, limit + margin).replace(expression, MASK);
		if (words.length <= limit + margin) return cut(hidden, limit);
		// A secret can begin in the margin and go on behind it.
		return cut(hidden, Math.min(limit, hidden.length - margin));
	};
}
