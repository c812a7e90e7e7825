import type { IDataObject, ILoadOptionsFunctions, INode } from 'n8n-workflow';

import type { HideSecrets } from '../credential/secretHider';
import { isObject } from '../values/json';
import { cut } from '../values/text';
import type { RequestContext } from './context';
import { MAX_DESCRIPTION, MAX_MESSAGE, nodeError } from './errors';
import { nodeRunOf } from './nodeRun';

/** Maximum numbers of values and of characters that the details of an error tell. */
const MAX_DETAILS = 1000;
const MAX_DETAIL_LENGTH = 50_000;

const budgetOfDetails = () => ({ values: MAX_DETAILS, characters: MAX_DETAIL_LENGTH });

/** Maximum number of errors within each other. */
const MAX_CAUSES = 5;

/** Returns a value of the details without secrets. What is too much becomes null. */
function concealedValue(
	value: unknown,
	hide: HideSecrets,
	budget: ReturnType<typeof budgetOfDetails>,
): unknown {
	if (--budget.values < 0 || budget.characters < 0) return null;
	if (typeof value === 'string') {
		budget.characters -= Math.min(value.length, MAX_DESCRIPTION);
		return hide(value, MAX_DESCRIPTION);
	}
	const inside = (part: unknown) => concealedValue(part, hide, budget);
	if (Array.isArray(value)) return value.slice(0, MAX_DETAILS).map(inside);
	if (!isObject(value)) return value;
	const members = Object.entries(value).slice(0, MAX_DETAILS);
	return Object.fromEntries(
		members.map(([name, part]) => {
			budget.characters -= Math.min(name.length, MAX_MESSAGE);
			return [hide(name, MAX_MESSAGE), inside(part)];
		}),
	);
}

/** The parts of an error that n8n stores and shows. */
interface Told {
	message: string;
	description?: unknown;
	stack?: string;
	messages?: unknown;
	context?: IDataObject;
	cause?: unknown;
}

/**
 * Hides secrets in everything that an error tells, and cuts it: the message, the description, the stack, the errors that
 * caused it, and its details.
 *
 * @returns the same error
 */
export function concealed<E>(error: E, hide: HideSecrets): E {
	let at: unknown = error;
	for (
		let count = 0;
		count < MAX_CAUSES && typeof at === 'object' && at !== null && 'message' in at;
		count++
	) {
		const told = at as Told;
		const said = told.message;
		told.message = hide(said, MAX_MESSAGE);
		if (typeof told.stack === 'string')
			told.stack = hide(
				told.stack.replace(said, () => told.message),
				MAX_DESCRIPTION,
			);
		if (typeof told.description === 'string') told.description = hide(told.description, MAX_DESCRIPTION);
		if (Array.isArray(told.messages))
			told.messages = told.messages.map((one) => concealedValue(one, hide, budgetOfDetails()));
		for (const name of ['sent', 'read', 'undelivered']) {
			if (told.context && name in told.context)
				told.context[name] = concealedValue(told.context[name], hide, budgetOfDetails()) as IDataObject;
		}
		at = told.cause;
	}
	return error;
}

/** Returns the function that hides the secrets of the run, or only cuts where the credential is unusable. */
const hideOf = async (context: RequestContext): Promise<HideSecrets> =>
	await nodeRunOf(context).then(
		({ hide }) => hide,
		() => cut,
	);

/**
 * Turns any failure into the n8n error that leaves the run, without secrets and cut.
 *
 * @param itemIndex the item that failed, unless the error names one
 */
export async function leaving(
	context: RequestContext & { getNode: () => INode },
	failure: unknown,
	itemIndex?: number,
) {
	return concealed(nodeError(context.getNode(), failure, itemIndex), await hideOf(context));
}

/** Makes the editor's methods fail without secrets and cut. Their errors keep their kind. */
export function leavingEditor<Methods extends object>(methods: Methods): Methods {
	const entries = Object.entries(methods as Record<string, (...given: never[]) => Promise<unknown>>);
	return Object.fromEntries(
		entries.map(([name, method]) => [
			name,
			async function (this: ILoadOptionsFunctions, ...given: never[]): Promise<unknown> {
				try {
					return await method.apply(this, given);
				} catch (error) {
					throw concealed(error, await hideOf(this));
				}
			},
		]),
	) as Methods;
}
