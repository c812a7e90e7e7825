import type { INodeProperties } from 'n8n-workflow';

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
