import { type Flow, flow } from '../runner/operation';
import { attachedIds } from '../transport/attachedIds';
import { withLock } from '../transport/keyedLock';
import { request } from '../transport/request';
import { tagDirectoryOf } from './tagDirectory';
import { type TagElement, tagIds, tagSet, tagTitles } from './tagSet';

/** Returns the elements without duplicate IDs. */
const eachIdOnce = (elements: TagElement[]) =>
	elements.filter(({ id }, index) => elements.findIndex((other) => other.id === id) === index);

/**
 * Makes a flow that writes a set of tags.
 *
 * @param keeps whether attached tags stay; if so, the flow reads them first
 */
function writeTags(keeps: boolean): Flow<(typeof tagSet)[number]> {
	return flow(tagSet, async ({ context, request: options, read, output }) => {
		const { url } = options;
		const wanted = [...read(tagIds).map((id) => ({ id, title: null })), ...read(tagTitles)];
		return await withLock(context, url, async () => {
			const elements: TagElement[] = [...wanted];
			if (keeps) {
				const attached = await attachedIds(context, url);
				elements.unshift(...attached.map((id) => ({ id, title: null })));
			}
			const send = async (tags: TagElement[]) => await request(context, { ...options, body: { tags } });
			// A set that contains only IDs does not need the directory.
			if (elements.every(({ title }) => title === null)) return output(await send(eachIdOnce(elements)));
			const directory = await tagDirectoryOf(context);
			return output(await directory.sync(elements, send));
		});
	});
}

/** Replaces the tags of a record. */
export const syncTags = writeTags(false);

/** Adds tags to the tags of a record. */
export const addTags = writeTags(true);
