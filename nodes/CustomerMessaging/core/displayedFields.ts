import {
	type INode,
	type INodeProperties,
	type INodeTypeDescription,
	isExpression,
	NodeHelpers,
} from 'n8n-workflow';

import { boolean } from '../values/choices';
import { isObject, ownMember } from '../values/json';
import { orUndefinedIfInvalid } from '../values/parse';
import type { AnyField, Collection, FindByPhone, ItemContext } from './field';

export const PHONE = 'phone';

/** A field that the node displays, with the path of its value among the node's parameters. */
export interface VisibleField {
	field: Exclude<AnyField, Collection>;
	path: string;
	/** Whether the field always has a value. The user adds the options of a collection one by one. */
	isCertain: boolean;
	/** Finds the record of a locator, if the user gives it by phone number. */
	findByPhone?: FindByPhone;
	/** The values of other parameters with which the field counts for an item, if an expression gives one of them. */
	conditions: Array<{ path: string; values: unknown[] }>;
}

/** Whether a field counts for the item. n8n displays it for all items if an expression decides it. */
export function countsFor(context: ItemContext, { conditions }: VisibleField): boolean {
	return conditions.every(({ path, values }) => {
		const given: unknown = context.getNodeParameter(path, '');
		// An expression may give another word for on or off.
		return values.includes(given) || values.includes(orUndefinedIfInvalid(boolean, given));
	});
}

export const isTool = ({ type }: INode) => type.endsWith('Tool');

/**
 * Returns the displayed fields of an operation, which are the same for all items. `countsFor` decides about one.
 *
 * @param within the collection of the fields, with the values that the user has added
 */
export function visibleFields(
	fields: readonly AnyField[],
	node: INode,
	within?: { name: string; added: object },
): VisibleField[] {
	const { parameters } = node;
	const hasExpression = Object.values(parameters).some(isExpression);
	const conditionsOf = ({ displayOptions }: INodeProperties) => {
		const conditions = Object.entries(displayOptions?.show ?? {})
			.map(([name, values]) => ({ path: name.replace(/^\//, ''), values: values as unknown[] }))
			// Names with @ are facts about the node, which no expression gives. n8n itself tests what is no list of values.
			.filter(({ path, values }) => !path.startsWith('@') && !values.some(isObject));
		return conditions.some(({ path }) => isExpression(parameters[path])) ? conditions : [];
	};
	// Only the name of the description counts, which tells tools apart.
	const description = { name: node.type } as INodeTypeDescription;
	const visible: VisibleField[] = [];
	for (const field of fields) {
		const { parameter } = field;
		const { name } = parameter;
		if (within && !(name in within.added)) continue;
		if (!NodeHelpers.displayParameter(parameters, parameter, node, description, parameters)) continue;
		const value = parameters[name];
		if ('fields' in field) {
			if (isObject(value)) visible.push(...visibleFields(field.fields, node, { name, added: value }));
			continue;
		}
		const byPhone = ownMember(value, 'mode') === PHONE && 'findByPhone' in field;
		visible.push({
			field,
			path: within ? `${within.name}.${name}` : name,
			isCertain: within === undefined,
			findByPhone: byPhone ? field.findByPhone : undefined,
			conditions: hasExpression ? conditionsOf(parameter) : [],
		});
	}
	return visible;
}
