import type { IDataObject } from 'n8n-workflow';

import { isObject, ownMember } from '../values/json';
import { isBlank } from '../values/text';

// The interface does not fix the shape of a message's contents. So this module reads the usual members, and then what
// was sent.

/** Maximum number of contents that are looked at. A message has one. */
const MAX_CONTENTS = 10;

const textOrNothing = (value: unknown) => (typeof value === 'string' && !isBlank(value) ? value : undefined);

/** Returns the first text in the members of these values. */
function firstText(values: unknown[], names: readonly string[]): string | undefined {
	for (const value of values) {
		for (const name of names) {
			const found = textOrNothing(ownMember(value, name));
			if (found !== undefined) return found;
		}
	}
	return undefined;
}

/** Returns the parts of a content in which its words may stand, the innermost first. */
function partsOf(content: IDataObject): unknown[] {
	const { text, body, type } = content;
	const own = ownMember(content, String(type));
	return [text, own, ownMember(own, 'body'), body, content];
}

const WORDS = ['content', 'caption', 'text', 'body'];

/** Returns the service's own reason why a message was not delivered; an empty text if it gives none. */
export function reasonOf(error: unknown): string {
	const names = ['user_friendly_message', 'original_message', 'message'];
	return textOrNothing(error) ?? firstText([error], names) ?? '';
}

/** The members that a summary adds to a message. */
export const SUMMARY_NAMES = ['text', 'template', 'language', 'customer_id', 'error'] as const;

/**
 * Returns what people look for in a message and the interface does not have as a member: its words, the name and language
 * of its template, its customer, and why it was not delivered. What is not known is null.
 *
 * @param sent body of the request that sent it, if this package did
 */
export function messageSummary(
	{ contents, latest_error: error }: IDataObject,
	sent: object = {},
): Record<(typeof SUMMARY_NAMES)[number], unknown> {
	const given = Array.isArray(contents) ? contents.slice(0, MAX_CONTENTS).filter(isObject) : [];
	const templates = given.map(({ template }) => template);
	const found = (names: string[], ofRequest: string) =>
		firstText(templates, names) ?? textOrNothing(ownMember(sent, ofRequest)) ?? null;
	return {
		text: firstText([...given, sent as IDataObject].flatMap(partsOf), WORDS) ?? null,
		template: found(['name', 'template_name'], 'template_name'),
		language: found(['language', 'language_code', 'code'], 'template_language'),
		customer_id: ownMember(sent, 'customer_id') ?? null,
		error: reasonOf(error) || null,
	};
}
