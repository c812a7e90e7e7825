import { cut } from '../values/text';

/** Hides secrets in a text and cuts it after a number of characters. */
export type Redact = (words: string, limit: number) => string;

/** Shorter ones stand in ordinary words by chance. */
const MIN_BASE64 = 8;
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Returns what Base64 makes of a secret wherever it stands, without the signs that hold bits of its neighbours. */
const base64Within = (bytes: Buffer): string[] =>
	[0, 1, 2].flatMap((before) => {
		const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
		const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((shifted.length * 8) / 6)];
		return [shifted.toString('base64').slice(from, to), shifted.toString('base64url').slice(from, to)];
	});

function spellingsOf(secret: string): string[] {
	const json = JSON.stringify(secret).slice(1, -1);
	const form = String(new URLSearchParams({ a: secret })).slice(2);
	const base64 = base64Within(Buffer.from(secret)).filter(({ length }) => length >= MIN_BASE64);
	const others = [json, json.replaceAll('/', '\\/'), encodeURIComponent(secret), encodeURI(secret), form];
	return [secret, ...others, ...base64];
}

/** Makes the function that hides secrets: as they are, and as URLs, JSON and Base64 write them. */
export function redactor(...secrets: string[]): Redact {
	const spellings = secrets.filter(Boolean).flatMap(spellingsOf).map(escaped);
	const pattern = new RegExp(spellings.join('|') || '(?!)', 'gi');
	// Cut first too, so that a long text costs no more than a short one.
	return (words, limit) => cut(cut(words, 4 * limit).replace(pattern, '***'), limit);
}
