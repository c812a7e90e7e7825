import type {
	IDataObject,
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { isObject, unwrapped } from '../transport/envelope';
import { unreadableError } from '../transport/errors';

/** One record: one item with the record's fields as the service sends them. */
export async function recordPostReceive(
	this: IExecuteSingleFunctions,
	_items: INodeExecutionData[],
	response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	const record = unwrapped(response.body);
	if (!isObject(record)) throw unreadableError(this.getNode(), response, this.getItemIndex());
	return [{ json: record }];
}

/** A list that is read: one item per record. */
export async function listPostReceive(
	this: IExecuteSingleFunctions,
	_items: INodeExecutionData[],
	response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	const records = unwrapped(response.body);
	if (!Array.isArray(records)) throw unreadableError(this.getNode(), response, this.getItemIndex());
	return records.map((record: unknown) => ({
		json: isObject(record) ? record : { value: record as string },
	}));
}

/** The ID that a parameter names; a number where it is one. */
function idOf(context: IExecuteSingleFunctions, parameter: string): number | string {
	const id = String(context.getNodeParameter(parameter, undefined, { extractValue: true })).trim();
	return /^\d+$/.test(id) ? Number(id) : id;
}

/**
 * A write that answers a set: one item with the set as an array, so that an empty set still carries the workflow on.
 *
 * @param owner output field of the record's ID, and the parameter it comes from
 * @param set output field of the set
 */
export function setPostReceive(owner: { field: string; parameter: string }, set: string) {
	return async function (
		this: IExecuteSingleFunctions,
		_items: INodeExecutionData[],
		response: IN8nHttpFullResponse,
	): Promise<INodeExecutionData[]> {
		const records = unwrapped(response.body);
		if (!Array.isArray(records)) throw unreadableError(this.getNode(), response, this.getItemIndex());
		return [{ json: { [owner.field]: idOf(this, owner.parameter), [set]: records as IDataObject[] } }];
	};
}

/** A delete: one item with the ID. What the service answers carries nothing. */
export function deletedPostReceive(parameter: string) {
	return async function (this: IExecuteSingleFunctions): Promise<INodeExecutionData[]> {
		return [{ json: { id: idOf(this, parameter), deleted: true } }];
	};
}

/** The interface's own description: one item with the text as it was sent. */
export async function openApiPostReceive(
	this: IExecuteSingleFunctions,
	_items: INodeExecutionData[],
	response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	return [{ json: { openapi: String(response.body) } }];
}

/** The switch that `simplifyPostReceive` reads. */
export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simple',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/**
 * Keeps the fields that most workflows need, unless *Simplify* is off.
 *
 * @param fields in the order they come out; a record that has none of them stays whole, since records are only partly
 * shown by the interface
 */
export function simplifyPostReceive(fields: string[]) {
	return async function (
		this: IExecuteSingleFunctions,
		items: INodeExecutionData[],
	): Promise<INodeExecutionData[]> {
		if (!this.getNodeParameter('simple', true)) return items;
		return items.map((item) => {
			const kept = Object.fromEntries(
				fields.filter((field) => field in item.json).map((field) => [field, item.json[field]]),
			);
			return Object.keys(kept).length > 0 ? { ...item, json: kept } : item;
		});
	};
}

/** The fields of a profile that most workflows need. */
export const simpleProfileFields = [
	'id',
	'customer_id',
	'name',
	'phone_number',
	'email',
	'date_of_birth',
	'address',
	'marketing_opt_in',
];

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
];

export const simpleProfilePostReceive = simplifyPostReceive(simpleProfileFields);

export const simpleMessagePostReceive = simplifyPostReceive(simpleMessageFields);
