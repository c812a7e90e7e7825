import { cut } from '../values/text';

/** Hides secrets in a text that leaves a run, and cuts the text after a number of characters. */
export type HideSecrets = (words: string, limit: number) => string;

const MASK = '***';

/** Stands in the place of a line that may hold a secret in a spelling of its own. */
const LEFT_OUT = '(not shown, since it may hold the access token)';

/** A shorter text in Base64, in hexadecimal or reversed stands in ordinary words by chance. */
const MIN_LENGTH = 8;

/** Number of letters and digits that no ordinary text shares with a secret, one behind the other. */
const WINDOW = 16;

/** Maximum number of times that a text is decoded: JSON in a URL in HTML. Each kind is undone to its end in one go. */
const MAX_LEVELS = 4;

const MAX_SPELLING_LENGTH = 16;

const SIGNS = '!"#$%&\'()*+,./:;<=>?@[\\]^_`{|}';
const SIGN_NAMES =
	'excl quot num dollar percnt amp apos lpar rpar ast plus comma period sol colon semi lt equals gt quest commat lsqb bsol rsqb hat lowbar grave lcub verbar rcub'.split(
		' ',
	);

/** A byte that is URL-encoded, once or more often, quoted-printable, or escaped as `\x41`. */
const BYTE = String.raw`(?:%(?:25)*|=(?:3d)*|\\+x)`;

const BYTES = new RegExp(`${BYTE}([\\da-f]{2})`, 'gi');

/** Whatever stands for one character, or for none: a soft line break and backslashes. */
const SPELLED = new RegExp(
	[
		`(${BYTE}[0-7][\\da-f]|${BYTE}[c-f][\\da-f](?:${BYTE}[89ab][\\da-f]){1,3})`,
		String.raw`(?:\\+|%(?:25)*)u(?:\{0*([\da-f]{1,6})\}|([\da-f]{4}))`,
		String.raw`&(?:amp;?)*(?:#x0*([\da-f]{1,6})|#0*(\d{1,7})|(${SIGN_NAMES.join('|')}));?`,
		String.raw`=\r?\n|\\+`,
	].join('|'),
	'gi',
);

function characterOf([, bytes, braced, unit, hexadecimal, decimal, name]: RegExpMatchArray): string {
	if (bytes) return Buffer.from(bytes.replace(BYTES, '$1'), 'hex').toString();
	if (name) return SIGNS[SIGN_NAMES.indexOf(name.toLowerCase())];
	const digits = braced ?? unit ?? hexadecimal;
	const code = digits ? Number.parseInt(digits, 16) : Number(decimal ?? Number.NaN);
	return code <= 0x10_ffff ? String.fromCodePoint(code) : '';
}

interface Reading {
	text: string;
	/** Where each character begins in the original, and where the original ends. */
	at: number[];
}

/** Decodes a text by one level; undefined if nothing in it is encoded. */
function decoded({ text, at }: Reading): Reading | undefined {
	const read: Reading = { text: '', at: [] };
	let from = 0;
	const keep = (to: number) => {
		read.text += text.slice(from, to);
		for (let index = from; index < to; index++) read.at.push(at[index]);
	};
	for (const match of text.matchAll(SPELLED)) {
		keep(match.index);
		const character = characterOf(match);
		read.text += character;
		for (let unit = 0; unit < character.length; unit++) read.at.push(at[match.index]);
		from = match.index + match[0].length;
	}
	if (from === 0) return undefined;
	keep(text.length);
	read.at.push(at[text.length]);
	return read;
}

/** Returns a text as it is, and decoded by each further level. */
function readingsOf(text: string): Reading[] {
	const readings = [{ text, at: Array.from({ length: text.length + 1 }, (_, index) => index) }];
	for (let level = 0; level < MAX_LEVELS; level++) {
		const next = decoded(readings[level]);
		if (!next) break;
		readings.push(next);
	}
	return readings;
}

