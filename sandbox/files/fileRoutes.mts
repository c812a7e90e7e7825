import type { FastifyInstance, FastifyReply } from 'fastify';
import { STATUS } from '../choices.mts';
import { notFound, Refusal } from '../refusal.mts';
import type { StoredFile } from '../resources/file.mts';
import type { Store } from '../store/store.mts';
import { isSignatureValid } from './fileUrls.mts';

interface FileParams {
	uuid: string;
}

/** Sends a file with the type it was uploaded with. */
export function sendFile(reply: FastifyReply, store: Store, file: StoredFile): FastifyReply {
	return reply
		.type(file.mime_type)
		.header('content-length', file.size)
		.header('x-content-type-options', 'nosniff')
		.header('content-disposition', `inline; filename*=UTF-8''${encodeURIComponent(file.name)}`)
		.send(store.files.open(file.uuid));
}

/** The publicly reachable addresses of uploaded files: permanent for public ones, signed and temporary for the others. */
export function addFileRoutes(server: FastifyInstance, store: Store): void {
	server.get<{ Params: FileParams }>('/files/public/:uuid/:name', (request, reply) => {
		const file = store.files.find(request.params.uuid);
		if (!file?.public) throw notFound('File');
		return sendFile(reply, store, file);
	});

	server.get<{ Params: FileParams; Querystring: { expires?: string; signature?: string } }>(
		'/files/temporary/:uuid/:name',
		(request, reply) => {
			const { expires = '', signature = '' } = request.query;
			if (!isSignatureValid(store, request.params.uuid, Number(expires), signature)) {
				throw new Refusal(STATUS.notAttached, 'This address is not valid any more.');
			}
			const file = store.files.find(request.params.uuid);
			if (!file) throw notFound('File');
			return sendFile(reply, store, file);
		},
	);
}
