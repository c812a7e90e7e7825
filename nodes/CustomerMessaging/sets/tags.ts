import type { INodeExecutionData } from 'n8n-workflow';

import type { Body } from '../contract/endpoints';
import { unreadableList } from '../api/pages';
import { wholeList } from '../api/records';
import { guardAgainstEmpty, type ifEmpty } from '../core/emptyValues';
import { type ItemContext, setting } from '../core/field';
import { fieldError } from '../core/fieldError';
import type { Item } from '../core/item';
import type { Run } from '../core/operation';
import { isName } from '../fields/byName';
import {
	comparableTitle,
	idElement,
	type RecordId,
	recordId,
	setOfEach,
	setOfIds,
	titleElement,
	wholeId,
} from '../values/ids';
import { isObject, ownMember } from '../values/json';
import { InvalidValue, orUndefinedIfInvalid, type Parse } from '../values/parse';
import { isBlank, quote, stringOf, text } from '../values/text';
import { attachedIds, writeSet } from './idSets';

type TagElement = Required<Body<'POST /profiles/{profileId}/tags'>['tags'][number]>;

/**
 * A tag as the user gives it. If the ID is none of the tenant's, it is the tag with this title, from another system. An empty ID
 * stands for the existing tag with the title.
 */
interface GivenTag {
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

const tagIds = setting(
	'tagIds',
	setOfIds(tagId),
	{
		displayName: 'Existing Tag Names or IDs',
		type: 'multiOptions',
		// A model meets one field for tags.
		displayOptions: { hide: { '@tool': [true] } },
		typeOptions: { loadOptionsMethod: 'getTags' },
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
	'tags.id',
);

/** Titles, or records with `id` and `title`: a list in text, or an array from an expression. */
const tagTitles = setting(
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
	description: 'For titles that contain a comma, a semicolon, | or a line break',
});

export const tagSet = [tagIds, tagTitles] as const;

/** Makes the error about a tag, under the name of the parameter that has it. */
const tagError = (context: ItemContext, { id }: GivenTag, problem: string, hint: string) => {
	const { displayName } = (id === '' ? tagIds : tagTitles).parameter;
	return fieldError(context, displayName, new InvalidValue(`contains ${problem}`, hint));
};

const otherTag = (context: ItemContext, tag: GivenTag) =>
	tagError(
		context,
		tag,
		`"${quote(tag)}", but in your account this ID and this title are two tags`,
		'Give the ID or the title of the tag that you mean.',
	);

const severalTags = (context: ItemContext, tag: GivenTag, alike: string[]) =>
	tagError(
		context,
		tag,
		`"${quote(tag.title)}", but your account has several such tags: ${quote(alike.join(', '))}`,
		'Give the title with the capitals of the one you mean.',
	);

const noTag = (context: ItemContext, tag: GivenTag) =>
	tag.id === ''
		? tagError(
				context,
				tag,
				`"${quote(tag.title)}", but your account has no tag with this title`,
				`Check the title. To create the tag, give it in ${tagTitles.parameter.displayName}.`,
			)
		: tagError(
				context,
				tag,
				`"${quote(tag)}", but your account has neither a tag with this ID nor one with this title`,
				'To create the tag, give its title without the ID.',
			);

/**
 * The tags of a tenant by title, for one run of a node: a title without an ID always creates a tag. So the node sends
 * the ID of an existing title, and a new title only once: other items with it wait until its ID is known.
 */
class TagDirectory {
	/** By the title without capitals, the IDs by the exact title. */
	private readonly ids = new Map<string, Map<string, RecordId>>();
	private readonly known = new Set<RecordId>();
	private reading?: Promise<void>;

	/** Reads all tags, if that was not done. A tag that it cannot read could be one that an item names, so it fails then. */
	async read(context: ItemContext): Promise<void> {
		const reading = async () => {
			const tags = await wholeList(context.api, '/tags');
			if (!tags.every((tag) => this.learn(tag))) throw unreadableList();
		};
		await (this.reading ??= reading().catch((error: unknown) => {
			this.reading = undefined;
			throw error;
		}));
	}

