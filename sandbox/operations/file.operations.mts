import type { RenderedFile } from '../files/fileUrls.mts';
import { renderFile, signedUrl } from '../files/fileUrls.mts';
import { receiveUpload } from '../files/upload.mts';
import { notFound } from '../refusal.mts';
import type { StoredFile } from '../store/files.mts';
import type { Store } from '../store/store.mts';
import type { Operations } from './operation.mts';

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
