import type { IDataObject } from 'n8n-workflow';

import type { HideSecrets } from '../credential/secretHider';
import { isObject } from '../values/json';
import type { Api } from './client';
import { MAX_DESCRIPTION, MAX_MESSAGE, nodeError } from './errors';

const MAX_DETAILS = 1000;
const MAX_DETAIL_LENGTH = 50_000;
const MAX_CAUSES = 5;

/**
 * Makes markup in a text about a run harmless: n8n shows errors and hints as HTML, in which texts of customers could be links and
 * cover its window. The sign that stands for `<` can be read everywhere, also by models and in items, where an entity could not.
 */
export const withoutMarkup =
	(hide: HideSecrets): HideSecrets =>
	(words, limit) =>
		hide(words, limit).replace(/<(?=[a-z/!?])/gi, '‹');

/** Makes a function that returns a value of the details without secrets. What is too much becomes null. */
function concealing(hide: HideSecrets): (value: unknown) => unknown {
	let values = MAX_DETAILS;
	let characters = MAX_DETAIL_LENGTH;
	const hidden = (words: string, limit: number) => {
		characters -= Math.min(words.length, limit);
		return hide(words, limit);
	};
	return function inside(value: unknown): unknown {
		if (--values < 0 || characters < 0) return null;
		if (typeof value === 'string') return hidden(value, MAX_DESCRIPTION);
		if (Array.isArray(value)) return value.slice(0, MAX_DETAILS).map(inside);
		if (!isObject(value)) return value;
		const members = Object.entries(value).slice(0, MAX_DETAILS);
		return Object.fromEntries(members.map(([name, part]) => [hidden(name, MAX_MESSAGE), inside(part)]));
	};
}

interface Told {
	message: string;
	description?: unknown;
	stack?: string;
	messages?: unknown;
	context?: IDataObject;
	cause?: unknown;
}

/** Hides secrets and markup in everything that an error and its causes tell, and cuts it. Returns the same error. */
export function concealed<E>(error: E, hide: HideSecrets): E {
	const show = withoutMarkup(hide);
	let at: unknown = error;
	for (let count = 0; count < MAX_CAUSES && isObject(at) && 'message' in at; count++) {
		const told = at as unknown as Told;
		const { message, stack, description, messages, context } = told;
		told.message = show(message, MAX_MESSAGE);
		if (typeof stack === 'string')
			told.stack = hide(
				stack.replace(message, () => told.message),
				MAX_DESCRIPTION,
			);
		if (typeof description === 'string') told.description = show(description, MAX_DESCRIPTION);
		if (Array.isArray(messages)) told.messages = messages.map((one) => concealing(show)(one));
		for (const name of ['sent', 'read', 'undelivered'])
			if (isObject(context) && name in context)
				context[name] = concealing(hide)(context[name]) as IDataObject;
		at = told.cause;
	}
	return error;
}

/**
 * Turns any failure into the n8n error that leaves the run, without secrets and cut. It names the item, unless it does
 * already.
 */
export const leaving = ({ api }: { api: Api }, failure: unknown, itemIndex?: number) =>
	concealed(nodeError(api.getNode(), failure, itemIndex), api.hide);
