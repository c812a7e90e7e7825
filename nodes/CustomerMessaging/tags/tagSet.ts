import type { Body } from '../contract/endpoints';
import { setting } from '../runner/field';
import type { Read } from '../runner/operation';
import { type Conversion, ValueProblem } from '../values/conversion';
import { idElement, type RecordId, recordId, setOfEach, setOfIds, titleElement } from '../values/ids';
import { isObject } from '../values/json';
import { isBlank, text } from '../values/text';

export type TagElement = Required<Body<'POST /profiles/{profileId}/tags'>['tags'][number]>;

/** A tag as the user gives it. If the ID is none of the tenant's, it is the tag with this title, from another system. */
export interface GivenTag {
	id: RecordId | null;
	title: string | null;
}

/** Converts a title, or a record with `id`, `title` or both. */
const tagElement: Conversion<GivenTag> = (element) => {
	const { id = null, title = null } = isObject(element) ? element : {};
	if (isBlank(id)) {
		const typed = titleElement(element);
		return typed instanceof ValueProblem ? typed : { id: null, title: typed };
	}
	const typed = titleElement(title);
	const name = typed instanceof ValueProblem ? null : typed;
	// Only a text can be the ID of another system's record. It needs a title.
	const foreign = typeof id === 'string' && name !== null ? recordId(id) : undefined;
	const known = foreign ?? idElement(element);
	return known instanceof ValueProblem ? known : { id: known, title: name };
};

/** Converts an ID, or a record with an ID. With its title, the record may come from another system. */
const tagId: Conversion<GivenTag> = (element) => {
	const id = idElement(element);
	if (id instanceof ValueProblem) return id;
	const title = isObject(element) ? titleElement(element) : null;
	return { id, title: title instanceof ValueProblem ? null : title };
};

export const tagIds = setting(
	'tagIds',
	setOfIds(tagId),
	{
		displayName: 'Existing Tag Names or IDs',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getTags' },
		description:
			'Tags that exist. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
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
		description: 'Titles, separated by commas; new ones are created. Added to the tags from the list.',
	},
	'tags',
);

export const separator = setting('options.separator', (value) => text(value ?? ''), {
	placeholder: 'e.g. /',
	description: 'What separates titles that contain a comma, a semicolon, | or a line end',
});

export const titlesOf = (read: Read<typeof separator | typeof tagTitles>): GivenTag[] =>
	read(tagTitles, { separator: read(separator) || undefined });

export const tagSet = [tagIds, tagTitles] as const;
