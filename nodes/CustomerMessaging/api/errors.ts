import type { IDataObject, INode, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import type { HideSecrets } from '../credential/secretHider';
import { isObject, objectsOf, ownMember } from '../values/json';
import { cut, messageOf, stringOf } from '../values/text';
import { type FieldError, fieldErrors, fieldName, type Labels, serviceMessage } from './errorBody';
import { type Failure, networkFailure, NO_RECORD, UNCLEAR_WRITE, unreadable } from './failures';
import { isPage } from './responses';
import type { FailedAttempt } from './retryPolicy';

/** Maximum length in characters of an error's message and description. n8n stores and shows them with each run. */
export const MAX_MESSAGE = 2000;
export const MAX_DESCRIPTION = 10_000;

/** Maximum length of the field errors. The rest of a description are texts of this package. */
const MAX_FIELDS = 9000;

/** A failed request: what decides about another attempt, and what its error tells. */
export interface RequestFailure extends FailedAttempt {
	body?: unknown;
	code?: string;
	/** An error of this package that ended the request. */
	own?: UserError;
}

interface FailedRequest {
	node: INode;
	method: string | undefined;
	hide?: HideSecrets;
	labels?: () => Labels;
	entryName?: (place: number) => string;
}

const NO_RESPONSE: JsonObject = {};

/** Whether a message is what is said about a field, with nothing but a count of others behind it. */
const repeats = (message: string, { problem }: FieldError) =>
	message.startsWith(problem) && /^\s*($|\n|\()/.test(message.slice(problem.length));

/**
 * Makes the error of every failed request: the service's message, then its field errors, by their names in the editor,
 * and the remedy. It keeps no original as its cause, because that contains the request's headers.
 *
 * @param notes further lines of the description
 */
export function requestError(
	{ node, method = 'GET', hide = cut, labels, entryName }: FailedRequest,
	{ failure, status, body, code, own }: RequestFailure,
	notes: string[] = [],
): NodeApiError | NodeOperationError {
	if (own) {
		const error = nodeError(node, own);
		error.description = [error.description, ...notes].filter(Boolean).join('\n');
		return error;
	}
	const { message, remedy, isNotDone } = failure;
	const isUnclear = method !== 'GET' && !isNotDone;
	const said = serviceMessage(body);
	const errors = fieldErrors(body);
	const names = errors.length > 0 ? labels?.() : undefined;
	const lineOf = ({ field, problem }: FieldError) =>
		field === '' ? problem : `${fieldName(names ?? {}, field, entryName)}: ${problem}`;
	const repeated = errors.find((error) => said !== undefined && repeats(said, error));
	const words = repeated ? lineOf(repeated) : said;
	const fields = errors.map(lineOf).filter((line) => line !== words);
	const headline = status === undefined ? message : `${message} (HTTP ${status})`;
	// Without a response, the next step stands in the place of the remedy.
	const steps = [
		...(status !== undefined || !isUnclear ? [remedy] : []),
		...(isUnclear ? [UNCLEAR_WRITE] : []),
	].join('\n');
	const lines = [
		words && `${headline}.`,
		hide(fields.join('\n'), MAX_FIELDS),
		code ? `${steps} (${code})` : steps,
	].filter(Boolean);
	const error = new NodeApiError(node, NO_RESPONSE, {
		// n8n replaces a message that contains an error code with its own text.
		message: words ? hide(words, MAX_MESSAGE) : headline,
		description: [...lines, ...notes].join('\n'),
		...(status !== undefined && { httpCode: String(status) }),
	});
	if (isUnclear) error.context.outcome = 'unknown';
	if (isPage(body)) error.context.isPage = true;
	return error;
}

/** Makes the error for a success with content that the interface does not allow. The outcome of a write is unknown. */
export const unreadableError = (
	context: { getNode: () => INode },
	content: unknown,
	method = 'GET',
	failure: Failure = unreadable(content, NO_RECORD),
	status = 200,
) => requestError({ node: context.getNode(), method }, { failure, status });

/** Makes the error for a message that the service may have sent. It keeps the sent body, to look up the recipient. */
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
	Object.assign(error.context, { outcome: 'unknown', sent });
	return error;
}

/** The waits of a request, in milliseconds. */
export interface Waits {
	/** Because the tenant asks for fewer requests, or because an attempt failed. */
	forTenant: number;
	/** Because other requests to the tenant came first. */
	forTurn: number;
}

const MIN_TOLD_MS = 1000;

const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`;

/** Returns the line that says what a request waited for, if it is worth a line. */
export function waitNotes(attempts: number, { forTenant, forTurn }: Waits): string[] {
	if (forTenant + forTurn < MIN_TOLD_MS) return [];
	const times = attempts === 1 ? 'once' : `${attempts} times`;
	return [
		`It was tried ${times} and waited ${seconds(forTenant)} for the service and ${seconds(forTurn)} behind other requests.`,
	];
}

/** Returns the line that says for how many milliseconds the service takes no such request, if that is worth a line. */
export const askNotes = (asked = 0): string[] =>
	asked < MIN_TOLD_MS
		? []
		: [`The service asks to wait ${asked === Infinity ? 'more than a day' : seconds(asked)}.`];

/**
 * Makes the error for a request whose turn does not come in time, because the tenant asks for a pause of milliseconds,
 * or others come first.
 */
export function lateError(node: INode, pause: number, tryFor: number): NodeApiError {
	const [message, wayOut] =
		pause > 0
			? [`The service takes no requests for another ${seconds(pause)}`, 'Run it again later']
			: [`Other requests to the service took longer than ${seconds(tryFor)}`, 'Run less at once'];
	const limit = `Try For (Seconds) in the credential is ${Math.round(tryFor / 1000)}.`;
	const description = `Nothing was sent. ${wayOut}, or let it wait longer: ${limit}`;
	return new NodeApiError(node, NO_RESPONSE, { message, description });
}

export const stoppedError = () => new UserError('The execution was stopped; nothing was sent');

/** Returns why a request got no response. Node.js names the system call, or that of each address of the host. */
export function networkFailureOf(error: unknown): RequestFailure {
	let code: string | undefined;
	let syscall: string | undefined;
	let own: UserError | undefined;
	for (let at = error; typeof at === 'object' && at !== null; at = Reflect.get(at, 'cause')) {
		if (at instanceof UserError) own ??= at;
		const given: unknown = Reflect.get(at, 'code');
		if (typeof given === 'string' && /^[A-Z]/.test(given)) code ??= given;
		const [address = at] = objectsOf(ownMember(at, 'errors'));
		syscall ??= stringOf(ownMember(address, 'syscall')) || undefined;
	}
	const failure = networkFailure(code, syscall);
	// Another attempt would throw the same error of this package again.
	return { failure: own ? { ...failure, isFinal: true } : failure, code, own };
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
	const cause = error instanceof Error ? error : new Error(messageOf(error));
	return new NodeOperationError(node, cause, { itemIndex });
}

export const hasErrorOutput = ({ onError }: INode) => onError === 'continueErrorOutput';

/** Marks the items that `errorItem` has made. n8n neither stores nor passes on a member with a symbol. */
const IS_ERROR = Symbol('error item');

export const isErrorItem = (item: INodeExecutionData) => IS_ERROR in item;

/**
 * Returns the output item of *Continue*, linked to the failed item. n8n sends one with more fields, such as a row of an
 * import, to the error output only if it also has an error beside them. On other outputs that error would replace them.
 */
export function errorItem(error: NodeApiError | NodeOperationError, item: number): INodeExecutionData {
	const { outcome, sent, read, undelivered } = error.context;
	const details: IDataObject = {
		...(error.description && { description: error.description }),
		...(outcome === 'unknown' && { outcome }),
		...(isObject(sent) && { sent }),
		...(isObject(read) && { read }),
		...(isObject(undelivered) && { undelivered }),
	};
	const failed: INodeExecutionData = {
		json: { error: error.message, ...(Object.keys(details).length > 0 && { details }) },
		pairedItem: { item },
	};
	// Not enumerable, so that n8n does not store it.
	Object.defineProperty(failed, IS_ERROR, { value: true });
	if (hasErrorOutput(error.node)) Object.defineProperty(failed, 'error', { value: error });
	return failed;
}
