import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

export interface SignatureScheme {
	secret: string | KeyObject;
	encoding: 'base64' | 'hex';
	prefix: string;
	/** Maximum difference between the timestamp and now, in seconds. It applies only if there is a timestamp. */
	toleranceSeconds: number;
}

/** Whether two texts are equal. The time of the comparison does not reveal where they differ. */
export function sameText(a: string, b: string): boolean {
	const left = Buffer.from(a);
	const right = Buffer.from(b);
	return left.length === right.length && timingSafeEqual(left, right);
}

/** Returns the milliseconds since 1970 of seconds, of milliseconds or of ISO 8601; NaN for anything else. */
function millisecondsOf(timestamp: string): number {
	if (!/^\d+$/.test(timestamp)) return Date.parse(timestamp);
	const number = Number(timestamp);
	return number < 100_000_000_000 ? number * 1000 : number;
}

/** Whether a timestamp differs from now, in milliseconds since 1970, by no more than the tolerance. */
export const isInTime = ({ toleranceSeconds }: SignatureScheme, timestamp: string, now: number) =>
	Math.abs(now - millisecondsOf(timestamp)) <= toleranceSeconds * 1000;

/** Whether a signature, with its prefix, is valid for a body and a timestamp, if the scheme has one. Never throws. */
export function isSignedBy(
	scheme: SignatureScheme,
	body: Buffer,
	signature: string,
	timestamp: string | undefined,
	now: number,
): boolean {
	if (scheme.secret === '' || !signature.startsWith(scheme.prefix)) return false;
	if (timestamp !== undefined && !isInTime(scheme, timestamp, now)) return false;
	const hmac = createHmac('sha256', scheme.secret);
	if (timestamp !== undefined) hmac.update(`${timestamp}.`);
	const expected = hmac.update(body).digest(scheme.encoding);
	const given = signature.slice(scheme.prefix.length).trim();
	return sameText(scheme.encoding === 'hex' ? given.toLowerCase() : given, expected);
}
