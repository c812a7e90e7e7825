import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import { fillPath } from './parameters';
import { errorItem, nodeError } from './errors';
import { throwPreSendFailure } from './preSend';
import { request } from './request';

type RequestData = DeclarativeRestApiSettings.ResultOptions;

/** What one item does: one request, or a few that depend on each other. Gets the item's request with its path filled in. */
export type ItemFlow = (
	this: IExecutePaginationFunctions,
	options: IHttpRequestOptions,
	requestData: RequestData,
) => Promise<INodeExecutionData[]>;

/** Leaves optional fields out that were added but not filled in; `null` stays, it clears a field. */
function withoutEmptyFields(fields: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined),
	);
}

function isPlainObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function readyToSend(
	context: IExecutePaginationFunctions,
	options: IHttpRequestOptions,
): IHttpRequestOptions {
	return {
		...options,
		url: fillPath(context, options.url),
		qs: withoutEmptyFields((options.qs as IDataObject | undefined) ?? {}),
		body: isPlainObject(options.body) ? withoutEmptyFields(options.body) : options.body,
	};
}

/**
 * Runs the operation's post-receive functions over an answer.
 *
 * @returns the items of this answer; without functions, the body as one item
 */
export async function received(
	context: IExecutePaginationFunctions,
	requestData: RequestData,
	response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	let items: INodeExecutionData[] = [{ json: response.body as IDataObject }];
	for (const { actions } of requestData.postReceive) {
		for (const action of actions) {
			if (typeof action === 'function') items = await action.call(context, items, response);
		}
	}
	return items;
}

/**
 * What a failed item gives out with *Continue*: an item with the error, linked to it.
 *
 * @throws the failure as an n8n error that names the item, unless the node goes on
 */
export function itemFailure(context: IExecutePaginationFunctions, failure: unknown): INodeExecutionData[] {
	const item = context.getItemIndex();
	const error = nodeError(context.getNode(), failure, item);
	if (!context.continueOnFail()) throw error;
	return [errorItem(error, item)];
}

/**
 * Makes the function that n8n's routing engine calls in place of its own request, for one item, after the pre-sends.
 *
 * Links every item that comes out to the item that went in, errors of continue-on-fail included (the engine leaves
 * those unlinked).
 */
export function sendWith(flow: ItemFlow) {
	return async function (
		this: IExecutePaginationFunctions,
		requestData: RequestData,
	): Promise<INodeExecutionData[]> {
		const item = this.getItemIndex();
		try {
			const options = requestData.options as IHttpRequestOptions;
			throwPreSendFailure(options);
			const items = await flow.call(this, readyToSend(this, options), requestData);
			const pairedItem = { item };
			for (const output of items) output.pairedItem = pairedItem;
			return items;
		} catch (failure) {
			return itemFailure(this, failure);
		}
	};
}

/** One request per item: the way of every plain operation. */
export const send = sendWith(async function (options, requestData) {
	return await received(this, requestData, await request(this, options));
});
