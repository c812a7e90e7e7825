import type { IDataObject, IN8nHttpFullResponse, INode, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import { isObject } from './envelope';
import {
	type ErrorText,
	NETWORK_TEXTS,
	NO_ANSWER,
	OTHER_STATUS,
	REDIRECT,
	SERVER_ERROR,
	STATUS_TEXTS,
	TLS_ERROR,
	UNCLEAR_WRITE,
	UNREADABLE,
} from './errorTexts';

type Unknown = Record<string, unknown>;

function text(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Field errors of any usual shape, as "field: what is wrong" lines. */
function fieldErrors(errors: unknown): string[] {
	if (Array.isArray(errors)) {
		return errors.flatMap((error) => {
			if (!isObject(error)) return text(error) ?? [];
			const field = text(error.field) ?? text(error.path) ?? text(error.param);
			const message = serviceMessage(error);
			return message ? [field ? `${field}: ${message}` : message] : [];
		});
	}
	if (!isObject(errors)) return [];
	return Object.entries(errors).flatMap(([field, messages]) =>
		(Array.isArray(messages) ? messages : [messages]).flatMap((message) => {
			const said = isObject(message) ? serviceMessage(message) : text(message);
			return said ? [`${field}: ${said}`] : [];
		}),
	);
}

/** The longest text taken for a message; anything longer is a page, not a sentence. */
const LONGEST_MESSAGE = 500;

/** The service's own message, wherever an error body keeps it; the shape of error bodies is not shown. */
export function serviceMessage(body: unknown): string | undefined {
	if (typeof body === 'string') {
		return body.length > LONGEST_MESSAGE || body.trimStart().startsWith('<') ? undefined : text(body);
	}
	if (Array.isArray(body)) return text(body.map((part) => serviceMessage(part) ?? '').join('\n'));
	if (!isObject(body)) return undefined;
	for (const key of ['message', 'error', 'detail', 'title', 'error_description', 'msg']) {
		const found = serviceMessage(body[key]);
		if (found) return found;
	}
	return undefined;
}

function textFor(status: number): ErrorText {
	if (status >= 300 && status < 400) return REDIRECT;
	if (status >= 500) return SERVER_ERROR;
	return STATUS_TEXTS[status] ?? OTHER_STATUS;
}

/** The request that an error is about. */
export interface Attempt {
	node: () => INode;
	method: string;
	/** Undefined in the editor and for requests of a whole batch. */
	itemIndex: number | undefined;
	/** Blacked out, should the service repeat it. */
	secret: string;
	/** When the first try went out, in milliseconds since 1970. */
	startedAt?: number;
}

/** Marks an error after which nobody knows whether the write was carried out. */
function outcomeUnknown(error: NodeApiError): NodeApiError {
	error.context.outcome = 'unknown';
	return error;
}

/**
 * The error for an answer with a failing status: the service's own words first, then its field errors and the way out.
 *
 * @param body the parsed answer, of whatever shape
 */
export function statusError(
	{ node, method, itemIndex, secret }: Attempt,
	status: number,
	body: unknown,
): NodeApiError {
	const hidden = (words: string) => (secret === '' ? words : words.replaceAll(secret, '***'));
	const { message, remedy } = textFor(status);
	const said = serviceMessage(body);
	const fields = isObject(body) ? fieldErrors(body.errors ?? body.fields) : [];
	const unknown = status >= 500 && method !== 'GET';
	const description = [
		...(said ? [`${message} (HTTP ${status}).`] : []),
		...fields,
		remedy,
		...(unknown ? [UNCLEAR_WRITE] : []),
	].join('\n');
	const error = new NodeApiError(node(), {} as JsonObject, {
		message: hidden(said ?? `${message} (HTTP ${status})`),
		description: hidden(description),
		httpCode: String(status),
		itemIndex,
	});
	return unknown ? outcomeUnknown(error) : error;
}

/** The error for an answer that says success but holds something other than the interface shows. */
export function unreadableError(
	node: INode,
	response: IN8nHttpFullResponse,
	itemIndex?: number,
): NodeApiError {
	return outcomeUnknown(
		new NodeApiError(node, {} as JsonObject, {
			message: `${UNREADABLE.message} (HTTP ${response.statusCode})`,
			description: UNREADABLE.remedy,
			httpCode: String(response.statusCode),
			itemIndex,
		}),
	);
}

/**
 * The error for a message of which nobody knows whether it was sent.
 *
 * @param problem what went wrong
 * @param sent the request's body, carried along so that the recipient can be looked up
 */
export function unclearSendError(
	node: INode,
	problem: string,
	sent: IDataObject,
	itemIndex: number,
): NodeApiError {
	const error = new NodeApiError(node, {} as JsonObject, {
		message: 'It is unclear whether the message was sent',
		description: `${problem}.\n${UNCLEAR_WRITE}`,
		itemIndex,
	});
	error.context.sent = sent;
	return outcomeUnknown(error);
}

/** An error and the errors it was caused by, outermost first. */
function* causes(error: unknown): Generator<Unknown> {
	for (
		let current = error;
		typeof current === 'object' && current !== null;
		current = (current as Unknown).cause
	) {
		yield current as Unknown;
	}
}

/** The system's name for what went wrong, such as `ECONNREFUSED`. n8n 1 gives it as `httpCode`, and without the cause. */
function networkCode(error: unknown): string | undefined {
	for (const { code, httpCode } of causes(error)) {
		const found = [code, httpCode].find((name) => typeof name === 'string' && /^[A-Z]/.test(name));
		if (found !== undefined) return found as string;
	}
	return undefined;
}

function networkText(code: string | undefined): ErrorText {
	if (code === undefined) return NO_ANSWER;
	if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return TLS_ERROR;
	return NETWORK_TEXTS[code] ?? NO_ANSWER;
}

/** Codes after which a request certainly never reached the service, and another try may. */
const NEVER_REACHED = /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/;

/** Codes after which another try would end the same: an untrusted certificate, a stopped execution. */
const FINAL = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_CANCELED/;

/** Whether a request without an answer certainly never reached the service. */
export function isNeverSent(error: unknown): boolean {
	const code = networkCode(error);
	return code !== undefined && NEVER_REACHED.test(code);
}

/** Whether another try would end the same. */
export function isFinal(error: unknown): boolean {
	for (const cause of causes(error)) if (cause instanceof UserError) return true;
	return FINAL.test(networkCode(error) ?? '');
}

/**
 * The error for a request that got no answer, or was refused before it was sent. The original is not kept as its cause:
 * it carries the request's headers.
 */
export function networkError(
	{ node, method, itemIndex }: Attempt,
	error: unknown,
): NodeApiError | NodeOperationError {
	for (const cause of causes(error))
		if (cause instanceof UserError) return nodeError(node(), cause, itemIndex);
	const code = networkCode(error);
	const { message, remedy } = networkText(code);
	const unknown = method !== 'GET' && !isNeverSent(error) && networkText(code) !== TLS_ERROR;
	const failure = new NodeApiError(node(), {} as JsonObject, {
		// n8n replaces a message that holds an error code by one of its own.
		message,
		description: [unknown ? UNCLEAR_WRITE : remedy, ...(code ? [`(${code})`] : [])].join(' '),
		itemIndex,
	});
	return unknown ? outcomeUnknown(failure) : failure;
}

/** Any failure of an item as an n8n error; errors of n8n's kinds are passed through, with the item they belong to. */
export function nodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	const cause = error instanceof Error ? error : new Error(String(error));
	return new NodeOperationError(node, cause, {
		itemIndex,
		description: error instanceof UserError ? (error.description ?? undefined) : undefined,
	});
}

/**
 * What *Continue* gives out for a failed item, linked to it.
 *
 * The error goes into the fields: n8n then adds the fields of the input on the error output, and keeps what is in
 * `details`. On that output n8n 1 puts only what has an error beside its fields too; elsewhere that would replace them.
 */
export function errorItem(error: NodeApiError | NodeOperationError, item: number): INodeExecutionData {
	const { outcome, sent } = error.context;
	const details = {
		...(error.description && { description: error.description }),
		...(outcome !== undefined && { outcome }),
		...(sent !== undefined && { sent }),
	} as IDataObject;
	const failed: INodeExecutionData = {
		json: { error: error.message, ...(Object.keys(details).length > 0 && { details }) },
		pairedItem: { item },
	};
	// Not enumerable, so that n8n does not keep the error a second time.
	if (error.node.onError === 'continueErrorOutput') Object.defineProperty(failed, 'error', { value: error });
	return failed;
}
