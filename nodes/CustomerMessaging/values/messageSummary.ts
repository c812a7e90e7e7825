import type { IDataObject } from 'n8n-workflow';

import { isObject, ownMember } from './json';
import { isBlank, stringOf, textOrNothing } from './text';

// The interface does not fix the shape of a message's contents. So this module reads the usual members, and then what
// was sent.

function firstText(values: unknown[], names: readonly string[]): string | undefined {
	for (const value of values) {
		for (const name of names) {
			const found = textOrNothing(ownMember(value, name));
			if (found !== undefined) return found;
		}
	}
	return undefined;
}

const WORDS = ['content', 'caption', 'text', 'body'];

/** Returns the service's own reason why a message was not delivered; an empty text if it gives none. */
export function reasonOf(error: unknown): string {
	const names = ['user_friendly_message', 'original_message', 'message'];
	return textOrNothing(error) ?? firstText([error], names) ?? '';
}

/** Whether a value says nothing: null, false, 0, a blank text, or a list or object of such values. */
const isNothing = (value: unknown): boolean =>
	isObject(value) || Array.isArray(value)
		? Object.values(value).every(isNothing)
		: !value || (typeof value === 'string' && isBlank(value));

/**
 * Whether a message was not delivered: `latest_error` holds an error, or `status` is *failed*. A tenant may have an empty
 * error where there is none. The interface does not tell the other values of `status`.
 */
export function isFailedMessage({ latest_error: error, status }: IDataObject): boolean {
	const isFailed = typeof status === 'string' && status.trim().toLowerCase() === 'failed';
	return isFailed || (error !== undefined && !isNothing(error));
}

/**
 * Whether a message that failed with a code of the chat app may be tried again. Of other codes, nothing is known. Source: Meta's
 * "WhatsApp error codes", https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes/
 */
const TRY_AGAIN: Partial<Record<string, 'never' | 'not before' | 'with a template'>> = {
	131021: 'never', // The number is the sender's own.
	131026: 'never', // The person is not reachable there.
	131047: 'with a template', // The session is over: the person has not written for 24 hours.
	131049: 'not before', // The limit of marketing messages to one person.
	131050: 'never', // The person wants no marketing messages.
	131051: 'never', // The chat app does not know this type of message.
	132000: 'never', // The template has another number of variables.
	132001: 'never', // The template does not exist in this language.
	132005: 'never', // The text is too long.
	132007: 'never', // The template breaks a rule of the chat app.
	132012: 'never', // A variable has the wrong form.
	132016: 'never', // The template is disabled for good.
	132068: 'never', // The flow of the template is blocked.
};

/** Meta asks to wait, but does not say how long: a day. */
const WAIT_MS = 86_400_000;

/** Where an error has its code. IDs and times are numbers of other things. */
const SAYS_CODE = ['code', 'error_code', 'type', 'original_message', 'user_friendly_message', 'message'];

/** What is known of a failed message by its code. */
interface KnownError {
	error_code?: number;
	try_again?: string;
}

/** Returns the code of an error, and whether its message may be tried again; nothing if no known code stands in it. */
export function knownError(error: unknown): KnownError {
	const said = isObject(error)
		? SAYS_CODE.map((name) => stringOf(ownMember(error, name)))
		: [stringOf(error)];
	const codes = said.join('\n').match(/(?<![\w.+-])\d{6}(?![\w-]|\.\d)/g) ?? [];
	const error_code = codes.find((code) => TRY_AGAIN[code] !== undefined);
	if (error_code === undefined) return {};
	const when = TRY_AGAIN[error_code];
	const until = new Date(Date.now() + WAIT_MS).toISOString();
	return {
		error_code: Number(error_code),
		try_again: when === 'not before' ? `not before ${until}` : when,
	};
}

const NO_REASON = 'The message was not delivered. The service gives no reason.';

/** The message fields that most workflows need. The summary adds those that the interface does not have. */
const SIMPLE_MESSAGE_NAMES = [
	'id',
	'conversation_id',
	'customer_id',
	'from',
	'status',
	'text',
	'template',
	'language',
	'error',
	'error_code',
	'try_again',
	'contents',
	'sent_at',
	'latest_error',
	'ca_template_id',
] as const;

interface MessageSummary extends KnownError {
	text: string | null;
	template: string | null;
	language: string | null;
	customer_id: IDataObject[string];
	/** Only if there is one: n8n takes it for a failure of the node. */
	error?: string;
}

/**
 * Returns what people look for in a message, and null for what is not known.
 *
 * @param sent body of the request that sent it, if this package did
 */
export function messageSummary(message: IDataObject, sent: object = {}): MessageSummary {
	const request = sent as IDataObject;
	const { contents, latest_error: error } = message;
	const [parts, templates]: unknown[][] = [[], []];
	for (const one of [...(Array.isArray(contents) ? contents : []), request]) {
		const content: IDataObject = isObject(one) ? one : { text: one as IDataObject[string] };
		const { text, body, type, template } = content;
		const own = ownMember(content, stringOf(type));
		parts.push(text, own, ownMember(own, 'body'), body, content);
		if (one !== request) templates.push(template);
	}
	templates.push(message.template);
	for (const { template_name, template_language } of [message, request])
		templates.push({ template_name, template_language });
	return {
		text: firstText(parts, WORDS) ?? null,
		template: firstText(templates, ['name', 'template_name']) ?? null,
		language: firstText(templates, ['language', 'language_code', 'code', 'template_language']) ?? null,
		customer_id: request.customer_id ?? null,
		...(isFailedMessage(message) && { error: reasonOf(error) || NO_REASON, ...knownError(error) }),
	};
}

/** Returns the fields of a message that most workflows need. A record with none of them is no message, and stays as it is. */
export function simpleMessage(message: IDataObject): IDataObject {
	const names = SIMPLE_MESSAGE_NAMES.filter((name) => Object.hasOwn(message, name));
	if (names.length === 0) return message;
	const summary = messageSummary(message);
	// Where the event holds an object, or null, the summary's value takes its place. A plain text stays.
	const readFromObjects = Object.entries(summary).filter(
		([name, value]) => value !== null && typeof message[name] === 'object',
	);
	const whole: IDataObject = { ...summary, ...message, ...Object.fromEntries(readFromObjects) };
	return Object.fromEntries(
		SIMPLE_MESSAGE_NAMES.filter((name) => Object.hasOwn(whole, name)).map((name) => [name, whole[name]]),
	);
}
