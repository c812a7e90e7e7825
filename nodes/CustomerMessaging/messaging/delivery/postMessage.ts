import type { INodeExecutionData } from 'n8n-workflow';

import type { ItemContext } from '../../runner/field';
import type { Item, ItemRequest } from '../../runner/operation';
import { unwrapped } from '../../transport/answer';
import { nodeError, unclearSendError } from '../../transport/errors';
import { noteOutcome } from '../../transport/nodeRun';
import { request } from '../../transport/request';
import { isObject } from '../../values/json';
import { isTold } from '../../values/messageSummary';
import type { Sent, SentMemory, Undelivered } from '../sentMemory';

/** Returns the message of a response if the service did not deliver it. The other values of `status` are not known. */
function undeliveredOf(body: unknown): Undelivered | undefined {
	const message = unwrapped(body);
	if (!isObject(message)) return undefined;
	const { id = null, status, latest_error = null } = message;
	return isTold(latest_error) || status === 'failed' ? { id, latest_error } : undefined;
}

/** Counts a message that was not delivered, which is no failure of the request. */
export async function noteUndelivered(
	context: ItemContext,
	{ items, undelivered }: Sent,
): Promise<INodeExecutionData[]> {
	if (undelivered) await noteOutcome(context, 'were not delivered; see latest_error');
	return items;
}

/**
 * Returns the message that an attempt before has sent; undefined if it is to be sent.
 *
 * @throws NodeApiError when the outcome of that attempt is unknown
 */
export function sentBefore(
	context: ItemContext,
	{ outcome }: SentMemory,
	{ body }: ItemRequest<object>,
): Sent | undefined {
	if (outcome && 'unclear' in outcome)
		throw unclearSendError(context.getNode(), outcome.unclear, body, context.getItemIndex());
	return outcome;
}

/**
 * Sends the request of a message, and remembers the outcome.
 *
 * @throws NodeApiError when the request fails, or with the sent body when its outcome is unknown
 */
export async function postMessage(
	{ context, output }: Pick<Item<never>, 'context' | 'output'>,
	memory: SentMemory,
	message: ItemRequest<object>,
): Promise<Sent> {
	try {
		const answer = await request(context, message);
		const sent: Sent = { items: output(answer, message), undelivered: undeliveredOf(answer.body) };
		memory.sent(sent);
		return sent;
	} catch (error) {
		const failure = nodeError(context.getNode(), error, context.getItemIndex());
		if (failure.context.outcome !== 'unknown') throw failure;
		memory.unclear(failure.message);
		throw unclearSendError(context.getNode(), failure.message, message.body, context.getItemIndex());
	}
}
