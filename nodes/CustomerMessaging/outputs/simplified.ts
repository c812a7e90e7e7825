import type { INodeExecutionData } from 'n8n-workflow';

import type { Answered } from '../contract/endpoints';
import { setting } from '../runner/field';
import type { Output } from '../runner/operation';
import { boolean } from '../values/booleans';

/** Whether the output keeps only the fields that most workflows need. */
export const simplify = setting('simple', boolean, {
	displayName: 'Simplify',
	name: 'simple',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/**
 * Keeps these fields in this order. A record with none of them stays complete, because the interface documents records
 * only in part.
 */
function kept(item: INodeExecutionData, fields: readonly string[]): INodeExecutionData {
	const found = fields.filter((field) => field in item.json);
	if (found.length === 0) return item;
	return { ...item, json: Object.fromEntries(found.map((field) => [field, item.json[field]])) };
}

/** Makes an output whose items keep only some fields, unless *Simplify* is off. */
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

/** The profile fields that most workflows need. The interface does not document `customer_id`. */
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

/** The message fields that most workflows need. */
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
