import type { Clock } from '../clock.mts';
import type { FileKind } from '../choices.mts';
import type { Database } from './database.mts';

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

export type MediaFields = Partial<Pick<Media, 'title' | 'description' | 'filename'>>;

/** The media library: entries for uploaded files. */
export class MediaStore {
	constructor(
		private readonly database: Database,
		private readonly clock: Clock,
	) {}

	list(): Media[] {
		return this.database.all<Media>('SELECT * FROM media ORDER BY id');
	}

	find(id: number): Media | undefined {
		return this.database.get<Media>('SELECT * FROM media WHERE id = ?', id);
	}

	create(fields: Pick<Media, 'type' | 'internal_uuid' | 'title' | 'description' | 'filename'>): number {
		const now = this.clock.iso();
		return this.database.insert('media', { ...fields, created_at: now, updated_at: now });
	}

	update(id: number, { title, description, filename }: MediaFields): void {
		this.database.update('media', id, { title, description, filename, updated_at: this.clock.iso() });
	}

	delete(id: number): void {
		this.database.run('DELETE FROM media WHERE id = ?', id);
	}
}
