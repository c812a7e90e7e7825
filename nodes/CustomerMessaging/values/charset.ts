/** The names of UTF-8, and of ASCII, which is a part of it. */
const UTF_8 = /^(utf-?8|(us-)?ascii|)$/i;

const MAX_HEADER = 1000;
const MAX_NAME = 40;

/** A body is in a character set that nobody knows. */
export class UnknownCharset extends Error {
	constructor(readonly charset: string) {
		super(`Nobody knows the character set ${charset}`);
	}
}

/**
 * Decodes a body by the character set in its content type, piece by piece. Without one, it is UTF-8. So is one with
 * another name, such as `utf8mb4`, if its bytes are.
 */
export class Charset {
	private readonly name: string;

	private readonly decoder: InstanceType<typeof TextDecoder> | undefined;

	/** @param contentType the header, if there is one */
	constructor(contentType: unknown) {
		const header = typeof contentType === 'string' ? contentType.slice(0, MAX_HEADER) : '';
		const [, quoted, bare] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/i.exec(header) ?? [];
		this.name = (quoted ?? bare ?? '').trim();
		if (!UTF_8.test(this.name)) this.decoder = decoderOf(this.name);
	}

	/**
	 * Returns a piece in UTF-8.
	 *
	 * @param isLast whether no piece follows
	 * @throws UnknownCharset when nobody knows the character set, and the body is not UTF-8
	 */
	toUtf8(piece: Buffer, isLast = false): Buffer {
		if (!this.decoder) return piece;
		let text: string | undefined;
		try {
			text = this.decoder.decode(piece, { stream: !isLast });
		} catch {
			// Told below.
		}
		if (text === undefined) throw new UnknownCharset(this.name.slice(0, MAX_NAME));
		return Buffer.from(text);
	}
}

function decoderOf(name: string) {
	try {
		return new TextDecoder(name, { ignoreBOM: true });
	} catch {
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
	}
}
