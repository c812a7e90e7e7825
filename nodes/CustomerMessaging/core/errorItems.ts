import type { IDataObject, INode, INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { MAX_DESCRIPTION, MAX_MESSAGE, nodeErrorOf, redactIn } from '../api/errors';
import { isObject } from '../values/json';
import { InvalidValue } from '../values/parse';
import { cut, sentences, stringOf } from '../values/text';
import { isTool } from './displayedFields';
import type { ItemContext } from './field';
import { fieldError } from './fieldError';

export const hasErrorOutput = ({ onError }: INode) => onError === 'continueErrorOutput';

/** Marks the items that `errorItem` has made. n8n neither stores nor passes on a member with a symbol. */
export const IS_ERROR = Symbol('error item');

type NodeError = NodeApiError | NodeOperationError;

/**
 * Returns the output item of *Continue*, linked to the failed item. n8n sends one with more fields, such as a row of an
 * import, to the error output only if it also has an error beside them. On other outputs that error would replace them.
 */
export function errorItem(error: NodeError, item: number, fields: IDataObject = {}): INodeExecutionData {
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

/** Moves what to do into the message of an error: models and lists of the editor show nothing else. */
export function withRemedyInMessage(error: NodeError): NodeError {
	const lines = stringOf(error.description).split('\n');
	if (error.description) error.message = cut(sentences([error.message, ...lines]), MAX_MESSAGE);
	return Object.assign(error, { description: undefined });
}

/** Says of an error before a send that nothing was sent, and how to go on. A model cannot change the node. */
export function withWayOn(error: NodeError): NodeError {
	const given = stringOf(error.description);
	const unsent = /nothing was/i.test(`${error.message} ${given}`) ? '' : 'Nothing was sent for this item.';
	const wayOn = isTool(error.node) ? '' : 'To go on without such items, set On Error to Continue.';
	return Object.assign(error, { description: cut(sentences([given, unsent, wayOn]), MAX_DESCRIPTION) });
}

/**
 * Returns the output of a failed item with *Continue*: an item with the error, linked to the failed item.
 *
 * @param isUnsent whether the error is about a value of the item, and came before a send
 * @throws NodeApiError or NodeOperationError that names the item, without *Continue*
 */
export async function failedItem(
	context: ItemContext,
	failure: unknown,
	fieldsOf: (error: Error) => IDataObject = () => ({}),
	isUnsent = false,
): Promise<INodeExecutionData[]> {
	const item = context.getItemIndex();
	const error = nodeErrorOf(context, failure, item);
	// What is no error of this package, such as of an expression, stays as n8n has it.
	if (!context.continueOnFail()) throw isUnsent && failure === error ? withWayOn(error) : error;
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
