import { createReadStream, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { FILE_RETENTION_DAYS, type FileKind } from '../choices.mts';
import { DAY } from '../clock.mts';
import { type RenderedFile, renderFile, signedUrl } from '../files/fileUrls.mts';
import { receiveUpload } from '../files/upload.mts';
import { existing } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Tables } from '../store/tables.mts';
import type { Operations } from './operation.mts';

/** A stored upload. Its content lies in a folder under its UUID. */
export interface StoredFile {
	uuid: string;
	type: FileKind;
	public: boolean;
	name: string;
	mime_type: string;
	size: number;
	sha256: string;
	created_at: string;
}

type FileRow = Omit<StoredFile, 'public'> & { public: number; expires_at: number };

export const tables = {
	files: {
		columns: `
			uuid TEXT PRIMARY KEY,
			type TEXT NOT NULL,
			public INTEGER NOT NULL,
			name TEXT NOT NULL,
			mime_type TEXT NOT NULL,
			size INTEGER NOT NULL,
			sha256 TEXT NOT NULL,
			created_at TEXT NOT NULL,
			expires_at INTEGER NOT NULL`,
		indexes: ['(expires_at)'],
	},
} satisfies Tables;

const toFile = (row: FileRow): StoredFile => ({
	uuid: row.uuid,
	type: row.type,
	public: row.public === 1,
	name: row.name,
	mime_type: row.mime_type,
	size: row.size,
	sha256: row.sha256,
	created_at: row.created_at,
});

/** Uploaded files: records in the database, contents in a folder, so that large ones are never held in memory. */
export class Records extends RecordStore {
	/** Where the content of an upload goes while it comes in. */
	incomingPath(uuid: string): string {
		return join(this.folder, `${uuid}.part`);
	}

	/** Takes over a complete incoming file. */
	add(file: Omit<StoredFile, 'created_at'>): StoredFile {
		renameSync(this.incomingPath(file.uuid), this.path(file.uuid));
		const created_at = this.clock.iso();
		this.database.insert('files', {
			...file,
			public: file.public ? 1 : 0,
			created_at,
			expires_at: this.clock.now() + FILE_RETENTION_DAYS * DAY,
		});
		return { ...file, created_at };
	}

	/** Forgets an incoming file that is not taken over. */
	discard(uuid: string): void {
		rmSync(this.incomingPath(uuid), { force: true });
	}

	/** The file with this UUID, unless its retention is over; a file of the media library stays as long as its item. */
	find(uuid: string): StoredFile | undefined {
		this.purgeExpired();
		const row = this.database.get<FileRow>('SELECT * FROM files WHERE uuid = ?', uuid);
		return row && existsSync(this.path(uuid)) ? toFile(row) : undefined;
	}

	open(uuid: string): Readable {
		return createReadStream(this.path(uuid));
	}

	count(): number {
		return this.database.count('files');
	}

	private purgeExpired(): void {
		const expired = this.database.all<{ uuid: string }>(
			'SELECT uuid FROM files WHERE expires_at <= ? AND uuid NOT IN (SELECT internal_uuid FROM media)',
			this.clock.now(),
		);
		for (const { uuid } of expired) {
			this.database.run('DELETE FROM files WHERE uuid = ?', uuid);
			rmSync(this.path(uuid), { force: true });
		}
	}

	private path(uuid: string): string {
		return join(this.folder, uuid);
	}
}

export const operations = {
	async uploadTemporaryFile({ request, store, origin }): Promise<RenderedFile> {
		return renderFile(store, await receiveUpload(request, store), origin);
	},

	downloadFile({ store, params, reply }) {
		const file = existing(store.files.find(params.uuid), 'File');
		reply.type('application/octet-stream').header('content-length', file.size);
		return store.files.open(file.uuid);
	},

	getTemporaryFileUrl: ({ store, params, origin }) => ({
		url: signedUrl(store, existing(store.files.find(params.uuid), 'File'), origin),
	}),
} satisfies Operations;
