import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { hasErrorOutput } from '../core/errorItems';
import { simplified, type simplify } from '../core/simplified';
import { numberOf } from '../fields/byPhone';
import type { Item, Output } from '../core/item';
import { recordId } from '../values/ids';
import { isFailedMessage, knownError, messageSummary, reasonOf } from '../values/messageSummary';
import { storedDigits } from '../values/phoneNumber';
import { ownMember } from '../values/json';
import { isBlank, stringOf } from '../values/text';
import type { Skip } from './sendingOption';
import type { TemplateBody } from './template/templateChoice';

type MessageItem = Item<never, Pick<TemplateBody, 'customer_id' | 'customer_name' | 'phone_number'>>;

/** Returns what is known of a recipient: from the request, its steps, and the item if it is of that person, or failed before one was read. */
function recipientOf({ context, known, request }: MessageItem) {
	const { body, path, url } = request;
	const { json } = context.getInputData();
	const { customer_id = known.customer_id, customer_name: name = known.name } = body;
	const digits = stringOf(body.phone_number ?? known.phone_number);
	const number = numberOf(json) ?? json.display_id;
	const digitsOfItem = isBlank(number) ? '' : (storedDigits(number) ?? '');
	// A record of a customer has its own ID.
	const own = json.customer_id ?? (json.display_id === undefined ? undefined : json.id);
	const ofItem = own === undefined ? undefined : recordId(own);
	const [wanted, given] =
		path.conversationId !== undefined
			? [path.conversationId, json.conversation_id]
			: customer_id !== undefined
				? [customer_id, ofItem]
				: [digits, digitsOfItem];
	const isPerson = isBlank(wanted) ? url === '' : stringOf(wanted) === stringOf(given);
	return {
		name: stringOf(name) || (isPerson ? stringOf(json.name) : ''),
		phone_number: digits || (isPerson ? digitsOfItem || stringOf(number) : ''),
		customer_id: customer_id ?? (isPerson ? ofItem : undefined),
	};
}

const FIRST = ['result', 'reason', 'name', 'phone_number'];

const COLUMNS = [
	...FIRST,
	...['error_code', 'try_again', 'id', 'conversation_id', 'customer_id'],
	...['status', 'text', 'template', 'language', 'sent_at'],
];

/**
 * Returns the row of a message, the same whatever became of it. Of its first columns, one that is not known is an empty text; of the
 * others, it is left out.
 *
 * @param more the members of the message, or further columns
 */
function rowOf(
	more: IDataObject,
	item: Item<never, object>,
	result?: 'failed' | 'skipped',
	reason = isBlank(more.error) ? '' : reasonOf(more.error),
): IDataObject {
	const { body, path } = item.request;
	const { name, phone_number, customer_id } = recipientOf(item as MessageItem);
	const { error, ...summary } = messageSummary(more, body);
	const row: IDataObject = {
		result: result ?? (error === undefined ? 'sent' : 'undelivered'),
		reason: reason || (error ?? ''),
		name,
		phone_number,
	};
	const conversation_id = path.conversationId && (recordId(path.conversationId) ?? path.conversationId);
	// n8n takes an item with an error for a failure of the node.
	const { error_code, try_again } = { ...summary, ...more };
	const next = { error_code, try_again, id: more.id, conversation_id, customer_id };
	for (const columns of [next, { ...summary }, more])
		for (const [column, value] of Object.entries(columns))
			if (!isBlank(value) && column !== 'error' && !FIRST.includes(column)) row[column] = value;
	return row;
}

/** Returns the row of a message that is not sent. */
export const skippedRow = (item: Item<never, object>, { reason, ...more }: Skip) =>
	rowOf(more, item, 'skipped', reason);

/** Makes the output of an operation that sends messages: one flat row for each item, which says what became of the message. */
export const messageRows = (output: Output): Output<(typeof simplify)[number]> => ({
	...simplified(output, COLUMNS, rowOf),
	failed: (item, error) => {
		const undelivered = ownMember(ownMember(error, 'context'), 'undelivered');
		const known = knownError(ownMember(undelivered, 'latest_error'));
		const row = rowOf({ ...known }, item, 'failed', error.message);
		if (!hasErrorOutput(item.context.getNode())) return row;
		// n8n puts the columns of the input there. An empty one would replace theirs.
		return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''));
	},
});

/** Returns the results of all messages as a hint, if not all were sent. */
export function resultTotals(items: INodeExecutionData[]): string | undefined {
	const counts = new Map<string, number>();
	for (const { json } of items) {
		const result = stringOf(json.result) || (isFailedMessage(json) ? 'undelivered' : 'sent');
		counts.set(result, (counts.get(result) ?? 0) + 1);
	}
	const { sent = 0, ...others } = Object.fromEntries(counts);
	const parts = Object.entries(others).map(([result, count]) => `${count.toLocaleString('en')} ${result}`);
	if (parts.length === 0) return undefined;
	const all = items.length.toLocaleString('en');
	return `${[`${sent.toLocaleString('en')} of ${all} sent`, ...parts].join(', ')}.`;
}
