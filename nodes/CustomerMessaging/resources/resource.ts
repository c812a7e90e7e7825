import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { propertiesOf } from '../runner/field';
import type { Operation, Operations } from '../runner/operation';

/** A resource: its operations, and the parameters with which the editor shows them. */
export interface Resource {
	/** The name that workflows store. */
	value: string;
	/** The name in the editor. */
	name: string;
	operations: Operations;
	properties: INodeProperties[];
}

/**
 * Returns the parameters of operations. The editor shows each parameter only for the operations that have it, in the
 * order of their fields.
 *
 * A parameter that several operations have is there once, as far as their orders allow: it then keeps its value when the
 * user chooses another operation, and n8n reads and shows less.
 */
function parametersOf(resource: string, operations: Operations): INodeProperties[] {
	const all: Array<{ parameter: INodeProperties; content: string; names: string[] }> = [];
	// By the names that workflows store, which never change.
	for (const name of Object.keys(operations).sort()) {
		let next = 0;
		for (const parameter of propertiesOf(operations[name].fields)) {
			const content = JSON.stringify(parameter);
			const at = all.findIndex((one, index) => index >= next && one.content === content);
			if (at >= 0) all[at].names.push(name);
			else all.splice(next, 0, { parameter, content, names: [name] });
			next = (at >= 0 ? at : next) + 1;
		}
	}
	return all.map(({ parameter: { displayOptions, ...parameter }, names }) => {
		// n8n looks no further than to a condition on a parameter that an expression gives, and counts it as met. What people
		// choose comes first, and what they enter last.
		const own = Object.entries(displayOptions?.show ?? {});
		const isEntered = ([, values = []]: (typeof own)[number]) =>
			values.some((value) => typeof value === 'object');
		const show = {
			...Object.fromEntries(own.filter((one) => !isEntered(one))),
			...{ resource: [resource], operation: names },
			...Object.fromEntries(own.filter(isEntered)),
		};
		return { ...parameter, displayOptions: { ...displayOptions, show } };
	});
}

/** Returns the entry of an operation in n8n's lists. */
function optionOf([value, { name, action, description, routing }]: [
	string,
	Operation,
]): INodePropertyOptions {
	return { name, value, action, description, routing };
}

interface ResourceTexts<Name extends string> {
	name: string;
	default: Name;
	first?: readonly Name[];
}

/**
 * Declares a resource.
 *
 * @param value the name that workflows store
 * @param texts its name in the editor, the operation that a new node has, and those that people look for most, which come first
 * @param operations in the order of the alphabet, by the names that workflows store
 */
export function resource<const Named extends Operations>(
	value: string,
	{ name, default: usual, first = [] }: ResourceTexts<NoInfer<keyof Named & string>>,
	operations: Named,
): Resource {
	const placeOf = ([operation]: [string, Operation]) => first.indexOf(operation) + 1 || first.length + 1;
	const ordered = Object.entries(operations).sort((one, other) => placeOf(one) - placeOf(other));
	return {
		value,
		name,
		operations,
		properties: [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: [value] } },
				options: ordered.map(optionOf),
				default: usual,
			},
			...parametersOf(value, operations),
		],
	};
}
