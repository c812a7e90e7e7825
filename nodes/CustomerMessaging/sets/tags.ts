import type { INodeExecutionData } from 'n8n-workflow';

import type { Api } from '../api/client';
import type { Body } from '../contract/endpoints';
import { unreadableList } from '../api/pages';
import { wholeList } from '../api/records';
import { guardAgainstEmpty, type ifEmpty } from '../core/emptyValues';
import type { ItemContext } from '../core/field';
import { fieldError } from '../core/fieldError';
import type { Item } from '../core/item';
import type { Run } from '../core/operation';
import { type GivenTag, separator, tagIds, tagSet, tagTitles } from '../fields/sets';
import { comparableTitle, wholeId } from '../values/ids';
import { ownMember } from '../values/json';
import { InvalidValue } from '../values/parse';
import { quote, stringOf } from '../values/text';
import { attachedIds, writeSet } from './idSets';

type TagElement = Required<Body<'POST /profiles/{profileId}/tags'>['tags'][number]>;

/**
 * The tags of a tenant by title, for one run of a node: a title without an ID always creates a tag. So the node sends
 * the ID of an existing title, and a new title only once: other items with it wait until its ID is known.
 */
class TagDirectory {
	/** By the title without capitals, the IDs by the exact title; and the other way round. */
	private readonly ids = new Map<string, Map<string, number>>();
	private readonly titles = new Map<number, string>();
	private reading?: Promise<void>;

	/**
	 * Reads all tags, if any of these is given by title and that was not done. A tag that it cannot read could be one that an item
	 * names, so it fails then.
	 */
	async read(api: Api, given: GivenTag[]): Promise<void> {
		if (given.every((tag) => typeof tag === 'number')) return;
		const reading = async () => {
			const tags = await wholeList(api, '/tags');
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
		for (const { title } of await this.match(context, elements)) if (title) fresh.add(fold(title));
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
		const alike = this.ids.get(fold(title)) ?? new Map<string, number>();
		this.ids.set(fold(title), alike.set(title, id));
		this.titles.set(id, fold(title));
		return true;
	}

	/** Returns the elements to send, each tag once. */
	private async match(context: ItemContext, elements: GivenTag[]): Promise<TagElement[]> {
		await this.read(context.api, elements);
		const set = new Map<number | string, TagElement>();
		for (const tag of elements) {
			const element = typeof tag === 'number' ? { id: tag, title: null } : this.find(context, tag);
			const key = element.id ?? fold(element.title ?? '');
			if (!set.has(key)) set.set(key, element);
		}
		return [...set.values()];
	}

	/**
	 * Finds the ID of a tag that exists: of a record, its own, if this account has it; otherwise that of the title, in these capitals
	 * or, if there is only one, in others.
	 */
	private find(context: ItemContext, tag: Exclude<GivenTag, number>): TagElement {
		const { title, mayBeNew = false, id: given } = tag;
		const alike = this.ids.get(fold(title)) ?? new Map<string, number>();
		const own = typeof given === 'number' && this.titles.has(given) ? given : undefined;
		const id = own ?? alike.get(title) ?? (alike.size > 1 ? undefined : [...alike.values()].at(0));
		// An account may have several tags with one title.
		const isOther = own !== undefined && alike.size > 0 && this.titles.get(own) !== fold(title);
		if (id !== undefined && !isOther) return { id, title: null };
		if (mayBeNew && alike.size === 0) return { id: null, title };
		let problem = 'no tag with this title';
		let hint = `Check the title. To create the tag, give it in ${tagTitles.parameter.displayName}, without an ID.`;
		if (isOther) {
			problem = 'this ID and this title as two tags';
			hint = 'Give the ID or the title of the tag that you mean.';
		} else if (alike.size > 0) {
			problem = `several such tags: ${quote([...alike.keys()].join(', '))}`;
			hint = 'Give the title with the capitals of the one you mean.';
		}
		const { displayName } = (mayBeNew || given !== undefined ? tagTitles : tagIds).parameter;
		const shown = quote(given === undefined ? title : { id: given, title });
		const invalid = new InvalidValue(`contains "${shown}", but your account has ${problem}`, hint);
		throw fieldError(context, displayName, invalid);
	}
}

const fold = (title: string) => title.toLowerCase();

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
	await directory.read(api, wanted);
	return await api.inOrder(url, async () => {
		const attached = keeps ? await attachedIds(api, url) : [];
		const send = async (tags: TagElement[]) => await writeSet(api, { ...request, body: { tags } });
		return item.output(await directory.write(context, [...attached, ...wanted], send));
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
