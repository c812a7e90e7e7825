import type { Body } from '../contract/endpoints';
import { setting } from '../runner/field';
import { type Conversion, ValueProblem } from '../values/conversion';
import { idSet, listed } from '../values/ids';
import { isObject } from '../values/json';

/** One element of a tag set in the form of the interface: an existing tag by `id`, or a new tag by `title`. */
export type TagElement = Required<Body<'POST /profiles/{profileId}/tags'>['tags'][number]>;

/**
 * Converts titles, or records with `id` and `title`. The input is a comma-separated list, or an array from an
 * expression.
 */
const tagElements: Conversion<TagElement[]> = (value) => {
	const tags = listed(value);
	if (tags.some((tag) => Array.isArray(tag)))
		return new ValueProblem('contains a list within the list', 'Give titles, e.g. VIP, Newsletter.');
	return tags.flatMap((tag): TagElement[] => {
		const { id, title } = isObject(tag) ? tag : { id: null, title: tag };
		if (id !== null && id !== undefined && id !== '') return [{ id: Number(id), title: null }];
		const typed = String(title ?? '').trim();
		return typed === '' ? [] : [{ id: null, title: typed }];
	});
};

export const tagIds = setting('tagIds', idSet, {
	displayName: 'Tag Names or IDs',
	name: 'tagIds',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getTags' },
	default: [],
	description:
		'Existing tags. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

export const tagTitles = setting('tags', tagElements, {
	displayName: 'Tags by Title',
	name: 'tags',
	type: 'string',
	default: '',
	placeholder: 'e.g. VIP, Newsletter',
	description: 'Titles of tags, separated by commas; a title that does not exist yet becomes a new tag',
});

/** The settings of a tag set: IDs and titles together. */
export const tagSet = [tagIds, tagTitles] as const;
