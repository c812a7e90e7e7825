import type {
	FunctionsBase,
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { isExpression, NodeOperationError } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import { type Parse, type Reading, InvalidValue } from '../values/parse';
import { recordId, wholeId } from '../values/ids';
import { ownMember } from '../values/json';
import { labelOf } from '../values/field';
import { isBlank, quote } from '../values/text';
import type { ItemContext, Setting } from './field';

/** Makes the error about a parameter, by its name in the editor. */
export function fieldError(
	context: Pick<FunctionsBase, 'getNode'> | IExecuteSingleFunctions,
	label: string,
	{ message, hint }: InvalidValue,
	itemIndex = 'getItemIndex' in context ? context.getItemIndex() : undefined,
): NodeOperationError {
	return new NodeOperationError(context.getNode(), `${label} ${message}`, { description: hint, itemIndex });
}

export const itemError = (context: IExecuteSingleFunctions, message: string, description: string) =>
	new NodeOperationError(context.getNode(), message, { itemIndex: context.getItemIndex(), description });

/**
 * Parses a value of an item.
 *
 * @throws NodeOperationError that names the parameter and the item
 */
export function parseField<Value>(
	context: IExecuteFunctions | IExecuteSingleFunctions | IPollFunctions,
	label: string,
	parse: Parse<Value>,
	value: unknown,
	itemIndex?: number,
	reading: Reading = {},
): Value {
	try {
		const countryCode = 'api' in context ? (context as RunContext).api.countryCode : undefined;
		return parse(value, { timeZone: context.getTimezone(), countryCode, ...reading });
	} catch (error) {
		throw error instanceof InvalidValue ? fieldError(context, label, error, itemIndex) : error;
	}
}

/** Waits for what requests find for a parameter. @throws NodeOperationError that names the parameter, if it is unusable */
export async function findField<Value>(
	context: Pick<FunctionsBase, 'getNode'> | IExecuteSingleFunctions,
	label: string,
	finding: Promise<Value>,
): Promise<Value> {
	return await finding.catch((error: unknown) => {
		throw error instanceof InvalidValue ? fieldError(context, label, error) : error;
	});
}

/**
 * Returns why IDs are not meant: one is that of the item itself, such as a profile, and the item names another record in the
 * parameter's place, such as its customer. A fixed ID may be the same by chance.
 *
 * @param name the parameter, such as `customerId`
 * @param given one ID or several
 */
export function mistakenId(
	context: Pick<FunctionsBase, 'getNode'>,
	name: string,
	json: IDataObject,
	given: unknown,
): InvalidValue | undefined {
	const member = name.replace(/Ids?$/, '_id');
	if (!Object.hasOwn(json, member)) return undefined;
	const [own, meant] = [recordId(json.id), wholeId(json[member])];
	if (own === undefined || meant === undefined || own === meant) return undefined;
	const raw = context.getNode().parameters[name];
	const ids = [given].flat().map(recordId);
	// A list of such records may name the item's own by chance.
	if (!ids.includes(own) || ids.includes(meant) || !isExpression(ownMember(raw, 'value') ?? raw))
		return undefined;
	return new InvalidValue(
		`is ${own}, the ID of the item's own record, such as a profile; its ${member} is ${meant}`,
		`Use {{ $json.${member} }} in place of {{ $json.id }}.`,
	);
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
): void {
	const { options } = context.getNode().parameters;
	const written = ownMember(ownMember(ownMember(options, parameter.name), 'values'), name);
	if (typeof written !== 'string' || !written.startsWith('=')) return;
	const parts: string[] = written.match(/\{\{[^]*?\}\}/g) ?? [];
	if (written.slice(1).trim() === parts[0]) return;
	const part = parts.find((one) => {
		const result: unknown = context.evaluateExpression(one, context.getItemIndex());
		return isBlank(result) || Number.isNaN(result);
	});
	if (part === undefined) return;
	const problem = `(${labelOf(name)}) "${quote(value)}" lacks a part: ${quote(part)} gives nothing`;
	const remedy = 'Check that the item has that field. Nothing was sent.';
	throw fieldError(context, parameter.displayName, new InvalidValue(problem, remedy));
}
