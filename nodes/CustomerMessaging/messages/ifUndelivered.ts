import type { NodeOperationError } from 'n8n-workflow';

import { type ItemContext, setting } from '../core/field';
import { itemError } from '../core/fieldError';
import { choice } from '../values/choices';
import { ownMember } from '../values/json';
import { reasonOf } from '../values/messageSummary';
import type { Undelivered } from './sendingOption';

export const ifUndelivered = setting(
	'options.ifUndelivered',
	...choice(
		{ continue: 'The item continues with the reason', error: ['Fail', 'The item fails with the reason'] },
		'continue',
	),
);

const NOT_DELIVERED = 'The service accepted the message, but did not deliver it';

/** What the user can do about a message that was not delivered. */
export const UNDELIVERED_REMEDY =
	'Check the recipient. After the session of a conversation has ended, only a template reaches the customer (Send Template). A retry of this node does not send the message again.';

/** Makes the error about a message that was not delivered. */
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
