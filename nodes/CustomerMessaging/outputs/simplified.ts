import type { INodeExecutionData } from 'n8n-workflow';

import type { Answered } from '../contract/endpoints';
import { setting } from '../runner/field';
import type { Output } from '../runner/operation';
import { boolean } from '../values/booleans';

/** Whether an output is kept to the fields that most workflows need. */
export const simplify = setting('simple', boolean, {
	displayName: 'Simplify',
	name: 'simple',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** Keeps fields in this order; a record that has none of them stays whole, since records are only partly shown. */
function kept(item: INodeExecutionData, fields: readonly string[]): INodeExecutionData {
	const found = fields.filter((field) => field in item.json);
	if (found.length === 0) return item;
	return { ...item, json: Object.fromEntries(found.map((field) => [field, item.json[field]])) };
}

/** An output whose items keep some fields, unless *Simplify* is off. */
export function simplified({ itemsOf }: Output, fields: readonly string[]): Output<typeof simplify> {
	return {
		reads: [simplify],
		keeps: fields,
		itemsOf: (answer, item) => {
			const items = itemsOf(answer, item);
			return item.read(simplify) ? items.map((one) => kept(one, fields)) : items;
		},
	};
}

/** The fields of a profile that most workflows need. That `customer_id` is there is not shown by the interface. */
export const simpleProfileFields = [
	'id',
	'customer_id',
	'name',
	'phone_number',
	'email',
	'date_of_birth',
	'address',
	'marketing_opt_in',
] as const satisfies ReadonlyArray<keyof Answered<'GET /profiles/{id}'> | 'customer_id'>;

/** The fields of a message that most workflows need. */
export const simpleMessageFields = [
	'id',
	'conversation_id',
	'from',
	'status',
	'contents',
	'sent_at',
	'latest_error',
	'ca_template_id',
] as const satisfies ReadonlyArray<keyof Answered<'POST /chatapp/send-template'>>;
