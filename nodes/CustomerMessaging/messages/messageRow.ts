import type { IDataObject } from 'n8n-workflow';

import { simplified } from '../core/simplified';
import { numberOf } from '../fields/profileSearch';
import type { ItemContext } from '../core/field';
import type { Output } from '../core/item';
import { type RecordId, recordId } from '../values/ids';
import { isFailedMessage, messageSummary, reasonOf, SIMPLE_MESSAGE_NAMES } from '../values/messageSummary';
import { storedDigits } from '../values/phoneNumber';
import { textOrNothing } from '../values/text';
import type { TemplateBody } from './template/templateChoice';

export interface Recipient {
	customer_id?: RecordId;
	customer_name?: string;
	phone_number?: RecordId;
}

/** Returns what is known of a recipient: from the request, and from the input item if it is a record of that person. */
function recipientOf(
	context: ItemContext,
	{ customer_id: customer, customer_name: name, phone_number: number }: Recipient,
) {
	const { json } = context.getInputData();
	const digits = storedDigits(number);
	const digitsOfItem = storedDigits(numberOf(json) ?? json.display_id);
	// A record of a customer has its own ID.
	const ofItem = recordId(json.customer_id ?? (json.display_id === undefined ? undefined : json.id));
	const isPerson =
		customer === undefined
			? digits !== undefined && digits === digitsOfItem
			: ofItem !== undefined && String(ofItem) === String(customer);
	return {
		name: textOrNothing(name) ?? (isPerson ? textOrNothing(json.name) : undefined) ?? null,
		phone_number: digits ?? (isPerson ? digitsOfItem : undefined) ?? null,
		customer_id: customer ?? (isPerson ? ofItem : undefined) ?? null,
	};
}

/** Returns the row of a message that was not sent. */
export function skippedRow(
	context: ItemContext,
	body: Recipient & Pick<Partial<TemplateBody>, 'template_name' | 'template_language'>,
	{ result, reason, ...others }: IDataObject,
): IDataObject {
	const { name, phone_number, customer_id } = recipientOf(context, body);
	const { template_name: template = null, template_language: language = null } = body;
	return { name, phone_number, result, reason, customer_id, template, language, ...others };
}

/** Returns the item of a conversation's message that was not sent: the fields of one that was, as far as they are known. */
export const skippedMessage = (conversationId: string, sent: object, json: IDataObject): IDataObject => ({
	// n8n takes an item with an error for a failure.
	...Object.fromEntries(SIMPLE_MESSAGE_NAMES.filter((name) => name !== 'error').map((name) => [name, null])),
	...messageSummary({}, sent),
	conversation_id: recordId(conversationId) ?? conversationId,
	...json,
});

const NAMES = [
	...['name', 'phone_number', 'result', 'reason', 'id', 'conversation_id', 'customer_id', 'status'],
	...['text', 'template', 'language', 'sent_at'],
];

/** Makes the output of an operation that sends to many people: one flat row for each, which says what became of the message. */
export const messageRows = (output: Output) =>
	simplified(output, NAMES, (json, sent, context) => {
		const { name, phone_number, customer_id } = recipientOf(context, sent);
		// n8n takes an item with an error for a failure of the node.
		const { error: own, ...message } = json;
		const { error, ...summary }: IDataObject = { ...messageSummary(json, sent) };
		const result = isFailedMessage(json) ? 'failed' : 'sent';
		const row = { name, phone_number, result, reason: reasonOf(own) || (error ?? null) };
		return { ...row, ...summary, ...message, ...row, customer_id: json.customer_id ?? customer_id };
	});
