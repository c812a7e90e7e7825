import { createReadStream, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { FILE_RETENTION_DAYS, type FileKind } from '../choices.mts';
import { DAY } from '../clock.mts';
import { type RenderedFile, renderFile, signedUrl } from '../files/fileUrls.mts';
import { receiveUpload } from '../files/upload.mts';
import { existing } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import { Table } from '../store/table.mts';
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

export const tables = { files: () => new Table<StoredFile>({ key: 'uuid' }) };

/** Uploaded files: records in memory, contents in a folder, so that large ones are never held in memory. */
export class Records extends RecordStore {
	/** Where the content of an upload goes while it comes in. */
	incomingPath(uuid: string): string {
		return join(this.folder, `${uuid}.part`);
	}

	/** Takes over a complete incoming file. */
	add(file: Omit<StoredFile, 'created_at'>): StoredFile {
		renameSync(this.incomingPath(file.uuid), this.path(file.uuid));
		return this.tables.files.insert({ ...file, created_at: this.clock.iso() });
	}

	/** Forgets an incoming file that is not taken over. */
	discard(uuid: string): void {
		rmSync(this.incomingPath(uuid), { force: true });
	}

	/** The file with this UUID, unless its retention is over; a file of the media library stays as long as its item. */
	find(uuid: string): StoredFile | undefined {
		const file = this.tables.files.find(uuid);
		if (!file) return undefined;
		const isOver = Date.parse(file.created_at) + FILE_RETENTION_DAYS * DAY <= this.clock.now();
		if (!isOver || this.tables.media.all().some(({ internal_uuid }) => internal_uuid === uuid)) return file;
		this.tables.files.delete(uuid);
		rmSync(this.path(uuid), { force: true });
		return undefined;
	}

	open(uuid: string): Readable {
		return createReadStream(this.path(uuid));
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
