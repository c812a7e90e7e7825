import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { TestTenant } from '../sandbox/tenant.mts';

/** A response on its way from the sandbox, which a test changes. */
export interface Passing {
	status: number;
	type: string;
	/** Undefined where what came is no JSON. */
	json: Record<string, unknown> & { data: Array<Record<string, unknown>> };
	/** What came. */
	bytes: Buffer;
	/** Sent in place of the JSON. */
	text?: string | Buffer;
	url: URL;
	reply: FastifyReply;
}

/** Makes a response to a request, which can be passed on to a sandbox. */
type Answering = (request: FastifyRequest, pass: () => Promise<Passing>) => Promise<Passing>;

/** A server in front of a sandbox. */
export async function startPassing(behind: Pick<TestTenant, 'token' | 'url'>, answer: Answering) {
	const server = Fastify({ forceCloseConnections: true });
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
	server.all('/*', async (request, reply) => {
		const pass = async (): Promise<Passing> => {
			const url = new URL(request.url, behind.url);
			const sent = request.headers['content-type'];
			const response = await fetch(url, {
				method: request.method,
				headers: { authorization: `Bearer ${behind.token}`, ...(sent && { 'content-type': sent }) },
				body: request.body ? new Uint8Array(request.body as Buffer) : undefined,
			});
			const bytes = Buffer.from(await response.arrayBuffer());
			const type = response.headers.get('content-type') ?? 'application/json';
			const json: Passing['json'] = type.includes('json') ? JSON.parse(bytes.toString()) : undefined;
			return { status: response.status, type, json, bytes, url, reply };
		};
		const { status, type, json, bytes, text } = await answer(request, pass);
		const body = text ?? ((json as unknown) === undefined ? bytes : JSON.stringify(json));
		return await reply.status(status).type(type).send(Buffer.from(body));
	});
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	return { url, close: async () => await server.close() };
}
