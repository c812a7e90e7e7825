import { InvalidValue, orInvalid } from '../../nodes/CustomerMessaging/values/parse.ts';

/** Returns what a parser says of a value that it does not take: the message and the hint. */
export function invalid(parse: () => unknown): [message: string, hint: string] {
	const parsed = orInvalid(parse);
	if (!(parsed instanceof InvalidValue)) throw new Error(`It was parsed: ${JSON.stringify(parsed)}`);
	return [parsed.message, parsed.hint];
}
