import type { INodeExecutionData } from 'n8n-workflow';

import { unreadableList } from '../api/pages';
import { wholeList } from '../api/records';
import { attachedIds, unusableId, writeSet } from './attached';
import { guardAgainstEmpty, type ifEmpty } from '../core/emptyValues';
import type { ItemContext } from '../core/field';
import { fieldError } from '../core/fieldError';
import type { Item } from '../core/item';
import type { Run } from '../core/operation';
import {
	type GivenTag,
	type separator,
	type TagElement,
	tagIds,
	tagSet,
	tagTitles,
	titlesOf,
} from './tagSet';
import { comparableTitle, type RecordId, recordId, wholeId } from '../values/ids';
import { isObject } from '../values/json';
import { InvalidValue } from '../values/parse';
import { quote, stringOf } from '../values/text';

/**
 * The tags of a tenant by title, for one run of a node: a title without an ID always creates a tag. So the node sends
 * the ID of an existing title, and a new title only once: other items with it wait until its ID is known.
 */
class TagDirectory {
	/** By the title without capitals, the IDs by the exact title, as the service gives them. */
	private readonly ids = new Map<string, Map<string, unknown>>();
	private readonly known = new Set<RecordId | undefined>();
	private readonly creating = new Map<string, Promise<unknown>>();
	private reading?: Promise<void>;
	private isCurrent = false;
	private outdated = 0;

	/** Takes a tag from a response. @returns whether the tag is readable */
	private learn(tag: unknown): boolean {
		const { id, title } = isObject(tag) ? tag : {};
		const [known, name] = [recordId(id), comparableTitle(stringOf(title))];
		if (name === '' || (known === undefined && typeof id !== 'number')) return false;
		const key = name.toLowerCase();
		const alike = this.ids.get(key) ?? new Map<string, unknown>();
		this.ids.set(key, alike.set(name, id));
		this.known.add(known);
		return true;
	}

	/** Reads all tags. A tag that it cannot read could be one that an item names, so it fails then. */
	async read(context: ItemContext): Promise<void> {
		const { outdated } = this;
		const tags = await wholeList(context.api, '/tags');
		if (!tags.every((tag) => this.learn(tag))) throw unreadableList();
		this.isCurrent = outdated === this.outdated;
	}

	/**
	 * Replaces titles of known tags with IDs, then sends the set.
	 *
	 * @throws NodeOperationError when a record with an ID is no tag of the tenant, neither by its ID nor by its title
	 */
	async sync(
		context: ItemContext,
		elements: GivenTag[],
		send: (tags: TagElement[]) => Promise<unknown>,
	): Promise<unknown> {
		for (;;) {
			const underWay = elements.flatMap(({ title }) => (title && this.creating.get(folded(title))) || []);
			if (underWay.length > 0) await Promise.allSettled(underWay);
			else if (this.isCurrent) break;
			else await (this.reading ??= this.read(context).finally(() => (this.reading = undefined)));
		}
		// From here to the entry in `creating`, no other item comes between.
		const tags = this.matched(context, elements);
		const fresh = tags.flatMap(({ title }) => title ?? []);
		const work = send(tags)
			.then((attached) => {
				if (Array.isArray(attached)) for (const tag of attached) this.learn(tag);
				return attached;
			})
			.finally(() => {
				for (const title of fresh) this.creating.delete(folded(title));
				if (fresh.every((title) => this.ids.has(folded(title)))) return;
				// The tenant may have created the tags although the response does not show it.
				this.isCurrent = false;
				this.outdated++;
			});
		for (const title of fresh) this.creating.set(folded(title), work);
		return await work;
	}

