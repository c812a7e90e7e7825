import {
	type IDataObject,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	type NodeOperationError,
} from 'n8n-workflow';

import { nodeErrorOf, unreadableError } from '../api/errors';
import { UNCLEAR_WRITE } from '../api/failures';
import type { ItemContext } from '../core/field';
import { itemError } from '../core/fieldError';
import type { Item } from '../core/item';
import type { Claim, Skip } from './claim';
import { type Sent, sentMemoryOf, type Undelivered } from './once/sentMemory';
import { allowLoop, ifUndelivered } from './sendingOptions';
import { quoted } from '../n8nInternals/waiting';
import { boolean } from '../values/choices';
import { isObject, ownMember } from '../values/json';
import { isFailedMessage, reasonOf } from '../values/messageSummary';
import { orUndefinedIfInvalid } from '../values/parse';
import { isBlank } from '../values/text';

const TRIGGER = /\.customerMessagingTrigger$/;

/**
 * Stops a workflow that would message a customer forever. The trigger receives all messages that automations send,
 * including those of its own workflow ("Events" 1 of the interface).
 *
 * @throws NodeOperationError when that event started this execution and *Allow Loop* is off
 */
function guardAgainstLoop(item: Item<typeof allowLoop, { from_automation?: unknown }>): void {
	const { context } = item;
	const { from_automation: fromAutomation } = item.request.body;
	// A body of the user's own can hold any value; a tenant may read every value but a clear no as a yes.
	const isOff = orUndefinedIfInvalid(boolean, fromAutomation) === false;
	if (isBlank(fromAutomation) || isOff || item.get(allowLoop)) return;
	const isStart = ({ name, type }: { name: string; type: string }) =>
		TRIGGER.test(type) &&
		context.evaluateExpression(`{{ $(${quoted(name)}).isExecuted }}`, context.getItemIndex()) === true;
	if (!context.getParentNodes(context.getNode().name).some(isStart)) return;
	throw item.error(
		'This message would start its own workflow again, without end',
		'The workflow starts from the Customer Messaging Trigger, which hears every message sent with From Automation. Switch From Automation off, or switch Allow Loop on if another condition ends the loop.',
	);
}

/** Returns what tells of a message if the service did not deliver it. */
function undeliveredOf(message: unknown): Undelivered | undefined {
	if (!isObject(message) || !isFailedMessage(message)) return undefined;
	const { id = null, latest_error = null } = message;
	return { id, latest_error };
}

const NOT_DELIVERED = 'The service accepted the message, but did not deliver it';

const REMEDY =
	'Check the recipient. After the session of a conversation has ended, only a template reaches the customer (Send Template). A retry of this node does not send the message again.';

/** Makes the error about a message that was not delivered. The remedy is what the user can do. */
export function undeliveredError(
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

/** Makes the function that gives the items for a message that the service took. It fails an undelivered one if asked. */
export function whenUndelivered(item: Item<typeof ifUndelivered>) {
	// The message must not go out before the choice is known.
	const { api, context } = item;
	const fails = item.get(ifUndelivered) === 'error';
	return async ({ items, undelivered }: Sent): Promise<INodeExecutionData[]> => {
		if (undelivered && fails) throw undeliveredError(context, undelivered, REMEDY);
		if (undelivered) api.note('were not delivered; each says why');
		return items;
	};
}

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
