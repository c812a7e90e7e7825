import { type IDataObject, type INode, type INodeExecutionData, NodeApiError } from 'n8n-workflow';

import type { Item } from '../core/item';
import { nodeErrorOf, unreadableError } from '../api/errors';
import { UNCLEAR_WRITE } from '../api/failures';
import { ownMember } from '../values/json';
import { isBlank } from '../values/text';
import type { Claim, Skip } from './claim';
import { guardAgainstLoop } from './loopGuard';
import { sentMemoryOf } from './once/sentMemory';
import type { allowLoop } from './sendingOptions';
import { type Sent, undeliveredOf } from './undelivered';

interface Sending<Members> {
	skipped?: () => Promise<Skip | undefined>;
	/** Makes the item of a message that is not sent. Without it, the item holds why. */
	skippedRow?: (json: IDataObject) => IDataObject;
	/** The key of the message. It is sent only if it gets the key. */
	claim?: Claim;
	/** Makes the final body from the body before any upload; uploads belong here. */
	complete: (body: Partial<Members>) => Promise<Partial<Members>>;
	/** Returns the output items for a message that the service took. It comes before each retry of the node too. */
	answered: (sent: Sent) => Promise<INodeExecutionData[]>;
	/** What is known of the recipient beside the body, for the item of the message. */
	known?: object;
}

/** Makes the error for a message that the service may have sent. It keeps the sent body, to look up the recipient. */
function unclearSendError(node: INode, problem: string, sent: object, itemIndex: number): NodeApiError {
	const error = new NodeApiError(
		node,
		{},
		{
			message: 'It is unclear whether the message was sent',
			description: `${problem}.\n${UNCLEAR_WRITE}`,
			itemIndex,
		},
	);
	Object.assign(error.context, { outcome: 'unknown', sent });
	return error;
}

/**
 * Sends one message, at most once. After a retry of the node, a message that was or may have been sent is not sent
 * again.
 *
 * @throws NodeOperationError when the message would start its own workflow again
 * @throws NodeApiError when the request fails, or its outcome is unknown; it then contains the sent body
 */
export async function sendMessage<Members extends { from_automation?: boolean }>(
	item: Item<typeof allowLoop, Members>,
	{ skipped, skippedRow = (json) => json, claim, complete, answered, known }: Sending<Members>,
): Promise<INodeExecutionData[]> {
	const { api, context, request: declared } = item;
	const unclear = (problem: string, body: object) =>
		unclearSendError(context.getNode(), problem, body, context.getItemIndex());
	const memory = sentMemoryOf(context);
	const before = memory?.before;
	if (before && !('unclear' in before)) return await answered(before);
	// A retry from n8n's list of executions has the memory of the failed one. A person has decided about it there.
	if (before && before.execution === context.getExecutionId()) throw unclear(before.unclear, before.body);

	let skip = await skipped?.();
	if (!skip) guardAgainstLoop(item);
	skip ??= await claim?.take();
	if (skip) {
		api.note(skip.note);
		return [{ json: skippedRow({ result: 'skipped', ...skip.json }) }];
	}
	let body: Partial<Members> | undefined;
	let sent: Sent;
	try {
		body = await complete(declared.body);
		const message = { ...declared, body };
		const content = await api.send(message);
		// Anything but a message does not tell whether one was sent.
		if (isBlank(ownMember(content, 'id'))) throw unreadableError(content, 'POST');
		const told = { ...message, body: { ...known, ...body } };
		sent = { items: item.output(content, told), undelivered: undeliveredOf(content) };
	} catch (error) {
		const failure = nodeErrorOf(context, error, context.getItemIndex());
		if (body && failure.context.outcome === 'unknown') {
			claim?.keep();
			memory?.keep({ unclear: failure.message, body, execution: context.getExecutionId() });
			throw unclear(failure.message, body);
		}
		// What failed before the message is unclear for itself, such as an upload.
		delete failure.context.outcome;
		failure.description = failure.description?.replace(UNCLEAR_WRITE, 'The message was not sent.');
		const note = await claim?.release();
		if (note) failure.description = [failure.description, note].filter(Boolean).join('\n');
		throw failure;
	}
	const { items, undelivered } = sent;
	memory?.keep({ items: items.map(({ json }) => ({ json })), ...(undelivered && { undelivered }) });
	claim?.keep();
	return await answered(sent);
}
