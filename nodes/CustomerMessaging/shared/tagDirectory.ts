import type { IDataObject } from 'n8n-workflow';

import type { RequestContext } from '../transport/context';
import { oncePerExecution } from '../transport/execution';
import { request } from '../transport/request';
import { unwrapped } from '../transport/envelope';
import type { TagElement } from './tags';

/**
 * The tags of a tenant by title, as one run of a node knows them.
 *
 * On the wire a title without an ID always creates a tag. So a title that exists goes out as its ID, and a new title goes
 * out once: the items that name it too wait until its ID is known.
 */
class TagDirectory {
	private readonly ids = new Map<string, number>();
	private readonly creating = new Map<string, Promise<unknown>>();

	learn(tags: unknown): void {
		for (const { id, title } of Array.isArray(tags) ? (tags as IDataObject[]) : []) {
			if (typeof id === 'number' && typeof title === 'string') this.ids.set(title, id);
		}
	}

	/**
	 * Matches a set with the known tags, then lets it be sent.
	 *
	 * @param sync sends the matched set and gives back the tags that are attached now
	 */
	async sync<T>(
		elements: TagElement[],
		sync: (tags: TagElement[]) => Promise<{ tags: unknown; result: T }>,
	): Promise<T> {
		for (;;) {
			const underWay = elements.flatMap(({ title }) => (title && this.creating.get(title)) || []);
			if (underWay.length === 0) break;
			await Promise.allSettled(underWay);
		}
		const tags = this.matched(elements);
		const fresh = tags.flatMap(({ title }) => title ?? []);
		const work = sync(tags).then(({ tags: attached, result }) => {
			this.learn(attached);
			return result;
		});
		for (const title of fresh) this.creating.set(title, work);
		try {
			return await work;
		} finally {
			for (const title of fresh) this.creating.delete(title);
		}
	}

	private matched(elements: TagElement[]): TagElement[] {
		const set = new Map<number | string, TagElement>();
		for (const { id, title } of elements) {
			const known = id ?? this.ids.get(title ?? '');
			if (known !== undefined && known !== null) set.set(known, { id: known, title: null });
			else if (title) set.set(title, { id: null, title });
		}
		return [...set.values()];
	}
}

/** The tag directory of this run of the node. */
export const tagDirectoryOf = oncePerExecution(async (context: RequestContext) => {
	const directory = new TagDirectory();
	directory.learn(unwrapped((await request(context, { url: '/tags' })).body));
	return directory;
});
