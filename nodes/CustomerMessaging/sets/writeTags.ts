import type { INodeExecutionData } from 'n8n-workflow';

import { guardAgainstEmpty, type ifEmpty } from '../core/emptyValues';
import type { Item } from '../core/item';
import type { Run } from '../core/operation';
import { attachedIds, wholeList, writeSet } from '../api/records';
import { tagDirectoryOf } from './tagDirectory';
import { type GivenTag, type separator, type TagElement, tagIds, tagSet, titlesOf } from './tagSet';

const byId = (id: GivenTag['id']): GivenTag => ({ id, title: null });

type TagSetting = typeof separator | (typeof tagSet)[number];

const wantedOf = (item: Item<TagSetting>) => [...item.get(tagIds), ...titlesOf(item)];

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
