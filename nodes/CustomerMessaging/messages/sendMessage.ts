import { type INodeExecutionData, NodeApiError, type NodeOperationError } from 'n8n-workflow';

import { Failure, nodeErrorOf, unreadableError } from '../api/errors';
import type { ItemContext } from '../core/field';
import { itemError } from '../core/fieldError';
import type { Item } from '../core/item';
import { quoted } from '../n8nInternals/waiting';
import { isObject, ownMember } from '../values/json';
import { isFailedMessage, reasonOf } from '../values/messageSummary';
import { isBlank } from '../values/text';
import { type Skip, skippedRow } from './messageRow';
import { allowLoop } from './sendingOptions';
import type { Once } from './sendOnce';
import { type Sent, type SentMemory, sentMemoryOf, type Unclear, type Undelivered } from './sentMemory';

const TRIGGER = /\.customerMessagingTrigger$/;

/**
 * Stops a workflow that would message a customer forever. The trigger receives all messages that automations send,
 * including those of its own workflow ("Events" 1 of the interface).
 *
 * @throws NodeOperationError when that event started this execution and *Allow Loop* is off
 */
function guardAgainstLoop(item: Item<typeof allowLoop, { from_automation?: boolean }>): void {
	const { context } = item;
	if (item.request.body.from_automation !== true || item.get(allowLoop)) return;
	const isStart = ({ name, type }: { name: string; type: string }) =>
		TRIGGER.test(type) &&
		context.evaluateExpression(`{{ $(${quoted(name)}).isExecuted }}`, context.getItemIndex()) === true;
	if (!context.getParentNodes(context.getNode().name).some(isStart)) return;
	throw item.error(
		'This message would start its own workflow again and again',
		'The workflow starts from the Customer Messaging Trigger, which hears every message sent with From Automation. Switch From Automation off, or switch Allow Loop on if another condition ends the loop.',
	);
}

const NOT_DELIVERED = 'The service accepted the message, but did not deliver it';

/** What the user can do about a message that was not delivered. */
export const UNDELIVERED_REMEDY =
	'Check the recipient. After the session of a conversation has ended, only a template reaches the customer (Send Template). A retry of this node does not send the message again.';

function undeliveredError(
	context: ItemContext,
	undelivered: Undelivered,
	remedy: string,
): NodeOperationError {
	const reason = reasonOf(undelivered.latest_error);
	const original = ownMember(undelivered.latest_error, 'original_message');
	const details = typeof original === 'string' && original !== reason ? ` (${original})` : '';
	const error = itemError(context, reason || NOT_DELIVERED, `${NOT_DELIVERED}${details}.\n${remedy}`);
	error.context.undelivered = undelivered;
	return error;
}

interface Sending<Members> {
	/** Tells why the message is not to be sent, if so. */
	skipped?: () => Promise<Skip | undefined> | Skip | undefined;
	/** Sends it only once for its key. */
	once?: Once;
	/** Makes the final body from the body before any upload; uploads belong here. */
	complete: (body: Partial<Members>) => Promise<Partial<Members>>;
	/** The remedy with which a message that was not delivered fails its item. Without it, the item goes on and says so. */
	undeliveredRemedy?: string;
}

/** Makes the error for a message that the service may have sent. It keeps the sent body, to look up the recipient. */
function unclearError(context: ItemContext, { description, httpCode, body }: Unclear): NodeApiError {
	const message = 'It is unclear whether the message was sent';
	const itemIndex = context.getItemIndex();
	const error = new NodeApiError(context.getNode(), {}, { message, description, httpCode, itemIndex });
	Object.assign(error.context, { outcome: 'unknown', sent: body });
	return error;
}

/** Fails a message before its request. Nothing about it is unclear, also if the outcome of its upload is. */
function failBefore(error: unknown): never {
	if (!(error instanceof Failure)) throw error;
	const { told, request, notes } = error;
	const failure = { ...told.failure, isNotDone: true };
	throw new Failure({ ...told, failure }, request, [...notes, 'The message was not sent.']);
}

/** Sends the message, and remembers what became of it. */
async function deliver<Members>(
	item: Item<never, Members>,
	complete: Sending<Members>['complete'],
	memory: SentMemory | undefined,
): Promise<Sent> {
	const { api, context, request } = item;
	const body = await complete(request.body).catch(failBefore);
	let message: unknown;
	try {
		message = await api.send({ ...request, body });
		// Anything but a message does not tell whether one was sent.
		if (!isObject(message) || isBlank(message.id)) throw unreadableError(message, 'POST');
	} catch (error) {
		const failure = nodeErrorOf(context, error, context.getItemIndex());
		if (failure.context.outcome !== 'unknown') throw failure;
		const description = `${failure.message}.\n${failure.description}`;
		const { httpCode = undefined } = failure as { httpCode?: string };
		const unclear = { description, httpCode, body, execution: context.getExecutionId() };
		memory?.keep(unclear);
		throw unclearError(context, unclear);
	}
	const { id, latest_error = null } = message;
	const sent: Sent = { items: item.output(message) };
	if (isFailedMessage(message)) sent.undelivered = { id, latest_error };
	memory?.keep({ ...sent, items: sent.items.map(({ json }) => ({ json })) });
	return sent;
}

/**
 * Sends one message, at most once. After a retry of the node, a message that was or may have been sent is not sent
 * again.
 *
 * @throws NodeOperationError when the message would start its own workflow again, or was not delivered and that fails the item
 * @throws NodeApiError when the request fails, or its outcome is unknown; it then contains the sent body
 */
export async function sendMessage<Members extends { from_automation?: boolean }>(
	item: Item<typeof allowLoop, Members>,
	{ skipped, once, complete, undeliveredRemedy }: Sending<Members>,
): Promise<INodeExecutionData[]> {
	const { context } = item;
	const memory = sentMemoryOf(context);
	const before = memory?.before;
	// A retry from n8n's list of executions has the memory of the failed one. A person has decided about it there.
	if (before && 'execution' in before && before.execution === context.getExecutionId())
		throw unclearError(context, before);
	let outcome = before && 'items' in before ? before : await skipped?.();
	if (!outcome) {
		guardAgainstLoop(item);
		outcome = once
			? await once(async () => await deliver(item, complete, memory))
			: await deliver(item, complete, memory);
	}
	if ('reason' in outcome) return [{ json: skippedRow(item, outcome) }];
	const { items, undelivered } = outcome;
	if (undelivered && undeliveredRemedy !== undefined)
		throw undeliveredError(context, undelivered, undeliveredRemedy);
	return items;
}
