import { received, sendWith } from '../transport/send';
import { request } from '../transport/request';
import { unwrapped } from './outputs';
import { tagDirectoryOf } from './tagDirectory';
import { tagSet } from './tags';

/** Replaces the tags of a record with the set that the parameters `tagIds` and `tags` make together. */
export const syncTags = sendWith(async function (options, requestData) {
	const elements = tagSet(this);
	const send = async (tags: unknown) => await request(this, { ...options, body: { tags } });
	// A set of IDs alone needs no look-up.
	const response = elements.some(({ title }) => title !== null)
		? await (
				await tagDirectoryOf(this)
			).sync(elements, async (tags) => {
				const answer = await send(tags);
				return { tags: unwrapped(answer.body), result: answer };
			})
		: await send(elements);
	return await received(this, requestData, response);
});
