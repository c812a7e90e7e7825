/** The names of UTF-8, and of ASCII, which is a part of it. */
const UTF_8 = /^(utf-?8|(us-)?ascii|)$/i;

const MAX_HEADER = 1000;
const MAX_NAME = 40;

/** A body cannot be decoded. The message continues "The answer". */
export class Undecodable extends Error {}

function decoderOf(name: string) {
	try {
		return new TextDecoder(name);
	} catch {
		return undefined;
	}
}

/**
 * Makes the function that decodes a body, piece by piece, by the character set in its content type, or as UTF-8. It
 * throws `Undecodable`, and never replaces bytes.
 */
export function decoding(contentType: unknown) {
	const header = typeof contentType === 'string' ? contentType.slice(0, MAX_HEADER) : '';
	const [, quoted, bare] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/i.exec(header) ?? [];
	const name = (quoted ?? bare ?? '').trim();
	const isUtf8 = UTF_8.test(name);
	const decoder = (isUtf8 ? undefined : decoderOf(name)) ?? new TextDecoder('utf-8', { fatal: true });
	return (piece: Uint8Array, isLast = false): string => {
		let text: string | undefined;
		try {
			text = decoder.decode(piece, { stream: !isLast });
		} catch {
			// Told below.
		}
		if (text !== undefined) return text;
		const unknown = `is in the character set "${name.slice(0, MAX_NAME)}", which is unknown`;
		throw new Undecodable(isUtf8 ? 'is not valid UTF-8' : unknown);
	};
}
