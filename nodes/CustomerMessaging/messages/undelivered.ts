import type { IDataObject, INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { ItemContext } from '../core/field';
import { itemError } from '../core/fieldError';
import type { Item } from '../core/item';
import { isObject, ownMember } from '../values/json';
import { isFailedMessage, reasonOf } from '../values/messageSummary';
import { ifUndelivered } from './sendingOptions';

interface Undelivered {
	id: IDataObject[string];
	latest_error: IDataObject[string];
}

export interface Sent {
	items: INodeExecutionData[];
	undelivered?: Undelivered;
}

/** Returns what tells of a message if the service did not deliver it. */
export function undeliveredOf(message: unknown): Undelivered | undefined {
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
