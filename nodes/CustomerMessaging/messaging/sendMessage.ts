import type { INodeExecutionData } from 'n8n-workflow';

import type { Item } from '../runner/operation';
import { nodeError, unclearSendError } from '../transport/errors';
import { request } from '../transport/request';
import { guardAgainstLoop } from './loopGuard';
import { allowLoop, skipSent } from './messageOptions';
import { SentMemory } from './sentMemory';

/** The settings that every sending reads. */
export const sendingSettings = [allowLoop, skipSent] as const;

/** What of a message's body the guards look at. */
interface Message {
	from_automation?: boolean;
}

/**
 * Sends one message, at most once.
 *
 * It is not sent again when a retry of the node comes by after it was sent, or may have been. An unclear outcome is an
 * error of its own kind that carries what was sent.
 *
 * @param item with the request before anything was uploaded for it
 * @param complete makes the body that goes out; uploads belong here
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
