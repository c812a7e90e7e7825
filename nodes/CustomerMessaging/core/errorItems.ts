import type { IDataObject, INode, INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { nodeErrorOf, redactIn } from '../api/errors';
import { isObject } from '../values/json';
import { InvalidValue } from '../values/parse';
import type { ItemContext } from './field';
import { fieldError } from './fieldError';

export const hasErrorOutput = ({ onError }: INode) => onError === 'continueErrorOutput';

/** Marks the items that `errorItem` has made. n8n neither stores nor passes on a member with a symbol. */
export const IS_ERROR = Symbol('error item');

/**
 * Returns the output item of *Continue*, linked to the failed item. n8n sends one with more fields, such as a row of an
 * import, to the error output only if it also has an error beside them. On other outputs that error would replace them.
 */
export function errorItem(
	error: NodeApiError | NodeOperationError,
	item: number,
	fields: IDataObject = {},
): INodeExecutionData {
	const { outcome, sent, read, undelivered } = error.context;
	const details: IDataObject = {
		...(error.description && { description: error.description }),
		...(outcome === 'unknown' && { outcome }),
		...(isObject(sent) && { sent }),
		...(isObject(read) && { read }),
		...(isObject(undelivered) && { undelivered }),
	};
	const failed: INodeExecutionData = {
		json: { ...fields, error: error.message, ...(Object.keys(details).length > 0 && { details }) },
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
export async function failedItem(
	context: ItemContext,
	failure: unknown,
	fieldsOf: (error: Error) => IDataObject = () => ({}),
): Promise<INodeExecutionData[]> {
	const item = context.getItemIndex();
	const error = nodeErrorOf(context, failure, item);
	if (!context.continueOnFail()) throw error;
	const fields = redactIn(fieldsOf(error), context.api.redact) as IDataObject;
	return [errorItem(error, item, fields)];
}

/** Fails an item whose operation or resource does not exist, or is chosen by an expression. */
export async function refuse(
	context: ItemContext,
	unknown: 'Operation' | 'Resource',
): Promise<INodeExecutionData[]> {
	const invalid = new InvalidValue(
		'does not exist, or cannot be chosen by an expression',
		'Choose Resource and Operation from their lists.',
	);
	return await failedItem(context, fieldError(context, unknown, invalid));
}
