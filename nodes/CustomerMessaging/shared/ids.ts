import type { IDataObject, IExecuteFunctions, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { preSend } from '../transport/preSend';
import { type Conversion, ValueProblem } from './values';

/** The elements of a set, given as an array, a comma list or a single value. */
export function listed(value: unknown): unknown[] {
	if (value === undefined || value === null || value === '') return [];
	if (Array.isArray(value)) return value;
	if (typeof value === 'string') return value.split(',');
	return [value];
}

/** One ID as the interface takes it in a body. */
export const integerId: Conversion = (value) =>
	/^\d+$/.test(String(value).trim())
		? Number(value)
		: new ValueProblem(
				'is not a whole number',
				'Choose a record from the list or enter its numeric ID, e.g. 42.',
			);

/**
 * IDs from a multi-select, or by expression from an array (of IDs or of records), a comma list or a single ID.
 *
 * @param label the parameter's name as the editor shows it
 * @param item index of the item, where a context has several
 * @throws NodeOperationError when one of them is not a whole number
 */
export function idList(
	context: IExecuteFunctions | IExecuteSingleFunctions,
	parameterName: string,
	label: string,
	item?: number,
): number[] {
	const itemIndex = item ?? (context as IExecuteSingleFunctions).getItemIndex();
	const given =
		item === undefined
			? (context as IExecuteSingleFunctions).getNodeParameter(parameterName, [])
			: (context as IExecuteFunctions).getNodeParameter(parameterName, item, []);
	const ids = listed(given)
		.map((id) => (typeof id === 'object' && id !== null ? (id as IDataObject).id : id))
		.map((id) => String(id).trim())
		.filter((id) => id !== '');
	const wrong = ids.find((id) => !/^\d+$/.test(id));
	if (wrong !== undefined) {
		throw new NodeOperationError(context.getNode(), `${label} contains "${wrong}", which is not an ID`, {
			itemIndex,
			description:
				'IDs are whole numbers: choose from the list, or give an array or a comma-separated list of IDs, e.g. 3, 14.',
		});
	}
	return [...new Set(ids.map(Number))];
}

/**
 * Pre-send that puts a set of IDs into the body.
 *
 * @param element how the interface writes one of them at this place
 */
export function idListPreSend(
	property: string,
	parameterName: string,
	label: string,
	element: (id: number) => number | IDataObject = (id) => id,
) {
	return preSend((context, options) => ({
		...options,
		body: {
			...(options.body as IDataObject),
			[property]: idList(context, parameterName, label).map(element),
		},
	}));
}

/** The groups of a set. */
export const groupIds: INodeProperties = {
	displayName: 'Group Names or IDs',
	name: 'groupIds',
	type: 'multiOptions',
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	typeOptions: { loadOptionsMethod: 'getGroups' },
	default: [],
};

/** The users of a set. */
export const userIds: INodeProperties = {
	displayName: 'User Names or IDs',
	name: 'userIds',
	type: 'multiOptions',
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	typeOptions: { loadOptionsMethod: 'getUsers' },
	default: [],
};

/** The customers of a set. */
export const customerIds: INodeProperties = {
	displayName: 'Customer Names or IDs',
	name: 'customerIds',
	type: 'multiOptions',
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	typeOptions: { loadOptionsMethod: 'getCustomers' },
	default: [],
};
