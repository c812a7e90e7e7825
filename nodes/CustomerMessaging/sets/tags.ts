import type { INodeExecutionData } from 'n8n-workflow';

import type { Body } from '../contract/endpoints';
import { unreadableList } from '../api/pages';
import { wholeList } from '../api/records';
import { guardAgainstEmpty, type ifEmpty } from '../core/emptyValues';
import type { ItemContext } from '../core/field';
import { fieldError } from '../core/fieldError';
import type { Item } from '../core/item';
import type { Run } from '../core/operation';
import { type GivenTag, separator, tagIds, tagSet, tagTitles } from '../fields/sets';
import { comparableTitle, type RecordId, wholeId } from '../values/ids';
import { ownMember } from '../values/json';
import { InvalidValue } from '../values/parse';
import { isBlank, quote, stringOf } from '../values/text';
import { attachedIds, writeSet } from './idSets';

type TagElement = Required<Body<'POST /profiles/{profileId}/tags'>['tags'][number]>;

/** Why it cannot be told which tag is meant, and what to do. */
const UNCLEAR = {
	otherId: [
		'in your account this ID and this title are two tags',
		'Give the ID or the title of the tag that you mean.',
	],
	several: ['your account has several such tags: ', 'Give the title with the capitals of the one you mean.'],
	noTitle: [
		'your account has no tag with this title',
		`Check the title. To create the tag, give it in ${tagTitles.parameter.displayName}.`,
	],
	neither: [
		'your account has neither a tag with this ID nor one with this title',
		'To create the tag, give its title without the ID.',
	],
};

/** Makes the error about a tag, under the name of the parameter that has it. */
function tagError(context: ItemContext, tag: GivenTag, why: keyof typeof UNCLEAR, alike: string[] = []) {
	const { displayName } = (tag.id === '' ? tagIds : tagTitles).parameter;
	const [problem, hint] = UNCLEAR[why];
	const shown = quote(isBlank(tag.id) ? tag.title : tag);
	const others = alike.length > 0 ? quote(alike.join(', ')) : '';
	const invalid = new InvalidValue(`contains "${shown}", but ${problem}${others}`, hint);
	return fieldError(context, displayName, invalid);
}

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
			if (isOwn && alike && !ids.includes(id)) throw tagError(context, tag, 'otherId');
			if (!isOwn && exact === undefined && ids.length > 1)
				throw tagError(context, tag, 'several', [...(alike?.keys() ?? [])]);
			const found = isOwn ? id : (exact ?? ids.at(0));
			// A tenant that gives an ID as text takes it as text.
			if (found !== undefined) set.set(found, { id: found as number, title: null });
			// The space tells it apart from an ID that is text.
			else if (id === null && title) {
				const key = ` ${folded(title)}`;
				set.set(key, set.get(key) ?? { id: null, title });
			} else throw tagError(context, tag, id === '' ? 'noTitle' : 'neither');
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