	/** Replaces titles of known tags with IDs, then sends the set. */
	async write(
		context: ItemContext,
		elements: GivenTag[],
		send: (tags: TagElement[]) => Promise<unknown>,
	): Promise<unknown> {
		const fresh = new Set<string>();
		for (const { title } of await this.match(context, elements)) if (title) fresh.add(folded(title));
		const work = async () => {
			try {
				const attached = await send(await this.match(context, elements));
				if (Array.isArray(attached)) for (const tag of attached) this.learn(tag);
				return attached;
			} finally {
				// The tenant may have created tags although the response does not show them.
				if (![...fresh].every((title) => this.ids.has(title))) this.reading = undefined;
			}
		};
		// Of items that wait for each other's titles, all take them in one order.
		return await [...fresh]
			.sort()
			.reduce((inner, title) => async () => await context.api.inOrder(`tag ${title}`, inner), work)();
	}

	/** Takes a tag from a response. @returns whether the tag is readable */
	private learn(tag: unknown): boolean {
		const id = wholeId(ownMember(tag, 'id'));
		const title = comparableTitle(stringOf(ownMember(tag, 'title')));
		if (id === undefined || title === '') return false;
		const alike = this.ids.get(folded(title)) ?? new Map<string, RecordId>();
		this.ids.set(folded(title), alike.set(title, id));
		this.known.add(id);
		return true;
	}

	/** Returns the elements to send, each tag once: the ID of one that exists, in these capitals or, if there is only one, in others. */
	private async match(context: ItemContext, elements: GivenTag[]): Promise<TagElement[]> {
		if (elements.some(({ title }) => title !== null)) await this.read(context);
		const set = new Map<RecordId, TagElement>();
		for (const tag of elements) {
			const { id, title } = tag;
			const alike = this.ids.get(folded(title ?? ''));
			const ids = [...(alike?.values() ?? [])];
			const exact = alike?.get(title ?? '');
			const isOwn = id !== null && (title === null || this.known.has(id));
			// A record with the ID of another account, or of another tag of this one.
			if (isOwn && alike && !ids.includes(id)) throw otherTag(context, tag);
			if (!isOwn && exact === undefined && ids.length > 1)
				throw severalTags(context, tag, [...(alike?.keys() ?? [])]);
			const found = isOwn ? id : (exact ?? ids.at(0));
			// A tenant that gives an ID as text takes it as text.
			if (found !== undefined) set.set(found, { id: found as number, title: null });
			// The space tells it apart from an ID that is text.
			else if (id === null && title) {
				const key = ` ${folded(title)}`;
				set.set(key, set.get(key) ?? { id: null, title });
			} else throw noTag(context, tag);
		}
		return [...set.values()];
	}
}

const folded = (title: string) => title.toLowerCase();

type TagSetting = typeof separator | (typeof tagSet)[number];

const wantedOf = (item: Item<TagSetting>) => [
	...(item.shows(tagIds) ? item.get(tagIds) : []),
	...item.get(tagTitles, { separator: item.get(separator) || undefined }),
];

/** Writes a set of tags, with the attached ones if it keeps them. */
async function writeTags(
	item: Item<TagSetting>,
	wanted: GivenTag[],
	keeps: boolean,
): Promise<INodeExecutionData[]> {
	const { api, context, request } = item;
	const { url } = request;
	const directory = api.once(TagDirectory, () => new TagDirectory());
	// What is wrong with the tags is known before the set is read.
	if (wanted.some(({ title }) => title !== null)) await directory.read(context);
	return await api.inOrder(url, async () => {
		const attached = keeps ? await attachedIds(api, url) : [];
		const elements = [...attached.map((id) => ({ id, title: null })), ...wanted];
		const send = async (tags: TagElement[]) => await writeSet(api, { ...request, body: { tags } });
		return item.output(await directory.write(context, elements, send));
	});
}

export const syncTags: Run<TagSetting | typeof ifEmpty> = async (item) => {
	const wanted = wantedOf(item);
	const label = tagSet.map(({ parameter }) => parameter.displayName).join(', ');
	guardAgainstEmpty(item, label, wanted);
	return await writeTags(item, wanted, false);
};

export const addTags: Run<TagSetting> = async (item) => {
	const wanted = wantedOf(item);
	if (wanted.length === 0) return item.output(await wholeList(item.api, item.request.url));
	return await writeTags(item, wanted, true);
};
