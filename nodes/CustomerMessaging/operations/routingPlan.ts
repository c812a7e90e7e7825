import type {
	IDataObject,
	INode,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodePropertyRouting,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

/** A displayed parameter that has a part in the request. */
export interface RoutedParameter {
	/** Its path below the node's parameters. */
	name: string;
	/** Whether its value stands in a resource locator. */
	isLocator: boolean;
	routing: INodePropertyRouting;
}

type Described = INodeProperties | INodePropertyOptions | INodePropertyCollection;

const isObject = (value: unknown): value is IDataObject => typeof value === 'object' && value !== null;

/**
 * The parameters that make the request of an operation, in the order of the description.
 *
 * They are the same for all items: what is displayed depends on parameters as they stand in the workflow.
 *
 * @param properties those of the description that belong to the operation
 */
export function routingPlan(
	description: INodeTypeDescription,
	properties: INodeProperties[],
	node: INode,
): RoutedParameter[] {
	const { parameters } = node;
	const planned: RoutedParameter[] = [];

	const add = (property: Described, path: string, value: unknown) => {
		const { routing } = property as INodePropertyOptions;
		const isDisplayed = NodeHelpers.displayParameter(
			parameters,
			property as INodeProperties,
			node,
			description,
			parameters,
		);
		if (!isDisplayed) return;
		const type = 'type' in property ? property.type : undefined;
		if (routing) planned.push({ name: path, isLocator: type === 'resourceLocator', routing });
		if (!('options' in property) || !property.options) return;
		if (type === 'options') {
			const chosen = property.options.find((option) => 'value' in option && option.value === value);
			if (chosen) add(chosen, path, undefined);
		}
		if (type === 'collection' && isObject(value)) {
			for (const option of property.options) {
				if (option.name in value) add(option, `${path}.${option.name}`, value[option.name]);
			}
		}
	};

	for (const property of properties) add(property, property.name, (parameters as IDataObject)[property.name]);
	return planned;
}
