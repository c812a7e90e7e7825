import type { IDataObject, INode, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import type { HideSecrets } from '../credential/accessToken';
import { isObject } from '../values/json';
import { cut } from '../values/text';
import { type FieldError, fieldErrors, serviceMessage } from './errorBody';
import { type Failure, networkFailure, statusFailure, UNCLEAR_WRITE, UNREADABLE } from './failures';

/** Maximum length in characters of an error's message and description. n8n stores and shows them with each run. */
export const MAX_MESSAGE = 2000;
export const MAX_DESCRIPTION = 10_000;

/** Maximum length of the field errors. The rest of a description are texts of this package. */
const MAX_FIELDS = 9000;

/** The request that an error describes. */
export interface Subject {
	node: () => INode;
	method: string;
	/** Index of the item; undefined in the editor and for requests of a whole batch. */
	itemIndex: number | undefined;
	/** Hides the secrets of the credential in a text of the service, and cuts the text. */
	hide: HideSecrets;
	/** Returns the name that the editor has for a field of the request. */
	fieldName?: (field: string) => string;
}

/** Marks an error of a write whose outcome is unknown. */
function outcomeUnknown(error: NodeApiError): NodeApiError {
	error.context.outcome = 'unknown';
	return error;
}

const NO_RESPONSE: JsonObject = {};

/** Whether a message is what is said about a field, with nothing but a count of others behind it. */
const repeats = (message: string, { problem }: FieldError) =>
	message.startsWith(problem) && /^\s*($|\n|\()/.test(message.slice(problem.length));

/**
 * Makes the error for a response with a failing status. The service's own message comes first, then its field errors
 * and the remedy. A field error that the message repeats takes its place.
 *
 * @param body the parsed response, of any shape
 * @param isUnclear whether the service may have carried out the request
 */
export function statusError(
	{ node, itemIndex, hide, fieldName = (field) => field }: Subject,
	status: number,
	body: unknown,
	isUnclear: boolean,
): NodeApiError {
	const { message, remedy } = statusFailure(status);
	const words = serviceMessage(body);
	const errors = fieldErrors(body);
	const repeated = errors.find((error) => words !== undefined && repeats(words, error));
	const lineOf = ({ field, problem }: FieldError) =>
		field === '' ? problem : `${fieldName(field)}: ${problem}`;
	const said = repeated ? lineOf(repeated) : words;
	const fields = errors.map(lineOf).filter((line) => line !== said);
	const description = [
		...(said ? [`${message} (HTTP ${status}).`] : []),
		...(fields.length > 0 ? [hide(fields.join('\n'), MAX_FIELDS)] : []),
		remedy,
		...(isUnclear ? [UNCLEAR_WRITE] : []),
	].join('\n');
	const error = new NodeApiError(node(), NO_RESPONSE, {
		message: said ? hide(said, MAX_MESSAGE) : `${message} (HTTP ${status})`,
		description,
		httpCode: String(status),
		itemIndex,
	});
	return isUnclear ? outcomeUnknown(error) : error;
}

/**
 * Makes the error for a successful status with content that the interface does not allow.
 *
 * @param method method of the request; the outcome of a write is unknown
 */
export function unreadableError(
	node: INode,
	{ statusCode }: { statusCode: number },
	itemIndex?: number,
	method = 'GET',
	{ message, remedy } = UNREADABLE,
): NodeApiError {
	const error = new NodeApiError(node, NO_RESPONSE, {
		message: `${message} (HTTP ${statusCode})`,
		description: method === 'GET' ? remedy : `${remedy}\n${UNCLEAR_WRITE}`,
		httpCode: String(statusCode),
		itemIndex,
	});
	return method === 'GET' ? error : outcomeUnknown(error);
}

/**
 * Makes the error for a message whose outcome is unknown: the service may have sent it.
 *
 * @param problem the error message of the request
 * @param sent the request's body; the error keeps it so that the user can look up the recipient
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

/** The waits of a request, in milliseconds. */
export interface Waits {
	/** Because the tenant asks for fewer requests, or because an attempt failed. */
	forTenant: number;
	/** Because other requests to the tenant came first. */
	forTurn: number;
}

/** A shorter wait explains nothing. */
const MIN_TOLD_MS = 1000;

const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`;

/**
 * Adds to an error what the request waited for.
 *
 * @param attempts number of attempts
 */
export function withWaits(error: Error, attempts: number, { forTenant, forTurn }: Waits): Error {
	if (!('description' in error) || forTenant + forTurn < MIN_TOLD_MS) return error;
	const times = attempts === 1 ? 'once' : `${attempts} times`;
	const told = `It was tried ${times} and waited ${seconds(forTenant)} for the tenant and ${seconds(forTurn)} behind other requests.`;
	error.description = [error.description, told].filter(Boolean).join('\n');
	return error;
}

/**
 * Makes the error for a request that was not sent, because its turn does not come in time.
 *
 * @param pause milliseconds for which the tenant asks to wait
 * @param tryFor maximum milliseconds for the request
 */
export function lateError({ node, itemIndex }: Subject, pause: number, tryFor: number): NodeApiError {
	const limit = `Try For (Seconds) in the credential is ${Math.round(tryFor / 1000)}.`;
	const isPaused = pause > 0;
	return new NodeApiError(node(), NO_RESPONSE, {
		message: isPaused
			? `The tenant takes no requests for another ${seconds(pause)}`
			: `Other requests to the tenant took longer than ${seconds(tryFor)}`,
		description: `Nothing was sent. ${isPaused ? 'Run it again later, or let it wait longer' : 'Run less at once, or let it wait longer'}: ${limit}`,
		itemIndex,
	});
}

/** Makes the error for a request that was not sent, because the execution was stopped. */
export const stoppedError = () => new UserError('The execution was stopped; nothing was sent');

/** Yields an error and its chain of causes, outermost first. */
function* causes(error: unknown): Generator<object> {
	for (let at = error; typeof at === 'object' && at !== null; at = 'cause' in at ? at.cause : undefined)
		yield at;
}

/** Finds an error of this package in the causes, for example about a response that is too large. */
function userErrorIn(error: unknown): UserError | undefined {
	for (const cause of causes(error)) if (cause instanceof UserError) return cause;
	return undefined;
}

/** Returns the system's error code, such as `ECONNREFUSED`. n8n 1 gives it as `httpCode` and without the cause. */
function networkCode(error: unknown): string | undefined {
	for (const cause of causes(error)) {
		for (const name of ['code', 'httpCode']) {
			const code: unknown = Reflect.get(cause, name);
			if (typeof code === 'string' && /^[A-Z]/.test(code)) return code;
		}
	}
	return undefined;
}

/** Returns the kind of failure for a request without a response. */
export function failureOf(error: unknown): Failure {
	const failure = networkFailure(networkCode(error));
	// Another attempt would throw the same error of this package again.
	return userErrorIn(error) ? { ...failure, isFinal: true } : failure;
}

/**
 * Makes the error for a request that got no response, or that was refused before it was sent. The error does not keep
 * the original as its cause, because the original contains the request's headers.
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
		// n8n replaces a message that contains an error code with its own text.
		message,
		description: [isUnclear ? UNCLEAR_WRITE : remedy, ...(code ? [`(${code})`] : [])].join(' '),
		itemIndex,
	});
	return isUnclear ? outcomeUnknown(failure) : failure;
}

/** Turns any failure of an item into an n8n error. Errors of n8n's own kinds stay the same and get the item index. */
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
	cause.message = cut(cause.message, MAX_MESSAGE);
	const { description } = cause as { description?: unknown };
	return new NodeOperationError(node, cause, {
		itemIndex,
		description: typeof description === 'string' ? cut(description, MAX_DESCRIPTION) : undefined,
	});
}

/** Marks the items that `errorItem` has made. n8n neither stores nor passes on a member with a symbol. */
const IS_ERROR = Symbol('error item');

/** Whether `errorItem` has made the item. */
export const isErrorItem = (item: INodeExecutionData) => IS_ERROR in item;

/**
 * Returns the output item of *Continue* for a failed item, linked to that item.
 *
 * The fields hold the error. On the error output, n8n then adds the fields of the input item and keeps `details`. n8n 1
 * sends an item to that output only if it also has an error beside its fields. On other outputs that error would
 * replace the fields.
 */
export function errorItem(error: NodeApiError | NodeOperationError, item: number): INodeExecutionData {
	const { outcome, sent, read, undelivered } = error.context;
	const details: IDataObject = {
		...(error.description && { description: error.description }),
		...(outcome === 'unknown' && { outcome }),
		...(isObject(sent) && { sent }),
		...(Array.isArray(read) && { read }),
		...(isObject(undelivered) && { undelivered }),
	};
	const failed: INodeExecutionData = {
		json: { error: error.message, ...(Object.keys(details).length > 0 && { details }) },
		pairedItem: { item },
	};
	// The properties are not enumerable, so that n8n does not store the error a second time.
	Object.defineProperty(failed, IS_ERROR, { value: true });
	if (error.node.onError === 'continueErrorOutput') Object.defineProperty(failed, 'error', { value: error });
	return failed;
}
