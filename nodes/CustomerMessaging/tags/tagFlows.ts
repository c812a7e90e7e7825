import type { INodeExecutionData } from 'n8n-workflow';

import { guardAgainstEmpty, type ifEmpty } from '../runner/emptyValues';
import { flow, type Item, type Read } from '../runner/operation';
import { attachedIds, wholeList, writeSet } from '../api/records';
import { tagDirectoryOf } from './tagDirectory';
import { type GivenTag, type separator, type TagElement, tagIds, tagSet, titlesOf } from './tagSet';

const byId = (id: GivenTag['id']): GivenTag => ({ id, title: null });

type TagSetting = typeof separator | (typeof tagSet)[number];

const wantedOf = (read: Read<TagSetting>) => [...read(tagIds), ...titlesOf(read)];

/** Writes a set of tags, with the attached ones if it keeps them. */
async function writeTags(
	{ context, request: options, output }: Omit<Item<TagSetting>, 'read' | 'shows'>,
	wanted: GivenTag[],
	keeps: boolean,
): Promise<INodeExecutionData[]> {
	const { url } = options;
	// A set that contains only IDs does not need the directory.
	const directory = wanted.some(({ title }) => title !== null) && (await tagDirectoryOf(context));
	return await context.api.inOrder(url, async () => {
		const attached = keeps ? await attachedIds(context.api, url) : [];
		const elements = [...attached.map(byId), ...wanted];
		const send = async (tags: TagElement[]) => await writeSet(context.api, { ...options, body: { tags } });
		return output(
			directory
				? await directory.sync(context, elements, send)
				: await send([...new Map(elements.map((one) => [one.id, one])).values()] as TagElement[]),
		);
	});
}

export const syncTags = flow<TagSetting | typeof ifEmpty>(async (item) => {
	const wanted = wantedOf(item.read);
	const label = tagSet.map(({ parameter }) => parameter.displayName).join(', ');
	guardAgainstEmpty(item.context, label, wanted, item.read);
	return await writeTags(item, wanted, false);
});

export const addTags = flow<TagSetting>(async (item) => {
	const wanted = wantedOf(item.read);
	if (wanted.length === 0) return item.output(await wholeList(item.context.api, item.request.url));
	return await writeTags(item, wanted, true);
});
