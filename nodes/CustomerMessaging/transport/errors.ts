import type { IDataObject, INode, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import { isObject } from '../values/json';
import { type Failure, networkFailure, statusFailure, UNCLEAR_WRITE, UNREADABLE } from './failures';

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

/** A longer text is a page, not a sentence. */
const MAX_MESSAGE_LENGTH = 500;

/** The service's own message, wherever an error body keeps it; the shape of error bodies is not shown. */
export function serviceMessage(body: unknown): string | undefined {
	if (typeof body === 'string') {
		return body.length > MAX_MESSAGE_LENGTH || body.trimStart().startsWith('<') ? undefined : text(body);
	}
	if (Array.isArray(body)) return text(body.map((part) => serviceMessage(part) ?? '').join('\n'));
	if (!isObject(body)) return undefined;
	for (const key of ['message', 'error', 'detail', 'title', 'error_description', 'msg']) {
		const found = serviceMessage(body[key]);
		if (found) return found;
	}
	return undefined;
}

/** The request that an error is about. */
export interface Subject {
	node: () => INode;
	method: string;
	/** Undefined in the editor and for requests of a whole batch. */
	itemIndex: number | undefined;
	/** Blacked out, should the service repeat it. */
	secret: string;
}

/** Marks an error after which nobody knows whether the write was carried out. */
function outcomeUnknown(error: NodeApiError): NodeApiError {
	error.context.outcome = 'unknown';
	return error;
}

const NO_RESPONSE: JsonObject = {};

/**
 * The error for an answer with a failing status: the service's own words first, then its field errors and the way out.
 *
 * @param body the parsed answer, of whatever shape
 * @param isUnclear whether the request may have been carried out all the same
 */
export function statusError(
	{ node, itemIndex, secret }: Subject,
	status: number,
	body: unknown,
	isUnclear: boolean,
): NodeApiError {
	const hidden = (words: string) => (secret === '' ? words : words.replaceAll(secret, '***'));
	const { message, remedy } = statusFailure(status);
	const said = serviceMessage(body);
	const fields = isObject(body) ? fieldErrors(body.errors ?? body.fields) : [];
	const description = [
		...(said ? [`${message} (HTTP ${status}).`] : []),
		...fields,
		remedy,
		...(isUnclear ? [UNCLEAR_WRITE] : []),
	].join('\n');
	const error = new NodeApiError(node(), NO_RESPONSE, {
		message: hidden(said ?? `${message} (HTTP ${status})`),
		description: hidden(description),
		httpCode: String(status),
		itemIndex,
	});
	return isUnclear ? outcomeUnknown(error) : error;
}

/** The error for an answer that says success but holds something other than the interface shows. */
export function unreadableError(
	node: INode,
	{ statusCode }: { statusCode: number },
	itemIndex?: number,
): NodeApiError {
	return outcomeUnknown(
		new NodeApiError(node, NO_RESPONSE, {
			message: `${UNREADABLE.message} (HTTP ${statusCode})`,
			description: UNREADABLE.remedy,
			httpCode: String(statusCode),
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
	sent: object,
	itemIndex: number,
): NodeApiError {
	const error = new NodeApiError(node, NO_RESPONSE, {
		message: 'It is unclear whether the message was sent',
		description: `${problem}.\n${UNCLEAR_WRITE}`,
		itemIndex,
	});
	error.context.sent = sent;
	return outcomeUnknown(error);
}

/** An error and the errors it was caused by, outermost first. */
function* causes(error: unknown): Generator<object> {
	for (let at = error; typeof at === 'object' && at !== null; at = 'cause' in at ? at.cause : undefined)
		yield at;
}

/** An error of this package that a request met on its way, such as an answer that is too long. */
function userErrorIn(error: unknown): UserError | undefined {
	for (const cause of causes(error)) if (cause instanceof UserError) return cause;
	return undefined;
}

/** The system's name for what went wrong, such as `ECONNREFUSED`. n8n 1 gives it as `httpCode`, and without the cause. */
function networkCode(error: unknown): string | undefined {
	for (const cause of causes(error)) {
		for (const name of ['code', 'httpCode']) {
			const code: unknown = Reflect.get(cause, name);
			if (typeof code === 'string' && /^[A-Z]/.test(code)) return code;
		}
	}
	return undefined;
}

/** What a request without an answer stands for. */
export function failureOf(error: unknown): Failure {
	const failure = networkFailure(networkCode(error));
	// What this package throws itself would be thrown again.
	return userErrorIn(error) ? { ...failure, isFinal: true } : failure;
}

/**
 * The error for a request that got no answer, or was refused before it was sent. The original is not kept as its cause:
 * it carries the request's headers.
 */
export function networkError(
	{ node, method, itemIndex }: Subject,
	error: unknown,
): NodeApiError | NodeOperationError {
	const own = userErrorIn(error);
	if (own) return nodeError(node(), own, itemIndex);
	const code = networkCode(error);
	const { message, remedy, isNotDone } = networkFailure(code);
	const isUnclear = method !== 'GET' && !isNotDone;
	const failure = new NodeApiError(node(), NO_RESPONSE, {
		// n8n replaces a message that holds an error code by one of its own.
		message,
		description: [isUnclear ? UNCLEAR_WRITE : remedy, ...(code ? [`(${code})`] : [])].join(' '),
		itemIndex,
	});
	return isUnclear ? outcomeUnknown(failure) : failure;
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
	const details: IDataObject = {
		...(error.description && { description: error.description }),
		...(outcome === 'unknown' && { outcome }),
		...(isObject(sent) && { sent }),
	};
	const failed: INodeExecutionData = {
		json: { error: error.message, ...(Object.keys(details).length > 0 && { details }) },
		pairedItem: { item },
	};
	// Not enumerable, so that n8n does not keep the error a second time.
	if (error.node.onError === 'continueErrorOutput') Object.defineProperty(failed, 'error', { value: error });
	return failed;
}
