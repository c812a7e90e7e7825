import { createHmac, timingSafeEqual } from 'node:crypto';

/** How a sender signs, as the credential tells. */
export interface SignatureScheme {
	secret: string;
	algorithm: 'sha1' | 'sha256' | 'sha384' | 'sha512';
	encoding: 'base64' | 'hex';
	/** What stands in front of the signature, e.g. `sha256=`. */
	prefix: string;
	/** How many seconds the timestamp may be away; only looked at when there is one. */
	toleranceSeconds: number;
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
export function sameText(a: string, b: string): boolean {
	const left = Buffer.from(a);
	const right = Buffer.from(b);
	return left.length === right.length && timingSafeEqual(left, right);
}

/** A time given in seconds or milliseconds since 1970 or as ISO 8601, in milliseconds; NaN when it is none. */
function timeOf(timestamp: string): number {
	if (!/^\d+$/.test(timestamp)) return Date.parse(timestamp);
	const number = Number(timestamp);
	return number < 100_000_000_000 ? number * 1000 : number;
}

/**
 * Whether a signature belongs to a body. Never throws.
 *
 * @param signature as it stands in the header, with its prefix
 * @param timestamp as it stands in its header; undefined when the scheme has none. It is signed together with the body.
 * @param now milliseconds since 1970
 */
export function isSignedBy(
	scheme: SignatureScheme,
	body: Buffer,
	signature: string,
	timestamp: string | undefined,
	now: number,
): boolean {
	if (scheme.secret === '' || !signature.startsWith(scheme.prefix)) return false;
	if (timestamp !== undefined) {
		const age = Math.abs(now - timeOf(timestamp));
		if (!(age <= scheme.toleranceSeconds * 1000)) return false;
	}
	const hmac = createHmac(scheme.algorithm, scheme.secret);
	if (timestamp !== undefined) hmac.update(`${timestamp}.`);
	const expected = hmac.update(body).digest(scheme.encoding);
	const given = signature.slice(scheme.prefix.length).trim();
	return sameText(scheme.encoding === 'hex' ? given.toLowerCase() : given, expected);
}
