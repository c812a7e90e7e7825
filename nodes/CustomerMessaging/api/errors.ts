import { type IDataObject, type INode, NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import { isObject, objectsOf, ownMember } from '../values/json';
import { messageOf, stringOf, textOrNothing } from '../values/text';
import {
	type FailureKind,
	isPage,
	networkFailure,
	NO_RECORD,
	refused,
	UNCLEAR_WRITE,
	unreadable,
} from './failures';
import type { Redact } from './redact';
import type { FailedAttempt } from './retryPolicy';

/** Maximum length in characters of an error's message and description, which n8n stores, and of what it says of fields. */
export const MAX_MESSAGE = 2000;
export const MAX_DESCRIPTION = 10_000;
const MAX_FIELDS = 9000;

/**
 * Makes markup in a text about a run harmless: n8n shows errors and hints as HTML, in which texts of customers could be links and
 * cover its window. The sign that stands for `<` can be read everywhere, also by models and in items, where an entity could not.
 */
export const withoutMarkup = (words: string) => words.replace(/<(?=[a-z/!?])/gi, '‹');

/** Returns the service's own message: `message`, `error` or `error.message`. The interface does not show it. */
export function serviceMessage(body: unknown): string | undefined {
	const error = ownMember(body, 'error');
	const given = [ownMember(body, 'message'), error, ownMember(error, 'message')];
	return given.map(textOrNothing).find(Boolean)?.trim();
}

/** Returns what an error body says about fields: `errors: { field: text or list }`, or a list of field or path, message or detail. */
export function fieldErrors(body: unknown): Array<{ field: string; problem: string }> {
	const errors = ownMember(body, 'errors');
	const listed = objectsOf(errors).map(({ field, path, message, detail }) => [
		field ?? path,
		message ?? detail,
	]);
	const byField = Object.entries(isObject(errors) ? errors : {}).flatMap(([field, problems]) =>
		[problems].flat().map((problem) => [field, problem]),
	);
	const all = [...listed, ...byField].map((pair) => pair.map(textOrNothing));
	return all.flatMap(([field, problem]) => (field && problem ? [{ field, problem }] : []));
}

/** The editor's names of the members that a request writes. */
export type Labels = Partial<Record<string, string>>;

/**
 * Returns the editor's name of a field that the service names, if the request has a member of exactly this name; otherwise the
 * service's own name. In a list, it has its place: "Phone Number (entry 4)" for `customers.3.display_id`.
 *
 * @param entryName names the entry at a place, from 0; with it, an entry of a list needs no label of its own member
 */
export function fieldName(labels: Labels, field: string, entryName?: (place: number) => string): string {
	const labelOf = (name: string) => (Object.hasOwn(labels, name) ? labels[name] : undefined);
	const [, list, place, member = list] = /^([^.]+)\.(\d+)(?:\.(.+))?$/s.exec(field) ?? [];
	const label = list === undefined ? undefined : (labelOf(member) ?? (entryName && labelOf(list)));
	const entry = entryName?.(Number(place)) ?? `entry ${Number(place) + 1}`;
	return labelOf(field) ?? (label === undefined ? field : `${label} (${entry})`);
}

/** What became of a request: what decides about another attempt, and what its error tells. */
export interface RequestFailure extends FailedAttempt {
	body?: unknown;
	code?: string;
}

/**
 * A failed request. It holds what the service said, with any secrets, until `nodeErrorOf` makes an error of n8n of it. It keeps no
 * original as its cause, because that contains the request's headers.
 */
export class Failure extends Error {
	/** @param notes further lines of the description */
	constructor(
		readonly told: RequestFailure,
		readonly request: { method?: string; labels?: () => Labels; entryName?: (place: number) => string } = {},
		readonly notes: string[] = [],
	) {
		super(told.failure.message);
	}
}

/** Whether the service refused a request with one of these statuses. Who answers with a page says nothing about a record. */
export const isRefusedWith = (error: unknown, ...statuses: number[]): error is Failure =>
	error instanceof Failure && statuses.includes(error.told.status ?? 0) && !isPage(error.told.body);

/** Tells the service's message, then its field errors, and the remedy. Only what the service said can hold a secret. */
function errorOfFailure(node: INode, { told, request, notes }: Failure, show: Redact): NodeApiError {
	const { failure, status, body, code } = told;
	const { method = 'GET', labels, entryName } = request;
	const isUnclear = method !== 'GET' && !failure.isNotDone;
	const said = serviceMessage(body);
	const errors = fieldErrors(body);
	const names = (errors.length > 0 && labels?.()) || {};
	const fields = errors.map(({ field, problem }) => `${fieldName(names, field, entryName)}: ${problem}`);
	// A message is often what is said about the first field, and a count of the others.
	const first = errors.at(0)?.problem;
	const words = said?.replace(/ \(and \d+ more errors?\)$/, '') === first ? fields.shift() : said;
	const headline = status === undefined ? failure.message : `${failure.message} (HTTP ${status})`;
	// Without a response, the next step stands in the place of the remedy.
	const remedy = status === undefined && isUnclear ? '' : failure.remedy;
	const way = [remedy, isUnclear && UNCLEAR_WRITE].filter(Boolean).join('\n');
	const steps = code ? way.replace(/\.?$/, ` (${code}).`) : way;
	const lines = [words && `${headline}.`, show(fields.join('\n'), MAX_FIELDS), steps];
	// n8n replaces a message that contains an error code with its own text.
	const message = words ? show(words, MAX_MESSAGE) : headline;
	const description = [...lines, ...notes].filter(Boolean).join('\n');
	const error = new NodeApiError(node, {}, { message, description, httpCode: status?.toString() });
	if (isUnclear) error.context.outcome = 'unknown';
	return error;
}

/** Hides secrets in all texts of JSON, also in the names of members. */
export function redactIn(value: unknown, redact: Redact): unknown {
	if (typeof value === 'string') return redact(value, MAX_DESCRIPTION);
	if (Array.isArray(value)) return value.map((part) => redactIn(part, redact));
	if (!isObject(value)) return value;
	const redacted = ([name, part]: [string, unknown]) => [redact(name, MAX_MESSAGE), redactIn(part, redact)];
	return Object.fromEntries(Object.entries(value).map(redacted));
}

/**
 * Makes the error of n8n that leaves a run from anything that was thrown, without secrets and markup, and cut. Errors of n8n stay
 * the same, and keep the item that they name. Others may quote values, and lose their cause, which can hold anything.
 */
export function nodeErrorOf(
	{ api: { context, redact } }: { api: { context: { getNode: () => INode }; redact: Redact } },
	thrown: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	const node = context.getNode();
	const show: Redact = (words, limit) => withoutMarkup(redact(words, limit));
	let error: NodeApiError | NodeOperationError;
	if (thrown instanceof Failure) error = errorOfFailure(node, thrown, show);
	else {
		const isOfNode = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
		const cause = thrown instanceof Error ? thrown : new Error(messageOf(thrown));
		error = isOfNode ? thrown : new NodeOperationError(node, cause);
		error.message = show(error.message, MAX_MESSAGE);
		if (error.description) error.description = show(stringOf(error.description), MAX_DESCRIPTION);
		if (error.stack) error.stack = show(error.stack, MAX_DESCRIPTION);
		error.messages = error.messages.map((message) => show(message, MAX_MESSAGE));
		for (const name of ['sent', 'read', 'undelivered'])
			if (name in error.context) error.context[name] = redactIn(error.context[name], redact) as IDataObject;
		delete error.cause;
	}
	error.context.itemIndex ??= itemIndex;
	return error;
}

/** Makes the failure for a success with content that the interface does not allow. */
export const unreadableError = (
	content: unknown,
	method = 'GET',
	failure: FailureKind = unreadable(content, NO_RECORD),
	status = 200,
) => new Failure({ failure, status }, { method });

export const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`;

/** Makes the failure of a request that is late, because the tenant asks for a pause of milliseconds, or others come first. */
export function lateError(pause: number, tryFor: number): Failure {
	const [message, wayOut] =
		pause > 0
			? [`The service takes no requests for another ${seconds(pause)}`, 'Run it again later']
			: [`Other requests to the service took longer than ${seconds(tryFor)}`, 'Run fewer items at once'];
	const limit = `Try For (Seconds) in the credential is ${Math.round(tryFor / 1000)}.`;
	const remedy = `Nothing was sent. ${wayOut}, or let it wait longer: ${limit}`;
	return new Failure({ failure: refused(message, remedy) });
}

export const stoppedError = () => new UserError('The execution was stopped; nothing was sent');

/**
 * Returns why a request got no response. Node.js names the system call, or that of each address of the host. Another attempt would
 * throw an error of this package again.
 */
export function networkFailureOf(error: unknown, proxy?: object): RequestFailure {
	let code: string | undefined;
	let syscall: string | undefined;
	for (let at = error; typeof at === 'object' && at !== null; at = Reflect.get(at, 'cause')) {
		if (at instanceof UserError) return { failure: refused(at.message, at.description ?? '') };
		const given: unknown = Reflect.get(at, 'code');
		if (typeof given === 'string' && /^[A-Z]/.test(given)) code ??= given;
		const [address = at] = objectsOf(ownMember(at, 'errors'));
		syscall ??= stringOf(ownMember(address, 'syscall')) || undefined;
	}
	return { failure: networkFailure(code, syscall, proxy !== undefined), code };
}
