import type { IDataObject, INode, INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Endpoint } from '../contract/endpoints';
import { nodeErrorOf } from '../api/errors';
import { ValueProblem } from '../values/conversion';
import { isObject } from '../values/json';
import { stringOf } from '../values/text';
import { countsFor, displayedFields } from './displayedFields';
import type { AnyField, ItemContext, Setting } from './field';
import { fieldError } from './fieldError';
import { itemRequestOf } from './itemRequest';
import type { Flow, ItemRequest, Output, Read, RunItem } from './operation';
import { leniently, readerOf } from './readSettings';

/** What happened to an item whose write is done, as `Api.note` takes it. */
export const UNREAD = 'were carried out, but the response could not be read';

/** Members of a body that tell whose record is written, where the path does not. */
interface Owners {
	customer_id?: unknown;
	phone_number?: unknown;
	display_id?: unknown;
}

/**
 * Returns what tells the record that a request writes; undefined if it reads or creates. Items for one record are carried
 * out in their order, as n8n's own nodes do.
 */
function recordOf({ method, url, path, body }: ItemRequest<object>): string | undefined {
	if (method === 'GET') return undefined;
	const { customer_id: customer, phone_number: phone, display_id: display } = body as Owners;
	const owner = [customer, phone, display].map(stringOf).filter(Boolean).join(' ');
	const isOfOne = method !== 'POST' || Object.keys(path).length > 0 || owner !== '';
	return isOfOne ? `item ${url} ${owner}` : undefined;
}

export const hasErrorOutput = ({ onError }: INode) => onError === 'continueErrorOutput';

/** Marks the items that `errorItem` has made. n8n neither stores nor passes on a member with a symbol. */
const IS_ERROR = Symbol('error item');

export const isErrorItem = (item: INodeExecutionData) => IS_ERROR in item;

/**
 * Returns the output item of *Continue*, linked to the failed item. n8n sends one with more fields, such as a row of an
 * import, to the error output only if it also has an error beside them. On other outputs that error would replace them.
 */
export function errorItem(error: NodeApiError | NodeOperationError, item: number): INodeExecutionData {
	const { outcome, sent, read, undelivered } = error.context;
	const details: IDataObject = {
		...(error.description && { description: error.description }),
		...(outcome === 'unknown' && { outcome }),
		...(isObject(sent) && { sent }),
		...(isObject(read) && { read }),
		...(isObject(undelivered) && { undelivered }),
	};
	const failed: INodeExecutionData = {
		json: { error: error.message, ...(Object.keys(details).length > 0 && { details }) },
		pairedItem: { item },
	};
	// Not enumerable, so that n8n does not store it.
	Object.defineProperty(failed, IS_ERROR, { value: true });
	if (hasErrorOutput(error.node)) Object.defineProperty(failed, 'error', { value: error });
	return failed;
}

/**
 * Returns the output of a failed item with *Continue*: an item with the error, linked to the failed item.
 *
 * @throws NodeApiError or NodeOperationError that names the item, without *Continue*
 */
export async function failedItem(context: ItemContext, failure: unknown): Promise<INodeExecutionData[]> {
	const item = context.getItemIndex();
	const error = nodeErrorOf(context, failure, item);
	if (!context.continueOnFail()) throw error;
	return [errorItem(error, item)];
}

/** Fails an item whose operation or resource does not exist, or is chosen by an expression. */
export async function refuse(
	context: ItemContext,
	unknown: 'Operation' | 'Resource',
): Promise<INodeExecutionData[]> {
	const problem = new ValueProblem(
		'does not exist, or cannot be chosen by an expression',
		'Choose Resource and Operation from their lists.',
	);
	return await failedItem(context, fieldError(context, unknown, problem));
}

/**
 * Makes the function that runs one item of an operation, and links every output item to it. Without a flow, it sends
 * one request.
 */
export function itemRunner(
	endpoint: Endpoint | ((read: Read<Setting>) => Endpoint),
	fields: readonly AnyField[],
	output: Output<Setting>,
	flow: Flow<Setting> | undefined,
): RunItem {
	return async (context, displayed = displayedFields(fields, context.getNode())) => {
		try {
			const shown = displayed.filter((one) => one.conditions.length === 0 || countsFor(context, one));
			const read = readerOf(context);
			const problems: NodeOperationError[] = [];
			const collects = flow?.collects ?? false;
			const options = await itemRequestOf(
				context,
				typeof endpoint === 'string' ? endpoint : endpoint(read),
				fields,
				shown,
				read,
				!flow,
				collects ? problems : undefined,
			);
			const item = { context, request: options, read: collects ? leniently(read) : read, problems };
			const itemsOf = (content: unknown, sent = options): INodeExecutionData[] => {
				const made = () => output.itemsOf(content, { ...item, request: sent });
				if (sent.method === 'GET') return made();
				try {
					return made();
				} catch {
					// A failure would have the node send again what it has sent.
					context.api.note(UNREAD);
					return [{ json: { success: true } }];
				}
			};
			const shows = (setting: Setting) =>
				shown.some(({ field }) => field.kind === 'setting' && field.path === setting.path);
			const work = async () =>
				flow ? await flow.run({ ...item, shows, output: itemsOf }) : itemsOf(await context.api.send(options));
			const record = recordOf(options);
			const items = await (record === undefined ? work() : context.api.inOrder(record, work));
			const pairedItem = { item: context.getItemIndex() };
			for (const made of items) made.pairedItem = pairedItem;
			return items;
		} catch (failure) {
			return await failedItem(context, failure);
		}
	};
}
