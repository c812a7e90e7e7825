import { existing, type FieldErrors, invalid } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Store } from '../store/store.mts';
import { Links, Table } from '../store/table.mts';
import { compare } from '../values.mts';
import { DELETED, type Operations } from './operation.mts';

export interface Tag {
	id: number;
	title: string;
	created_at: string;
	updated_at: string;
}

/** An element of a tag sync: an existing tag by id, or a new one by title. */
export interface TagChoice {
	id?: number | null;
	title?: string | null;
}

export const tables = {
	tags: () => new Table<Tag>({ firstId: 41, isCounted: true }),
	profile_tags: () => new Links(),
	media_tags: () => new Links(),
};

export type TagOwner = 'media' | 'profile';

/** Sorted by title; upper and lower case are the same. */
const byTitle = (one: Tag, other: Tag): number => compare(one.title.toLowerCase(), other.title.toLowerCase());

/** Tags, and the sets of them on profiles and media. */
export class Records extends RecordStore {
	list(): Tag[] {
		return this.tables.tags.all().toSorted(byTitle);
	}

	find(id: number): Tag | undefined {
		return this.tables.tags.find(id);
	}

	/** @returns the tag with exactly this title, otherwise one that differs from it in capitals only */
	byTitle(title: string): Tag | undefined {
		const alike = this.tables.tags.all().filter((tag) => tag.title.toLowerCase() === title.toLowerCase());
		return alike.find((tag) => tag.title === title) ?? alike.at(0);
	}

	create(title: string): Tag {
		return this.tables.tags.insert({ title, ...this.born });
	}

	rename(id: number, title: string): void {
		this.tables.tags.update(id, { title, ...this.touched });
	}

	delete(id: number): void {
		this.tables.tags.delete(id);
		this.tables.profile_tags.forget(id);
		this.tables.media_tags.forget(id);
	}

	of(owner: TagOwner, id: number): Tag[] {
		return this.links(owner)
			.of(id)
			.flatMap((tagId) => this.find(tagId) ?? [])
			.sort(byTitle);
	}

	attach(owner: TagOwner, id: number, tagId: number): void {
		this.links(owner).add(id, tagId);
	}

	/** @returns false if the tag was not attached. */
	detach(owner: TagOwner, id: number, tagId: number): boolean {
		return this.links(owner).delete(id, tagId);
	}

	/** Makes these the tags of the owner: attaches by id, creates by title, detaches the rest. Ids must exist. */
	sync(owner: TagOwner, id: number, choices: TagChoice[]): Tag[] {
		const ids = choices.map((choice) => choice.id ?? this.create(choice.title ?? '').id);
		this.links(owner).sync(id, ids);
		return this.of(owner, id);
	}

	private links(owner: TagOwner): Links {
		return this.tables[`${owner}_tags`];
	}
}

/** @throws 422 for an id that no tag has, or an element with neither id nor title. */
export function checkTagChoices(store: Store, choices: TagChoice[]): void {
	const errors: FieldErrors = {};
	choices.forEach(({ id, title }, index) => {
		if (id != null) {
			if (!store.tags.find(id)) errors[`tags.${index}.id`] = [`There is no tag ${id}.`];
		} else if (title == null || title.trim() === '') {
			errors[`tags.${index}.title`] = ['A tag without an id needs a title.'];
		}
	});
	if (Object.keys(errors).length > 0) throw invalid(errors);
}

const emptyTitle = () => invalid({ title: ['A tag needs a title.'] });

export const operations = {
	listTags: ({ store }) => ({ data: store.tags.list() }),

	createTag({ store, body }) {
		if (body.title === undefined || body.title.trim() === '') throw emptyTitle();
		return store.tags.create(body.title);
	},

	getTag: ({ store, params }) => ({ data: existing(store.tags.find(params.id), 'Tag') }),

	updateTag({ store, tenant, params, body }) {
		existing(store.tags.find(params.id), 'Tag');
		if (body.title !== undefined) {
			if (body.title.trim() === '') throw emptyTitle();
			store.tags.rename(params.id, body.title);
			tenant.events.emit('reset');
		}
		return existing(store.tags.find(params.id), 'Tag');
	},

	deleteTag({ store, tenant, params }) {
		store.tags.delete(existing(store.tags.find(params.id), 'Tag').id);
		tenant.events.emit('reset');
		return DELETED;
	},
} satisfies Operations;

export function demo({ tags }: Store): void {
	for (const title of ['VIP', 'Newsletter', 'Returns']) tags.create(title);
}
