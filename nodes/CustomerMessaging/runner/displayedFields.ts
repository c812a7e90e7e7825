import { type INode, type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { isObject } from '../values/json';
import type { AnyField, Collection } from './field';

/** A field that the node displays, with the path of its value among the node's parameters. */
export interface DisplayedField {
	field: Exclude<AnyField, Collection>;
	path: string;
	/** Whether the node displays it for every item. An expression that decides it may hide it for some items. */
	isCertain: boolean;
}

/**
 * Returns the fields of an operation that a node displays, in their order.
 *
 * They are the same for all items, because n8n decides from the parameters as the workflow stores them.
 */
export function displayedFields(fields: readonly AnyField[], node: INode): DisplayedField[] {
	const { parameters } = node;
	const isExpression = (name: string) => {
		const value = parameters[name.replace(/^\//, '')];
		return typeof value === 'string' && value.startsWith('=');
	};
	const isCertain = ({ displayOptions }: INodeProperties) =>
		!Object.keys(displayOptions?.show ?? {}).some(isExpression);
	const isDisplayed = (parameter: INodeProperties) =>
		NodeHelpers.displayParameter(parameters, parameter, node, null, parameters);
	return fields.flatMap((field): DisplayedField[] => {
		const parameter = field.kind === 'open' ? field.parameters[0] : field.parameter;
		if (!isDisplayed(parameter)) return [];
		if (field.kind !== 'collection') {
			return [{ field, path: parameter.name, isCertain: isCertain(parameter) }];
		}
		const added = parameters[parameter.name];
		return field.fields.flatMap((one) =>
			isObject(added) && one.parameter.name in added && isDisplayed(one.parameter)
				? [{ field: one, path: `${parameter.name}.${one.parameter.name}`, isCertain: false }]
				: [],
		);
	});
}
