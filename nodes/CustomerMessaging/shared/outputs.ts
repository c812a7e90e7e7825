import type {
	IDataObject,
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import { unreadableError } from '../transport/errors';

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What an answer carries, out of its `data` wrapper where it has one (conventions 2 to 6 of the interface). A record
 * that comes without a wrapper is told apart by its own `id`.
 */
export function unwrapped(body: unknown): unknown {
	return isObject(body) && 'data' in body && !('id' in body) ? body.data : body;
}

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
		const id = Number(this.getNodeParameter(owner.parameter, undefined, { extractValue: true }));
		return [{ json: { [owner.field]: id, [set]: records as IDataObject[] } }];
	};
}
