import { invalid, notFound } from '../refusal.mts';
import type { Media } from '../store/media.mts';
import type { Store } from '../store/store.mts';
import { DELETED, type Operations } from './operation.mts';
import { checkTagChoices } from './tagChoices.mts';

function existing(store: Store, id: number): Media {
	const media = store.media.find(id);
	if (!media) throw notFound('Media item');
	return media;
}

export const mediaOperations: Operations<
	| 'listMedia'
	| 'createMedia'
	| 'getMedia'
	| 'updateMedia'
	| 'deleteMedia'
	| 'listMediaTags'
	| 'syncMediaTags'
	| 'detachMediaTag'
> = {
	listMedia: ({ store }) => ({ data: store.media.list() }),

	createMedia({ store, body }) {
		const file = store.files.find(body.internal_uuid);
		if (!file) throw invalid({ internal_uuid: ['No uploaded file has this UUID. Upload the file first.'] });
		if (file.type !== body.type) throw invalid({ type: [`The file was uploaded as ${file.type}.`] });
		const id = store.media.create({
			type: body.type,
			internal_uuid: file.uuid,
			title: body.title ?? null,
			description: body.description ?? null,
			filename: body.filename ?? file.name,
		});
		return existing(store, id);
	},

	getMedia: ({ store, params }) => ({ data: existing(store, params.id) }),

	updateMedia({ store, params, body }) {
		existing(store, params.id);
		store.media.update(params.id, body);
		return existing(store, params.id);
	},

	deleteMedia({ store, params }) {
		store.media.delete(existing(store, params.id).id);
		return DELETED;
	},

	listMediaTags: ({ store, params }) => ({
		data: store.tags.of('media', existing(store, params.mediaId).id),
	}),

	syncMediaTags({ store, params, body }) {
		const media = existing(store, params.mediaId);
		checkTagChoices(store, body.tags);
		return { data: store.tags.sync('media', media.id, body.tags) };
	},

	detachMediaTag({ store, params }) {
		const media = existing(store, params.mediaId);
		if (!store.tags.detach('media', media.id, params.tagId)) throw notFound('Tag of this media item');
		return { data: store.tags.of('media', media.id) };
	},
};
