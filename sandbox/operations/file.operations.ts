import type { RenderedFile } from '../files/file-urls';
import { renderFile, signedUrl } from '../files/file-urls';
import { receiveUpload } from '../files/upload';
import { notFound } from '../refusal';
import type { StoredFile } from '../store/files';
import type { Store } from '../store/store';
import type { Operations } from './operation';

function existing(store: Store, uuid: string): StoredFile {
	const file = store.files.find(uuid);
	if (!file) throw notFound('File');
	return file;
}

export const fileOperations: Operations<'uploadTemporaryFile' | 'downloadFile' | 'getTemporaryFileUrl'> = {
	async uploadTemporaryFile({ request, store, origin }): Promise<RenderedFile> {
		return renderFile(store, await receiveUpload(request, store), origin);
	},

	downloadFile({ store, params, reply }) {
		const file = existing(store, params.uuid);
		reply.type('application/octet-stream').header('content-length', file.size);
		return store.files.open(file.uuid);
	},

	getTemporaryFileUrl: ({ store, params, origin }) => ({
		url: signedUrl(store, existing(store, params.uuid), origin),
	}),
};
