import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { ItemContext } from '../runner/field';
import type { Item } from '../runner/operation';
import { nodeError } from '../transport/errors';
import { noteOutcome } from '../transport/nodeRun';
import { firesEvent, guardAgainstLoop } from './loopGuard';
import { allowLoop, skipSent } from './messageOptions';
import { noteUndelivered, postMessage, sentBefore } from './delivery/postMessage';
import type { SendOnce, TakenKey } from './delivery/sendOnce';
import { type Sent, SentMemory } from './sentMemory';

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
	/** Sends only if the key of the item was not used. */
	once?: SendOnce;
	/** Makes the final body from the body before any upload; uploads belong here. */
	complete: (body: Partial<Members>) => Promise<Partial<Members>>;
	/** Returns the output items for a message that the service took. It comes before each retry of the node too. */
	answered?: (sent: Sent) => Promise<INodeExecutionData[]>;
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

/** Takes the key of a message back that was certainly not sent, and returns the error about the message. */
async function takenBack(
	context: ItemContext,
	claim: TakenKey | undefined,
	error: unknown,
): Promise<ReturnType<typeof nodeError>> {
	const failure = nodeError(context.getNode(), error, context.getItemIndex());
	await claim?.release().catch(() => {
		const told = 'n8n could not take the Send Once Key back, so it counts as used.';
		failure.description = [failure.description, told].filter(Boolean).join('\n');
	});
	return failure;
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
	{
		skipped,
		once,
		complete,
		answered = async (one) => await noteUndelivered(item.context, one),
	}: Sending<Members>,
): Promise<INodeExecutionData[]> {
	const { context, request: declared, read, output } = item;
	const memory = new SentMemory(context, read(skipSent));
	const before = sentBefore(context, memory, declared);
	if (before) return await answered(before);

	const json = await skipped?.();
	if (json) {
		await noteOutcome(context, 'were skipped, because the recipient has not opted in');
		return [{ json }];
	}
	guardMessage(item);
	const claim = await once?.take();
	if (claim && 'skipped' in claim) return [{ json: claim.skipped }];
	let body: Partial<Members>;
	try {
		body = await complete(declared.body);
	} catch (error) {
		throw await takenBack(context, claim, error);
	}
	let sent: Sent;
	try {
		sent = await postMessage({ context, output }, memory, { ...declared, body });
	} catch (error) {
		const failure = nodeError(context.getNode(), error, context.getItemIndex());
		if (failure.context.outcome !== 'unknown') throw await takenBack(context, claim, failure);
		claim?.keep();
		throw failure;
	}
	claim?.keep();
	return await answered(sent);
}
