import { type IDataObject, NodeApiError, type NodeOperationError } from 'n8n-workflow';

import { Failure, nodeErrorOf, unreadableError } from '../api/errors';
import { type ItemContext, setting, type Setting } from '../core/field';
import { itemError } from '../core/fieldError';
import type { Item } from '../core/item';
import { choice } from '../values/choices';
import { isObject, ownMember } from '../values/json';
import { isFailedMessage, reasonOf } from '../values/messageSummary';
import { isBlank } from '../values/text';
import { consentGuard } from './consentGuard';
import { allowLoop, fromAutomation } from './loopGuard';
import { skippedRow } from './messageRow';
import { sendingHours } from './sendingHours';
import type { Send, SendingOption, Sent, SettingOf } from './sendingOption';
import { sendOnce } from './sendOnce';
import { sentMemoryOf, type Unclear } from './sentMemory';

const ifUndelivered = setting(
	'options.ifUndelivered',
	...choice(
		{ continue: 'The item continues with the reason', error: ['Fail', 'The item fails with the reason'] },
		'continue',
	),
);

/** What can be sent later comes before a look at the consent, and a key is taken for what goes out. */
const GUARDS: readonly SendingOption[] = [sendingHours, consentGuard, allowLoop, sendOnce];

/** The options of a message, and of a template. */
export const messageOptions = [sendingHours, allowLoop, sendOnce, fromAutomation, ifUndelivered] as const;
export const templateOptions = [...messageOptions, consentGuard] as const;

export type MessageOption = SettingOf<(typeof messageOptions)[number]>;
export type TemplateOption = SettingOf<(typeof templateOptions)[number]>;

const NOT_DELIVERED = 'The service accepted the message, but did not deliver it';

const UNDELIVERED_REMEDY =
	'Check the recipient. After the session of a conversation has ended, only a template reaches the customer (Send Template). A retry of this node does not send the message again.';

function undeliveredError(
	context: ItemContext,
	undelivered: IDataObject,
	remedy = UNDELIVERED_REMEDY,
): NodeOperationError {
	const reason = reasonOf(undelivered.latest_error);
	const original = ownMember(undelivered.latest_error, 'original_message');
	const details = typeof original === 'string' && original !== reason ? ` (${original})` : '';
	const error = itemError(context, reason || NOT_DELIVERED, `${NOT_DELIVERED}${details}.\n${remedy}`);
	error.context.undelivered = undelivered;
	return error;
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

/** Makes the final body; uploads belong here. */
type Complete = (item: Item<never, object>) => Promise<object>;

/** Sends the message, and remembers what became of it. */
async function deliver(
	item: Item<never, object>,
	complete: Complete,
	memory: ReturnType<typeof sentMemoryOf> | undefined,
): Promise<Sent> {
	const { api, context, request } = item;
	const body = await complete(item).catch(failBefore);
	let message: unknown;
	try {
		({ content: message } = await api.send({ ...request, body }));
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
 * again. The options of a message that the node displays decide about it.
 *
 * @param undeliveredRemedy with which a message that was not delivered fails its item, whatever *If Undelivered* says
 * @throws NodeOperationError when an option refuses the message, or it was not delivered and that fails the item
 * @throws NodeApiError when the request fails, or its outcome is unknown; it then contains the sent body
 */
export async function sendMessage(
	given: Item<never, object>,
	complete: Complete,
	undeliveredRemedy?: string,
): Promise<Sent & { isSkipped?: boolean }> {
	const item = given as Item<Setting, object>;
	const { context } = item;
	const memory = context.getNode().retryOnFail ? sentMemoryOf(context) : undefined;
	const before = memory?.before;
	// A retry from n8n's list of executions has the memory of the failed one. A person has decided about it there.
	if (before && 'execution' in before && before.execution === context.getExecutionId())
		throw unclearError(context, before);
	let send: Send = async () => await deliver(item, complete, memory);
	for (const option of GUARDS.toReversed()) {
		const { watches } = option;
		if (watches ? ownMember(item.request.body, watches) !== true : !item.shows(option)) continue;
		const next = send;
		send = async () => await option.guard(item, next);
	}
	const outcome = before && 'items' in before ? before : await send();
	if ('reason' in outcome) return { items: [{ json: skippedRow(item, outcome) }], isSkipped: true };
	const { undelivered } = outcome;
	const fails = undeliveredRemedy !== undefined || item.get(ifUndelivered) === 'error';
	if (undelivered && fails) throw undeliveredError(context, undelivered, undeliveredRemedy);
	return outcome;
}
