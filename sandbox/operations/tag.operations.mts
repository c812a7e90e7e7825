import { invalid, notFound } from '../refusal.mts';
import type { Store } from '../store/store.mts';
import type { Tag } from '../store/tags.mts';
import { DELETED, type Operations } from './operation.mts';

function existing(store: Store, id: number): Tag {
	const tag = store.tags.find(id);
	if (!tag) throw notFound('Tag');
	return tag;
}

const emptyTitle = () => invalid({ title: ['A tag needs a title.'] });

export const tagOperations: Operations<'listTags' | 'createTag' | 'getTag' | 'updateTag' | 'deleteTag'> = {
	listTags: ({ store }) => ({ data: store.tags.list() }),

	createTag({ store, body }) {
		if (body.title === undefined || body.title.trim() === '') throw emptyTitle();
		return store.tags.create(body.title);
	},

	getTag: ({ store, params }) => ({ data: existing(store, params.id) }),

	updateTag({ store, tenant, params, body }) {
		existing(store, params.id);
		if (body.title !== undefined) {
			if (body.title.trim() === '') throw emptyTitle();
			store.tags.rename(params.id, body.title);
			tenant.events.emit('reset');
		}
		return existing(store, params.id);
	},

	deleteTag({ store, tenant, params }) {
		store.tags.delete(existing(store, params.id).id);
		tenant.events.emit('reset');
		return DELETED;
	},
};
