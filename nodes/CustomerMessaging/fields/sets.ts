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
export const setParameter = (displayName: string, loadOptionsMethod: string) => ({
	displayName,
	type: 'multiOptions' as const,
	typeOptions: { loadOptionsMethod },
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
});

/** The groups of a profile. */
export const groupsOfProfile = {
	...bodySet('groups', groupSet, { ...setParameter('Group Names or IDs', 'getGroups'), name: 'groupIds' }),
	findByName: findIn('groups', { isSet: true }),
};

/** The users of a customer. */
export const usersOfCustomer = {
	...bodySet('user_ids', idSet, setParameter('User Names or IDs', 'getUsers')),
	findByName: findIn('users', { isSet: true }),
};

/** A tag as the user gives it: its ID, or its title. With both, the record may come from another system. */
export type GivenTag = number | { title: string; id?: RecordId; mayBeNew?: boolean };

/** Parses the ID of a tag, or a record with one. Only a text can be the ID of another system's record, which needs a title. */
const tagRecord: Parse<GivenTag> = (element) => {
	const { id, title: given = null } = isObject(element) ? element : {};
	const title = orUndefinedIfInvalid(titleElement, given);
	if (title === undefined) return idElement(element);
	return { title, id: (typeof id === 'string' ? recordId(id) : undefined) ?? idElement(element) };
};

/** Parses a title, or a record with an ID, a title or both. */
const tagElement: Parse<GivenTag> = (element) =>
	isObject(element) && !isBlank(element.id)
		? tagRecord(element)
		: { title: titleElement(element), mayBeNew: true };

/** Parses an ID, a record with an ID, or the title of a tag that exists. */
const tagId: Parse<GivenTag> = (element) =>
	isName(element) ? { title: titleElement(element) } : tagRecord(element);

export const tagIds = setting(
	'tagIds',
	setOfIds(tagId),
	{
		// A model meets one field for tags.
		displayOptions: { hide: { '@tool': [true] } },
		...setParameter('Existing Tag Names or IDs', 'getTags'),
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
