import { createHash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import type { FileKind } from '../choices.mts';
import { existing, invalid, notFound } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Store } from '../store/store.mts';
import { Table } from '../store/table.mts';
import { DELETED, type Operations } from './operation.mts';
import { checkTagChoices } from './tag.mts';

export interface Media {
	id: number;
	type: FileKind;
	internal_uuid: string;
	title: string | null;
	description: string | null;
	filename: string;
	created_at: string;
	updated_at: string;
}

export const tables = { media: () => new Table<Media>({ firstId: 71, isCounted: true }) };

/** The media library: entries for uploaded files. */
export class Records extends RecordStore {
	list(): Media[] {
		return this.tables.media.all();
	}

	find(id: number): Media | undefined {
		return this.tables.media.find(id);
	}

	create(fields: Omit<Media, 'created_at' | 'id' | 'updated_at'>): Media {
		return this.tables.media.insert({ ...fields, ...this.born });
	}

	update(id: number, { title, description, filename }: Partial<Media>): Media | undefined {
		return this.tables.media.update(id, { title, description, filename, ...this.touched });
	}

	delete(id: number): void {
		this.tables.media.delete(id);
		this.tables.media_tags.forgetOwner(id);
	}
}

const ITEM = 'Media item';

export const operations = {
	listMedia: ({ store }) => ({ data: store.media.list() }),

	createMedia({ store, body }) {
		const file = store.files.find(body.internal_uuid);
		if (!file) throw invalid({ internal_uuid: ['No uploaded file has this UUID. Upload the file first.'] });
		if (file.type !== body.type) throw invalid({ type: [`The file was uploaded as ${file.type}.`] });
		return store.media.create({
			type: body.type,
			internal_uuid: file.uuid,
			title: body.title ?? null,
			description: body.description ?? null,
			filename: body.filename ?? file.name,
		});
	},

	getMedia: ({ store, params }) => ({ data: existing(store.media.find(params.id), ITEM) }),

	updateMedia({ store, params, body }) {
		return existing(store.media.update(params.id, body), ITEM);
	},

	deleteMedia({ store, params }) {
		store.media.delete(existing(store.media.find(params.id), ITEM).id);
		return DELETED;
	},

	listMediaTags: ({ store, params }) => ({
		data: store.tags.of('media', existing(store.media.find(params.mediaId), ITEM).id),
	}),

	syncMediaTags({ store, params, body }) {
		const media = existing(store.media.find(params.mediaId), ITEM);
		checkTagChoices(store, body.tags);
		return { data: store.tags.sync('media', media.id, body.tags) };
	},

	detachMediaTag({ store, params }) {
		const media = existing(store.media.find(params.mediaId), ITEM);
		if (!store.tags.detach('media', media.id, params.tagId)) throw notFound('Tag of this media item');
		return { data: store.tags.of('media', media.id) };
	},
} satisfies Operations;

const PICTURE = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="960" height="500">
	<defs><linearGradient id="sky" x1="0" y1="0" x2="1" y2="1">
		<stop offset="0" stop-color="#f6d365"/><stop offset="1" stop-color="#fda085"/>
	</linearGradient></defs>
	<rect width="960" height="500" fill="url(#sky)"/>
	<circle cx="760" cy="150" r="70" fill="#fff5e1" opacity=".9"/>
	<path d="M0 400 Q240 300 480 390 T960 370 V500 H0Z" fill="#e8795a"/>
	<path d="M0 440 Q300 370 560 440 T960 430 V500 H0Z" fill="#b44a4a"/>
	<rect x="330" y="210" width="300" height="190" rx="14" fill="#fffaf3"/>
	<path d="M330 250 h300 M480 210 v190" stroke="#e8795a" stroke-width="16"/>
	<path d="M480 210 c-60 -80 -110 -20 0 0 c60 -80 110 -20 0 0" fill="none" stroke="#b44a4a" stroke-width="14"/>
</svg>`);

let picture: Promise<Buffer> | undefined;

/** The picture of the demo data, drawn once. */
export const demoPicture = (): Promise<Buffer> =>
	(picture ??= sharp(PICTURE).jpeg({ quality: 80 }).toBuffer());

export function demo({ files, media, tags }: Store, content: Buffer): void {
	const uuid = randomUUID();
	writeFileSync(files.incomingPath(uuid), content);
	const { name } = files.add({
		uuid,
		type: 'image',
		public: true,
		name: 'parcel-at-sunset.jpg',
		mime_type: 'image/jpeg',
		size: content.length,
		sha256: createHash('sha256').update(content).digest('hex'),
	});
	const { id } = media.create({
		type: 'image',
		internal_uuid: uuid,
		title: 'Parcel at sunset',
		description: 'Header of shipping messages',
		filename: name,
	});
	tags.sync('media', id, [{ id: tags.byTitle('Newsletter')?.id }]);
}
