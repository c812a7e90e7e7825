import { bodySet, setting } from '../core/field';
import {
	groupSet,
	idElement,
	idSet,
	type RecordId,
	recordId,
	setOfEach,
	setOfIds,
	titleElement,
} from '../values/ids';
import { isObject } from '../values/json';
import { orUndefinedIfInvalid, type Parse } from '../values/parse';
import { isBlank, text } from '../values/text';
import { findIn, isName } from './byName';

/** Makes the parameter of a set whose elements the tenant can list. */
export const setParameter = (displayName: string, name: string, loadOptionsMethod: string) => ({
	displayName,
	name,
	type: 'multiOptions' as const,
	typeOptions: { loadOptionsMethod },
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
});

/** The groups of a profile. */
export const groupsOfProfile = {
	...bodySet('groups', groupSet, setParameter('Group Names or IDs', 'groupIds', 'getGroups')),
	findByName: findIn('groups', { isSet: true }),
};

/** The users of a customer. */
export const usersOfCustomer = {
	...bodySet('user_ids', idSet, setParameter('User Names or IDs', 'userIds', 'getUsers')),
	findByName: findIn('users', { isSet: true }),
};

/**
 * A tag as the user gives it. If the ID is none of the tenant's, it is the tag with this title, from another system. An empty ID
 * stands for the existing tag with the title.
 */
export interface GivenTag {
	id: RecordId | null;
	title: string | null;
}

/** Parses a title, or a record with `id`, `title` or both. */
const tagElement: Parse<GivenTag> = (element) => {
	const { id = null, title = null } = isObject(element) ? element : {};
	if (isBlank(id)) return { id: null, title: titleElement(element) };
	const name = orUndefinedIfInvalid(titleElement, title) ?? null;
	// Only a text can be the ID of another system's record. It needs a title.
	const foreign = typeof id === 'string' && name !== null ? recordId(id) : undefined;
	return { id: foreign ?? idElement(element), title: name };
};

/** Parses an ID, a title, or a record with an ID. With its title, the record may come from another system. */
const tagId: Parse<GivenTag> = (element) => {
	if (isName(element)) return { id: '', title: titleElement(element) };
	const title = isObject(element) ? orUndefinedIfInvalid(titleElement, element) : undefined;
	return { id: idElement(element), title: title ?? null };
};

export const tagIds = setting(
	'tagIds',
	setOfIds(tagId),
	{
		// A model meets one field for tags.
		displayOptions: { hide: { '@tool': [true] } },
		...setParameter('Existing Tag Names or IDs', 'tagIds', 'getTags'),
	},
	'tags.id',
);

/** Titles, or records with `id` and `title`: a list in text, or an array from an expression. */
export const tagTitles = setting(
	'tags',
	setOfEach(tagElement),
	{
		displayName: 'New or Existing Tags by Title',
		placeholder: 'e.g. VIP, Newsletter',
		description: 'Separated by commas. New ones are created.',
	},
	'tags',
);

export const separator = setting('options.separator', (value) => text(value ?? ''), {
	placeholder: 'e.g. /',
	description: 'For titles with a comma in them',
});

export const tagSet = [tagIds, tagTitles] as const;
