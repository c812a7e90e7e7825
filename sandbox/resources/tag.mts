import { existing, type FieldErrors, invalid } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Store } from '../store/store.mts';
import type { Tables } from '../store/tables.mts';
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
	tags: {
		firstId: 41,
		isCounted: true,
		columns: 'title TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL',
		indexes: ['(title COLLATE NOCASE)'],
	},
	profile_tags: {
		columns: `
			profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
			tag_id INTEGER NOT NULL REFERENCES tags ON DELETE CASCADE,
			PRIMARY KEY (profile_id, tag_id)`,
		indexes: ['(tag_id)'],
	},
	media_tags: {
		columns: `
			media_id INTEGER NOT NULL REFERENCES media ON DELETE CASCADE,
			tag_id INTEGER NOT NULL REFERENCES tags ON DELETE CASCADE,
			PRIMARY KEY (media_id, tag_id)`,
		indexes: ['(tag_id)'],
	},
} satisfies Tables;

/** What tags hang on: the table that links them and its column for the owner. */
const LINKS = {
	profile: { table: 'profile_tags', owner: 'profile_id' },
	media: { table: 'media_tags', owner: 'media_id' },
} as const;

export type TagOwner = keyof typeof LINKS;

/** Sorted by title; upper and lower case are the same. */
const BY_TITLE = 'ORDER BY title COLLATE NOCASE, id';

/** Tags, and the sets of them on profiles and media. */
export class Records extends RecordStore {
	list(): Tag[] {
		return this.database.all<Tag>(`SELECT * FROM tags ${BY_TITLE}`);
	}

	find(id: number): Tag | undefined {
		return this.database.get<Tag>('SELECT * FROM tags WHERE id = ?', id);
	}

	/** @returns the tag with exactly this title, otherwise one that differs from it in capitals only */
	byTitle(title: string): Tag | undefined {
		return this.database.get<Tag>(
			'SELECT * FROM tags WHERE title = ?1 COLLATE NOCASE ORDER BY title = ?1 DESC, id',
			title,
		);
	}

	create(title: string): Tag {
		const now = this.clock.iso();
		const id = this.database.insert('tags', { title, created_at: now, updated_at: now });
		return { id, title, created_at: now, updated_at: now };
	}

	rename(id: number, title: string): void {
		this.database.update('tags', id, { title, updated_at: this.clock.iso() });
	}

	delete(id: number): void {
		this.database.run('DELETE FROM tags WHERE id = ?', id);
	}

	of(owner: TagOwner, id: number): Tag[] {
		const link = LINKS[owner];
		return this.database.all<Tag>(
			`SELECT tags.* FROM ${link.table} JOIN tags ON tags.id = tag_id WHERE ${link.owner} = ? ${BY_TITLE}`,
			id,
		);
	}

	attach(owner: TagOwner, id: number, tagId: number): void {
		const link = LINKS[owner];
		this.database.run(`INSERT OR IGNORE INTO ${link.table} (${link.owner}, tag_id) VALUES (?, ?)`, id, tagId);
	}

	/** @returns false if the tag was not attached. */
	detach(owner: TagOwner, id: number, tagId: number): boolean {
		const link = LINKS[owner];
		return (
			this.database.run(`DELETE FROM ${link.table} WHERE ${link.owner} = ? AND tag_id = ?`, id, tagId)
				.changes > 0
		);
	}

	/** Makes these the tags of the owner: attaches by id, creates by title, detaches the rest. Ids must exist. */
	sync(owner: TagOwner, id: number, choices: TagChoice[]): Tag[] {
		return this.database.transaction(() => {
			const link = LINKS[owner];
			this.database.run(`DELETE FROM ${link.table} WHERE ${link.owner} = ?`, id);
			for (const choice of choices) this.attach(owner, id, choice.id ?? this.create(choice.title ?? '').id);
			return this.of(owner, id);
		});
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
