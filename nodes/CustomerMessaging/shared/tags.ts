import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';

import { parameterError } from '../transport/parameters';

/** One element of a tag set as the interface takes it: an existing tag by `id`, or a new one by `title`. */
export interface TagElement {
	id: number | null;
	title: string | null;
}

function listed(value: unknown): unknown[] {
	if (value === undefined || value === null || value === '') return [];
	if (Array.isArray(value)) return value;
	if (typeof value === 'string') return value.split(',');
	return [value];
}

/**
 * IDs from a multi-select, or by expression from an array, a comma list or a single ID.
 *
 * @throws NodeOperationError when one of them is not a whole number
 */
export function idList(context: IExecutePaginationFunctions, parameterName: string, label: string): number[] {
	const ids = listed(context.getNodeParameter(parameterName, []))
		.map((id) => (typeof id === 'object' && id !== null ? (id as IDataObject).id : id))
		.map((id) => String(id).trim())
		.filter((id) => id !== '');
	const wrong = ids.find((id) => !/^\d+$/.test(id));
	if (wrong !== undefined) {
		throw parameterError(
			context,
			label,
			`contains "${wrong}", which is not an ID`,
			'IDs are whole numbers: choose from the list, or give an array or a comma-separated list of IDs, e.g. 3, 14.',
		);
	}
	return [...new Set(ids.map(Number))];
}

/** Titles, or records with `id` and `title`, from a comma list or by expression an array. */
function tagList(context: IExecutePaginationFunctions, parameterName: string): TagElement[] {
	return listed(context.getNodeParameter(parameterName, '')).flatMap((tag): TagElement[] => {
		const { id, title } =
			typeof tag === 'object' && tag !== null ? (tag as IDataObject) : { id: null, title: tag };
		if (id !== null && id !== undefined && id !== '') return [{ id: Number(id), title: null }];
		const typed = String(title ?? '').trim();
		return typed === '' ? [] : [{ id: null, title: typed }];
	});
}

/** The set that the parameters `tagIds` and `tags` make together, not yet matched with the tenant's tags. */
export function tagSet(context: IExecutePaginationFunctions): TagElement[] {
	return [
		...idList(context, 'tagIds', 'Tag Names or IDs').map((id) => ({ id, title: null })),
		...tagList(context, 'tags'),
	];
}
