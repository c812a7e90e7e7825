import { cut } from '../values/text';

/** Hides secrets in a text and cuts it after a number of characters. */
export type Redact = (words: string, limit: number) => string;

/** A shorter text in Base64, or a shorter beginning of a secret, stands in ordinary words by chance. */
const MIN_LENGTH = 8;

/** Returns what Base64 makes of a secret wherever it stands, without the signs that hold bits of its neighbours. */
function base64Within(secret: string): string[] {
	const bytes = Buffer.from(secret);
	return [0, 1, 2].map((before) => {
		const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
		return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
	});
}

function spellingsOf(secret: string): string[] {
	const json = JSON.stringify(secret).slice(1, -1);
	const form = new URLSearchParams({ secret }).toString().slice('secret='.length);
	const base64 = base64Within(secret).filter(({ length }) => length >= MIN_LENGTH);
	const forUrls = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
	const urls = [encodeURIComponent(secret), encodeURI(secret), form];
	return [secret, json, json.replaceAll('/', '\\/'), ...urls, ...base64, ...forUrls];
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Makes the function that hides secrets: as they are, and as URLs, JSON and Base64 write them, also where one was cut off before. */
export function redactor(...secrets: string[]): Redact {
	const spellings = [...new Set(secrets.filter(Boolean).flatMap(spellingsOf))];
	if (spellings.length === 0) return cut;
	const begun = spellings
		.filter(({ length }) => length > MIN_LENGTH)
		.map((text) => `${escaped(text.slice(0, MIN_LENGTH))}[^…]{0,${text.length}}(?=…)`);
	const whole = spellings.sort((one, other) => other.length - one.length).map(escaped);
	const pattern = new RegExp([...whole, ...begun].join('|'), 'gi');
	// Cut first too, so that a long text costs no more than a short one.
	return (words, limit) => cut(cut(words, 4 * limit).replace(pattern, '***'), limit);
}
