import axios from 'axios';
import type { Sandbox } from '../server.mts';

/** Whose token a request to the interface carries. */
export const SENDERS = ['admin', 'user', 'nobody'] as const;
export type Sender = (typeof SENDERS)[number];

/** A request to the interface or the control plane. */
export interface OwnRequest {
	method: string;
	/** With the query, such as `/sandbox/seed` or `/third-party/v1/tags?page=2`. */
	path: string;
	as?: Sender;
	headers?: Record<string, string>;
	body?: Buffer;
}

export interface OwnAnswer {
	status: number;
	headers: Record<string, unknown>;
	body: Buffer;
}

/** What of a sandbox is needed to ask it. */
export type Asked = Pick<Sandbox, 'controlToken' | 'token' | 'url' | 'userToken'>;

function tokenFor({ token, userToken, controlToken }: Asked, { path, as = 'admin' }: OwnRequest) {
	if (/^\/sandbox(?![\w-])/.test(path)) return controlToken;
	return { admin: token, user: userToken, nobody: undefined }[as];
}

/**
 * Sends a request to a sandbox over HTTP, as anybody else does, with the token it needs.
 * @throws when the connection is closed without an answer
 */
export async function askSandbox(sandbox: Asked, request: OwnRequest): Promise<OwnAnswer> {
	const { method, path, body } = request;
	const token = tokenFor(sandbox, request);
	const headers = { ...request.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
	const answer = await axios.request<Buffer>({
		method,
		url: sandbox.url + path,
		// What has no type would be called a form.
		headers: { 'content-type': false, ...headers },
		data: body,
		responseType: 'arraybuffer',
		validateStatus: () => true,
		maxRedirects: 0,
		maxBodyLength: Infinity,
		decompress: false,
		proxy: false,
	});
	return { status: answer.status, headers: { ...answer.headers }, body: answer.data };
}
