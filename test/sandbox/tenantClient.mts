import type { AxiosInstance } from 'axios';

import type { Sandbox } from '../../sandbox/server.mts';
import { http, type Question, send, type TextAnswer } from '../http.mts';
import { ask as askInMemory } from '../tenant/memoryNetwork.mts';

/** An answer as a test looks at it. */
export interface Answer extends Omit<TextAnswer, 'body'> {
	/** The JSON of the answer; the text, where it is none. */
	body: unknown;
}

/** Sends a request and reads its answer. */
export async function ask(url: string, question?: Question): Promise<Answer> {
	const { status, headers, body } = await send(url, question);
	const isJson = headers['content-type']?.includes('json') ?? false;
	return { status, headers, body: isJson ? JSON.parse(body) : body };
}

/** Asks the interface of a tenant as its admin; throws where the answer is no success. */
export function asAdmin({ url, token }: Pick<Sandbox, 'token' | 'url'>): AxiosInstance {
	const client = http.create({
		baseURL: `${url}/third-party/v1`,
		headers: { authorization: `Bearer ${token}` },
		adapter: askInMemory,
	});
	client.interceptors.response.use((answer) => {
		const { status, data, config } = answer;
		if (status < 300) return answer;
		throw new Error(`${config.method} ${config.url}: ${status} ${JSON.stringify(data)}`);
	});
	return client;
}