	/** Returns the ID of the tag with a title, in these capitals or, if there is only one, in others. */
	private byTitle(context: ItemContext, tag: GivenTag): RecordId | undefined {
		const title = tag.title ?? '';
		const alike = this.ids.get(folded(title));
		if (!alike) return undefined;
		const exact = comparableTitle(title);
		if (!alike.has(exact) && alike.size > 1)
			throw tagError(context, tag, severalTags(title, [...alike.keys()]));
		const given = alike.has(exact) ? alike.get(exact) : [...alike.values()][0];
		const id = wholeId(given);
		if (id === undefined) throw unusableId(context.api, given);
		return id;
	}

	private matched(context: ItemContext, elements: GivenTag[]): TagElement[] {
		const set = new Map<RecordId, TagElement>();
		for (const tag of elements) {
			const { id, title } = tag;
			const isOwn = id !== null && (title === null || this.known.has(id));
			const found = isOwn ? id : this.byTitle(context, tag);
			// A record with the ID of another account, or of another tag of this one.
			const other = isOwn && title !== null && this.ids.get(folded(title));
			if (other && ![...other.values()].some((one) => recordId(one) === id))
				throw tagError(context, tag, otherTag(tag));
			// A tenant that gives an ID as text takes it as text.
			if (found !== undefined) set.set(found, { id: found as number, title: null });
			// The space tells it apart from an ID that is text.
			else if (id === null && title) {
				const key = ` ${folded(title)}`;
				set.set(key, set.get(key) ?? { id: null, title });
			} else throw tagError(context, tag, noTag(tag));
		}
		return [...set.values()];
	}
}

const folded = (title: string) => comparableTitle(title).toLowerCase();

/** Makes the error about a tag, under the name of the parameter that has it. */
const tagError = (context: ItemContext, { id }: GivenTag, problem: InvalidValue) =>
	fieldError(context, (id === '' ? tagIds : tagTitles).parameter.displayName, problem);

const severalTags = (title: string, alike: string[]) =>
	new InvalidValue(
		`contains "${quote(title)}", but your account has several such tags: ${quote(alike.join(', '))}`,
		'Give the title with the capitals of the one you mean.',
	);

const otherTag = (tag: GivenTag) =>
	new InvalidValue(
		`contains "${quote(tag)}", but in your account this ID and this title are two tags`,
		'Give the ID or the title of the tag that you mean.',
	);

const noTag = (tag: GivenTag) =>
	tag.id === ''
		? new InvalidValue(
				`contains "${quote(tag.title)}", but your account has no tag with this title`,
				`Check the title. To create the tag, give it in ${tagTitles.parameter.displayName}.`,
			)
		: new InvalidValue(
				`contains "${quote(tag)}", but your account has neither a tag with this ID nor one with this title`,
				'To create the tag, give its title without the ID.',
			);

const tagDirectoryOf = async (context: ItemContext) =>
	await context.api.once(TagDirectory, async () => {
		const directory = new TagDirectory();
		await directory.read(context);
		return directory;
	});

const byId = (id: GivenTag['id']): GivenTag => ({ id, title: null });

type TagSetting = typeof separator | (typeof tagSet)[number];

const wantedOf = (item: Item<TagSetting>) => [
	...(item.shows(tagIds) ? item.get(tagIds) : []),
	...titlesOf(item),
];

/** Writes a set of tags, with the attached ones if it keeps them. */
async function writeTags(
	item: Item<TagSetting>,
	wanted: GivenTag[],
	keeps: boolean,
): Promise<INodeExecutionData[]> {
	const { api, context, request } = item;
	const { url } = request;
	// A set that contains only IDs does not need the directory.
	const directory = wanted.some(({ title }) => title !== null) && (await tagDirectoryOf(context));
	return await api.inOrder(url, async () => {
		const attached = keeps ? await attachedIds(api, url) : [];
		const elements = [...attached.map(byId), ...wanted];
		const send = async (tags: TagElement[]) => await writeSet(api, { ...request, body: { tags } });
		return item.output(
			directory
				? await directory.sync(context, elements, send)
				: await send([...new Map(elements.map((one) => [one.id, one])).values()] as TagElement[]),
		);
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
