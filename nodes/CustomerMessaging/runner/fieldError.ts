import type { FunctionsBase, IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type Conversion, type Reading, ValueProblem } from '../values/conversion';
import { ownMember } from '../values/json';
import { labelOf } from '../values/parameter';
import { shown } from '../values/text';
import type { ItemContext, Setting } from './field';

/** Makes the error about a parameter, by its name in the editor. */
export function fieldError(
	context: Pick<FunctionsBase, 'getNode'> | IExecuteSingleFunctions,
	label: string,
	{ problem, remedy }: ValueProblem,
	itemIndex = 'getItemIndex' in context ? context.getItemIndex() : undefined,
): NodeOperationError {
	return new NodeOperationError(context.getNode(), `${label} ${problem}`, { description: remedy, itemIndex });
}

export const itemError = (context: IExecuteSingleFunctions, message: string, description: string) =>
	new NodeOperationError(context.getNode(), message, { itemIndex: context.getItemIndex(), description });

/**
 * Converts a value of an item.
 *
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

/**
 * Refuses a value of an option that is written as text with expressions in it, if one gives nothing: n8n leaves it out
 * silently.
 */
export function requireParts(
	context: ItemContext,
	{ parameter }: Setting,
	name: string,
	value: string,
	isNothing: (result: unknown) => boolean,
): void {
	const { options } = context.getNode().parameters;
	const written = ownMember(ownMember(ownMember(options, parameter.name), 'values'), name);
	if (typeof written !== 'string' || !written.startsWith('=')) return;
	const parts: string[] = written.match(/\{\{[^]*?\}\}/g) ?? [];
	if (written.slice(1).trim() === parts[0]) return;
	const part = parts.find((one) => isNothing(context.evaluateExpression(one, context.getItemIndex())));
	if (part === undefined) return;
	const problem = `(${labelOf(name)}) "${shown(value)}" lacks a part: ${shown(part)} gives nothing`;
	const remedy = 'Check that the item has that field. Nothing was sent.';
	throw fieldError(context, parameter.displayName, new ValueProblem(problem, remedy));
}
