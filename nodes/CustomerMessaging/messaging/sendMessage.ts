import type { INodeExecutionData } from 'n8n-workflow';

import type { Item } from '../runner/operation';
import { nodeError, unclearSendError } from '../transport/errors';
import { request } from '../transport/request';
import { guardAgainstLoop } from './loopGuard';
import { allowLoop, skipSent } from './messageOptions';
import { SentMemory } from './sentMemory';

/** The settings that every send operation reads. */
export const sendingSettings = [allowLoop, skipSent] as const;

/** The members of a message's body that the guards read. */
interface Message {
	from_automation?: boolean;
}

/**
 * Sends one message, at most once.
 *
 * A retry of the node does not send the message again if it was sent or may have been sent. An unknown outcome has its
 * own error, which contains the sent body.
 *
 * @param item its request is the request before any upload
 * @param complete makes the final body; uploads belong here
 * @throws NodeOperationError when the message would start its own workflow again
 * @throws NodeApiError when the request fails or its outcome is unknown
 */
export async function sendMessage<Members extends Message>(
	{ context, request: declared, read, output }: Item<(typeof sendingSettings)[number], Members>,
	complete: (body: Partial<Members>) => Promise<Partial<Members>>,
): Promise<INodeExecutionData[]> {
	const isFromAutomation = declared.body.from_automation === true;
	guardAgainstLoop(context, isFromAutomation && !read(allowLoop));
	const memory = new SentMemory(context, declared, read(skipSent));
	const { outcome } = memory;
	if (outcome && 'items' in outcome) return outcome.items;
	if (outcome)
		throw unclearSendError(context.getNode(), outcome.unclear, declared.body, context.getItemIndex());

	const body = await complete(declared.body);
	try {
		const items = output(await request(context, { ...declared, body }));
		memory.sent(items);
		return items;
	} catch (error) {
		const failure = nodeError(context.getNode(), error, context.getItemIndex());
		if (failure.context.outcome !== 'unknown') throw failure;
		memory.unclear(failure.message);
		throw unclearSendError(context.getNode(), failure.message, body, context.getItemIndex());
	}
}
