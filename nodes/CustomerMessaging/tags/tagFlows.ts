import { type Flow, flow } from '../runner/operation';
import { withLock } from '../runner/keyedLock';
import { attachedIds, writeSet } from '../transport/sets';
import { tagDirectoryOf } from './tagDirectory';
import { type GivenTag, type TagElement, tagIds, tagSet, tagTitles } from './tagSet';

const byId = (id: GivenTag['id']): GivenTag => ({ id, title: null });

/** Returns the elements without duplicate IDs. */
const eachIdOnce = (elements: GivenTag[]) =>
	elements.filter(({ id }, index) => elements.findIndex((other) => other.id === id) === index);

/**
 * Makes a flow that writes a set of tags.
 *
 * @param keeps whether attached tags stay; if so, the flow reads them first
 */
function writeTags(keeps: boolean): Flow<(typeof tagSet)[number]> {
	return flow(tagSet, async ({ context, request: options, read, output }) => {
		const { url } = options;
		const wanted = [...read(tagIds), ...read(tagTitles)];
		// A set that contains only IDs does not need the directory.
		const directory = wanted.some(({ title }) => title !== null) && (await tagDirectoryOf(context));
		return await withLock(context, url, async () => {
			const attached = keeps ? await attachedIds(context, url) : [];
			const elements = [...attached.map(byId), ...wanted];
			const send = async (tags: TagElement[]) => await writeSet(context, { ...options, body: { tags } });
			return output(
				directory
					? await directory.sync(context, elements, send)
					: await send(eachIdOnce(elements) as TagElement[]),
			);
		});
	});
}

/** Replaces the tags of a record. */
export const syncTags = writeTags(false);

/** Adds tags to the tags of a record. */
export const addTags = writeTags(true);