/** Returns a text of the same length in which letter case does not count, nor the alphabet of Base64 or the plus of a form. */
const comparable = (text: string) =>
	text
		.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
		.replace(/[+\-_]/g, (sign) => (sign === '_' ? '/' : ' '));

/** Returns the letters and digits of a text. Nothing that stands between them counts. */
const bare = (text: string) => text.toLowerCase().replace(/[^a-z\d]+/g, '');

/**
 * Returns the parts of a text in Base64 that are the same wherever the secret stands in it. They depend on the number of
 * bytes in front of the secret, since Base64 takes three at a time.
 */
function base64Within(secret: string): string[] {
	const bytes = Buffer.from(secret);
	return [0, 1, 2].map((before) => {
		const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
		return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
	});
}

const isLong = ({ length }: string) => length >= MIN_LENGTH;

/** Returns the spellings of a secret that no decoding of a text undoes. */
const spellingsOf = (secret: string): string[] =>
	[...base64Within(secret), Buffer.from(secret).toString('hex'), [...secret].reverse().join('')].filter(
		isLong,
	);

/** Returns the spellings of a secret in Base64 twice, whose inner one may be that for URLs. */
const twice = (secret: string): string[] =>
	base64Within(secret)
		.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
		.flatMap(base64Within)
		.filter(isLong);

const windowsOf = (text: string): string[] =>
	Array.from({ length: Math.max(0, text.length - WINDOW + 1) }, (_, start) =>
		text.slice(start, start + WINDOW),
	);

/**
 * Makes a function that hides secrets in a text: as they are, in Base64 (also twice), in hexadecimal and reversed, in
 * the text as often as it can be decoded. If the text then still shares many letters and digits in a row with a secret,
 * those lines are left out.
 *
 * The text is cut before the work on it, behind the limit, so that no secret is cut in two.
 */
export function secretHider(...secrets: string[]): HideSecrets {
	const known = secrets.filter((secret) => secret !== '');
	const spelled = known.flatMap((secret) => [secret, ...spellingsOf(secret)]);
	// A text that is decoded too often has lost signs of the secret, which so is compared decoded too.
	const needles = [
		...new Set([...spelled, ...known.flatMap(twice)].flatMap(readingsOf).map(({ text }) => comparable(text))),
	].filter(Boolean);
	const bones = spelled.map(bare).filter(isLong);
	const windows = new Set(bones.flatMap(windowsOf));
	const short = bones.filter(({ length }) => length < WINDOW);
	const margin = Math.max(0, ...known.map(({ length }) => length)) * MAX_SPELLING_LENGTH;

	const masked = (text: string): string => {
		const ranges: Array<[from: number, to: number]> = [];
		for (const { text: read, at } of readingsOf(text)) {
			const haystack = comparable(read);
			for (const needle of needles) {
				for (let found = haystack.indexOf(needle); found >= 0; found = haystack.indexOf(needle, found + 1))
					ranges.push([at[found], at[found + needle.length]]);
			}
		}
		let shown = '';
		let end = 0;
		for (const [from, to] of ranges.sort(([one], [other]) => one - other)) {
			if (to <= end) continue;
			if (end === 0 || from > end) shown += text.slice(end, from) + MASK;
			end = to;
		}
		return shown + text.slice(end);
	};
	const isSuspect = (text: string): boolean =>
		readingsOf(text).some(({ text: read }) => {
			const bone = bare(read);
			return short.some((one) => bone.includes(one)) || windowsOf(bone).some((one) => windows.has(one));
		});

	return (words, limit) => {
		const beginning = masked(words.slice(0, limit + margin));
		// A secret can begin in the margin and go on behind it.
		const isCut = words.length > limit + margin;
		const shown = isCut
			? cut(beginning, Math.max(1, Math.min(limit, beginning.length - margin)))
			: cut(beginning, limit);
		if (!isSuspect(shown)) return shown;
		const lines = shown.split('\n').map((line) => (isSuspect(line) ? LEFT_OUT : line));
		const others = cut(lines.join('\n'), limit);
		return isSuspect(others) ? cut(LEFT_OUT, limit) : others;
	};
}
