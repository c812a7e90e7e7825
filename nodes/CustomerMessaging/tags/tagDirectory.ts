import { fieldError } from '../runner/fieldError';
import type { ItemContext } from '../runner/field';
import { unwrapped } from '../transport/responseBody';
import { oncePerRun } from '../transport/nodeRun';
import type { ServiceResponse } from '../transport/request';
import { unreadableList } from '../transport/pages';
import { inexactId, wholeList } from '../transport/records';
import { ValueProblem } from '../values/conversion';
import { type RecordId, recordId } from '../values/ids';
import { isObject } from '../values/json';
import { shown } from '../values/text';
import { titleElement } from '../values/titles';
import { type GivenTag, type TagElement, tagTitles } from './tagSet';

/**
 * The tags of a tenant by title, for one run of a node.
 *
 * In a request, a title without an ID always creates a tag. So the node sends the ID of an existing title instead. It
 * sends a new title only once: other items with this title wait until its ID is known.
 */
class TagDirectory {
	/** IDs by title; undefined if the ID has lost digits. */
	private readonly ids = new Map<string, RecordId | undefined>();
	private readonly known = new Set<RecordId | undefined>();
	private readonly creating = new Map<string, Promise<unknown>>();
	private reading?: Promise<void>;
	private isCurrent = false;
	/** How often the directory became outdated. */
	private outdated = 0;

	/** Takes a tag from a response. @returns whether the tag is readable */
	private learn(tag: unknown): boolean {
		const { id, title } = isObject(tag) ? tag : {};
		const [known, name] = [recordId(id), titleElement(title)];
		if (name instanceof ValueProblem || (known === undefined && typeof id !== 'number')) return false;
		this.ids.set(name, known);
		this.known.add(known);
		return true;
	}

	/** Reads all tags. A tag that it cannot read could be one that an item names, so it fails then. */
	async read(context: ItemContext): Promise<void> {
		const { outdated } = this;
		const tags = await wholeList(context, '/tags');
		if (!tags.every((tag) => this.learn(tag))) throw unreadableList(context);
		this.isCurrent = outdated === this.outdated;
	}

	/**
	 * Replaces titles of known tags with IDs, then sends the set.
	 *
	 * @param send sends the resulting set; its response contains the tags that are attached now
	 * @throws NodeOperationError when a record with an ID is no tag of the tenant, neither by its ID nor by its title
	 */
	async sync(
		context: ItemContext,
		elements: GivenTag[],
		send: (tags: TagElement[]) => Promise<ServiceResponse>,
	): Promise<ServiceResponse> {
		for (;;) {
			const underWay = elements.flatMap(({ title }) => (title && this.creating.get(title)) || []);
			if (underWay.length > 0) await Promise.allSettled(underWay);
			else if (this.isCurrent) break;
			else await (this.reading ??= this.read(context).finally(() => (this.reading = undefined)));
		}
		// From here to the entry in `creating`, no other item comes between.
		const tags = this.matched(context, elements);
		const fresh = tags.flatMap(({ title }) => title ?? []);
		const work = send(tags)
			.then((answer) => {
				const attached = unwrapped(answer.body);
				if (Array.isArray(attached)) for (const tag of attached) this.learn(tag);
				return answer;
			})
			.finally(() => {
				for (const title of fresh) this.creating.delete(title);
				if (fresh.every((title) => this.ids.has(title))) return;
				// The tenant may have created the tags although the response does not show it.
				this.isCurrent = false;
				this.outdated++;
			});
		for (const title of fresh) this.creating.set(title, work);
		return await work;
	}

	private matched(context: ItemContext, elements: GivenTag[]): TagElement[] {
		const set = new Map<RecordId, TagElement>();
		for (const { id, title } of elements) {
			const isOwn = id !== null && (title === null || this.known.has(id));
			const found = isOwn ? id : this.ids.get(title ?? '');
			if (found === undefined && this.ids.has(title ?? '')) throw inexactId(context);
			// A tenant that gives an ID as text takes it as text.
			if (found !== undefined) set.set(found, { id: found as number, title: null });
			// The space tells it apart from an ID that is text.
			else if (id === null && title) set.set(` ${title}`, { id: null, title });
			else throw fieldError(context, tagTitles.parameter.displayName, noTag({ id, title }));
		}
		return [...set.values()];
	}
}

const noTag = (tag: GivenTag) =>
	new ValueProblem(
		`contains "${shown(tag)}", but the tenant has neither a tag with this ID nor one with this title`,
		'To create the tag, give its title without the ID.',
	);

/** Returns the tag directory of this run of the node. */
export const tagDirectoryOf = oncePerRun(async (context: ItemContext) => {
	const directory = new TagDirectory();
	await directory.read(context);
	return directory;
});
