import type { FunctionsBase, IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type Conversion, type Reading, ValueProblem } from '../values/conversion';

/**
 * Makes the error about one parameter of an item.
 *
 * @param label the parameter's name in the editor
 */
export function fieldError(
	context: Pick<FunctionsBase, 'getNode'> | IExecuteSingleFunctions,
	label: string,
	{ problem, remedy }: ValueProblem,
	itemIndex = 'getItemIndex' in context ? context.getItemIndex() : undefined,
): NodeOperationError {
	return new NodeOperationError(context.getNode(), `${label} ${problem}`, { description: remedy, itemIndex });
}

/** Makes the error about an item that says what people can do. */
export const itemError = (context: IExecuteSingleFunctions, message: string, description: string) =>
	new NodeOperationError(context.getNode(), message, { itemIndex: context.getItemIndex(), description });

/**
 * Converts one value of an item.
 *
 * @param label the parameter's name in the editor
 * @param reading what the item says about the value, beside its time zone
 * @throws NodeOperationError that names the parameter and the item
 */
export function converted<Value>(
	context: IExecuteFunctions | IExecuteSingleFunctions,
	label: string,
	convert: Conversion<Value>,
	value: unknown,
	itemIndex?: number,
	reading: Reading = {},
): Value {
	const result = convert(value, { timeZone: context.getTimezone(), ...reading });
	if (result instanceof ValueProblem) throw fieldError(context, label, result, itemIndex);
	return result;
}
