import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Item } from '../../runner/operation';
import { noteOutcome } from '../../transport/nodeRun';
import { request } from '../../transport/request';
import { allowLoop, firesEvent, guardAgainstLoop } from '../guards/loopGuard';
import type { OnceKey } from '../once/sendOnce';
import { SentMemory } from '../once/sentMemory';
import { type Sent, undeliveredOf } from './undelivered';

interface Sending<Members> {
	/** Returns the output item if nothing is to be sent. */
	skipped?: () => Promise<IDataObject | undefined>;
	/** Sends only if this key was not used. */
	onceKey?: OnceKey;
	/** Makes the final body from the body before any upload; uploads belong here. */
	complete: (body: Partial<Members>) => Promise<Partial<Members>>;
	/** Returns the output items for a message that the service took. It comes before each retry of the node too. */
	answered: (sent: Sent) => Promise<INodeExecutionData[]>;
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
export async function sendMessage<Members extends { from_automation?: boolean }>(
	{ context, request: declared, read, output }: Item<typeof allowLoop, Members>,
	{ skipped, onceKey, complete, answered }: Sending<Members>,
): Promise<INodeExecutionData[]> {
	const memory = await SentMemory.of(context, onceKey);
	const before = memory.before(declared.body);
	if (before) return await answered(before);

	const json = await skipped?.();
	if (json) {
		await noteOutcome(context, 'were skipped, because the recipient has not opted in');
		return [{ json }];
	}
	guardAgainstLoop(context, firesEvent(declared.body.from_automation) && !read(allowLoop));
	const used = await onceKey?.take();
	if (used) return [{ json: used }];
	let body: Partial<Members> | undefined;
	let sent: Sent;
	try {
		body = await complete(declared.body);
		const message = { ...declared, body };
		const answer = await request(context, message);
		sent = { items: output(answer, message), undelivered: undeliveredOf(answer.body) };
	} catch (error) {
		throw await memory.failed(error, body);
	}
	memory.sent(sent);
	return await answered(sent);
}
