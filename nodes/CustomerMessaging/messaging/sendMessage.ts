import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { ItemContext } from '../runner/field';
import type { Item } from '../runner/operation';
import { nodeError, unclearSendError } from '../transport/errors';
import { noteOutcome } from '../transport/nodeRun';
import { request } from '../transport/request';
import { isObject } from '../values/json';
import { firesEvent, guardAgainstLoop } from './loopGuard';
import { allowLoop, skipSent } from './messageOptions';
import { SentMemory } from './sentMemory';

/** The settings that every send operation reads. */
export const sendingSettings = [allowLoop, skipSent] as const;

/** The members of a message's body that the guards read. */
interface Message {
	from_automation?: boolean;
}

/** The parts of an operation that sends. */
interface Sending<Members> {
	/** Returns the output item if nothing is to be sent. */
	skipped?: () => Promise<IDataObject | undefined>;
	/** Makes the final body from the body before any upload; uploads belong here. */
	complete: (body: Partial<Members>) => Promise<Partial<Members>>;
}

/** Whether the service answers that a message failed. */
export const isUndelivered = (items: INodeExecutionData[]) =>
	items.some(({ json }) => json.status === 'failed' || isObject(json.latest_error));

/** Counts a message that failed by the service's answer, which is no failure of the request. */
async function noteUndelivered(context: ItemContext, items: INodeExecutionData[]): Promise<void> {
	if (isUndelivered(items)) await noteOutcome(context, 'were not delivered; see latest_error');
}

/**
 * Stops a message that would start its own workflow again.
 *
 * @throws NodeOperationError
 */
export function guardMessage<Members extends Message>({
	context,
	request: { body },
	read,
}: Item<typeof allowLoop, Members>): void {
	guardAgainstLoop(context, firesEvent(body.from_automation) && !read(allowLoop));
}

/**
 * Sends one message, at most once.
 *
 * A retry of the node does not send the message again if it was sent or may have been sent. It does not check such a
 * message again either. An unknown outcome has its own error, which contains the sent body.
 *
 * @throws NodeOperationError when the message would start its own workflow again
 * @throws NodeApiError when the request fails or its outcome is unknown
 */
export async function sendMessage<Members extends Message>(
	item: Item<(typeof sendingSettings)[number], Members>,
	{ skipped, complete }: Sending<Members>,
): Promise<INodeExecutionData[]> {
	const { context, request: declared, read, output } = item;
	const memory = new SentMemory(context, read(skipSent));
	const { outcome } = memory;
	if (outcome && 'items' in outcome) {
		await noteUndelivered(context, outcome.items);
		return outcome.items;
	}
	if (outcome)
		throw unclearSendError(context.getNode(), outcome.unclear, declared.body, context.getItemIndex());

	const json = await skipped?.();
	if (json) {
		await noteOutcome(context, 'were skipped, because the recipient has not opted in');
		return [{ json }];
	}
	guardMessage(item);
	const body = await complete(declared.body);
	try {
		const items = output(await request(context, { ...declared, body }));
		memory.sent(items);
		await noteUndelivered(context, items);
		return items;
	} catch (error) {
		const failure = nodeError(context.getNode(), error, context.getItemIndex());
		if (failure.context.outcome !== 'unknown') throw failure;
		memory.unclear(failure.message);
		throw unclearSendError(context.getNode(), failure.message, body, context.getItemIndex());
	}
}
