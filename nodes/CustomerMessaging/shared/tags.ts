import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { idList, listed } from './ids';

/** One element of a tag set as the interface takes it: an existing tag by `id`, or a new one by `title`. */
export interface TagElement {
	id: number | null;
	title: string | null;
}

/** Titles, or records with `id` and `title`, from a comma list or by expression an array. */
function tagList(context: IExecuteSingleFunctions, parameterName: string): TagElement[] {
	return listed(context.getNodeParameter(parameterName, '')).flatMap((tag): TagElement[] => {
		const { id, title } =
			typeof tag === 'object' && tag !== null ? (tag as IDataObject) : { id: null, title: tag };
		if (id !== null && id !== undefined && id !== '') return [{ id: Number(id), title: null }];
		const typed = String(title ?? '').trim();
		return typed === '' ? [] : [{ id: null, title: typed }];
	});
}

/** The set that the parameters `tagIds` and `tags` make together, not yet matched with the tenant's tags. */
export function tagSet(context: IExecuteSingleFunctions): TagElement[] {
	return [
		...idList(context, 'tagIds', 'Tag Names or IDs').map((id) => ({ id, title: null })),
		...tagList(context, 'tags'),
	];
}

/** A set of tags, read by `tagSet`. */
export const tagParameters: INodeProperties[] = [
	{
		displayName: 'Tag Names or IDs',
		name: 'tagIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getTags' },
		default: [],
		description:
			'Existing tags. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Tags by Title',
		name: 'tags',
		type: 'string',
		default: '',
		placeholder: 'e.g. VIP, Newsletter',
		description: 'Titles of tags, separated by commas; a title that does not exist yet becomes a new tag',
	},
];
