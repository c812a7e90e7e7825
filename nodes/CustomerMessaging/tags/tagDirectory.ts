import { askForList } from '../transport/ask';
import { unwrapped } from '../transport/answer';
import type { RequestContext } from '../transport/context';
import { oncePerRun } from '../transport/nodeRun';
import type { Answer } from '../transport/request';
import { objectsOf } from '../values/json';
import type { TagElement } from './tagSet';

/** A tag in a tenant's response. */
interface Tag {
	id?: unknown;
	title?: unknown;
}

/**
 * The tags of a tenant by title, for one run of a node.
 *
 * In a request, a title without an ID always creates a tag. So the node sends the ID of an existing title instead. It
 * sends a new title only once: other items with this title wait until its ID is known.
 */
class TagDirectory {
	private readonly ids = new Map<string, number>();
	private readonly creating = new Map<string, Promise<unknown>>();

	learn(tags: Tag[]): void {
		for (const { id, title } of tags) {
			if (typeof id === 'number' && typeof title === 'string') this.ids.set(title, id);
		}
	}

	/**
	 * Replaces titles of known tags with IDs, then sends the set.
	 *
	 * @param send sends the resulting set; its response contains the tags that are attached now
	 */
	async sync(elements: TagElement[], send: (tags: TagElement[]) => Promise<Answer>): Promise<Answer> {
		for (;;) {
			const underWay = elements.flatMap(({ title }) => (title && this.creating.get(title)) || []);
			if (underWay.length === 0) break;
			await Promise.allSettled(underWay);
		}
		const tags = this.matched(elements);
		const fresh = tags.flatMap(({ title }) => title ?? []);
		const work = send(tags).then((answer) => {
			this.learn(objectsOf(unwrapped(answer.body)));
			return answer;
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

/** Returns the tag directory of this run of the node. */
export const tagDirectoryOf = oncePerRun(async (context: RequestContext) => {
	const directory = new TagDirectory();
	directory.learn(await askForList(context, 'GET /tags', {}));
	return directory;
});
