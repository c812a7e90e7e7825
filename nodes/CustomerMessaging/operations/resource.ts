import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { operationWith } from '../core/declare';
import { routingOf } from '../core/engines';
import { propertiesOf } from '../core/field';
import type { Operation, Operations } from '../core/operation';
import { records } from '../fields/locators';
import { uploadedFile } from '../files/fileFields';
import { labelOf } from '../values/field';

/** Declares an operation of one endpoint. */
export const operation = operationWith({ ...records, files: uploadedFile });

type NamedOperation = Operation & Record<'action' | 'name', string>;

/** A resource: its operations, and the parameters with which the editor shows them. */
export interface Resource {
	/** The name that workflows store. */
	value: string;
	/** The name in the editor. */
	name: string;
	operations: Record<string, NamedOperation>;
	properties: INodeProperties[];
}

/** What stands between the words of an operation and its resource, as in *Add tags to profile*. */
const LINKS: Partial<Record<string, string>> = { Add: 'to', Get: 'of', Remove: 'from', Set: 'of' };

/** Gives an operation the texts that follow from the name that workflows store. */
function nameOperation(key: string, operation: Operation, one: string): NamedOperation {
	const isList = key === 'getAll';
	const { name = labelOf(isList ? 'getMany' : key) } = operation;
	const [verb, ...others] = name.split(' ');
	const link = isList || others.length === 0 || one === '' ? undefined : LINKS[verb];
	const words = [verb, ...others.map((word) => word.toLowerCase()), link, isList ? `${one}s` : one];
	const { action = words.filter(Boolean).join(' ') } = operation;
	return { ...operation, name, action };
}

/**
 * Returns the parameters of operations, each shown only for those that have it, in the order of their fields. One that
 * several have is there once, as far as their orders allow: it keeps its value when the user chooses another operation.
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
			resource: [resource],
			operation: names,
			...Object.fromEntries(own.filter(isEntered)),
		};
		return { ...parameter, displayOptions: { ...displayOptions, show } };
	});
}

interface ResourceTexts<Name extends string> {
	/** Its name in the editor; by default, its value as a label. */
	name?: string;
	/** What a record is called in actions. */
	one?: string;
	/** The operation that a new node has; by default, `getAll`. */
	default?: Name;
	/** The operations that people look for most. */
	first?: readonly Name[];
}

/** Declares a resource with its operations, in the order of the alphabet, by the names that workflows store. */
export function resource<const Named extends Operations>(
	value: string,
	declared: Named,
	texts: ResourceTexts<NoInfer<keyof Named & string>> = {},
): Resource {
	const { name = labelOf(value), one = name.toLowerCase() } = texts;
	const { default: defaultOperation = 'getAll', first = [] } = texts;
	const entries = Object.entries(declared).map(
		([key, operation]) => [key, nameOperation(key, operation, one)] as [string, NamedOperation],
	);
	const placeOf = ([key]: [string, Operation]) => first.indexOf(key) + 1 || first.length + 1;
	const ordered = entries.toSorted((a, b) => placeOf(a) - placeOf(b));
	const options = ordered.map(([key, operation]): INodePropertyOptions => {
		const { name, action, description } = operation;
		return { name, value: key, action, description, routing: routingOf(operation) };
	});
	const operations = Object.fromEntries(entries);
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
				options,
				default: defaultOperation,
			},
			...parametersOf(value, operations),
		],
	};
}
