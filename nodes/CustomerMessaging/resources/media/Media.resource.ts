import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../runner/declare';
import { addTags } from './addTags.operation';
import { create } from './create.operation';
import { remove } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getTags } from './getTags.operation';
import { removeTag } from './removeTag.operation';
import { setTags } from './setTags.operation';
import { update } from './update.operation';

/** The operations by the name that workflows store. */
export const operations = {
	addTags,
	create,
	delete: remove,
	get,
	getAll,
	getTags,
	removeTag,
	setTags,
	update,
};

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['media'] } },
		options: [
			{
				name: 'Add Tags',
				value: 'addTags',
				action: 'Add tags to media item',
				description: 'Attach tags to a media item and keep those it has already',
				routing: addTags.routing,
			},
			{
				name: 'Create',
				value: 'create',
				action: 'Create media item',
				description: 'Add a file to the media library',
				routing: create.routing,
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete media item',
				description: 'Delete an item of the media library',
				routing: remove.routing,
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get media item',
				description: 'Get one item of the media library by ID',
				routing: get.routing,
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many media items',
				description: 'Get the items of the media library',
				routing: getAll.routing,
			},
			{
				name: 'Get Tags',
				value: 'getTags',
				action: 'Get tags of media item',
				description: 'Get the tags attached to a media item',
				routing: getTags.routing,
			},
			{
				name: 'Remove Tag',
				value: 'removeTag',
				action: 'Remove tag from media item',
				description: 'Detach one tag from a media item',
				routing: removeTag.routing,
			},
			{
				name: 'Set Tags',
				value: 'setTags',
				action: 'Set tags of media item',
				description:
					'Attach exactly the given tags to a media item and detach all others. To keep them, use Add Tags.',
				routing: setTags.routing,
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update media item',
				description: 'Change title, description or file name of a media item',
				routing: update.routing,
			},
		],
		default: 'getAll',
	},
	...shownFor('media', operations),
];
