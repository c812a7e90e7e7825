import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Account } from '../../tenant-check/account.mts';
import type { CheckProblem } from '../../tenant-check/problem.mts';
import { Report } from '../../tenant-check/report.mts';
import { Walk } from '../../tenant-check/walk.mts';

const BASE_PATH = '/third-party/v1';

export type Write = (response: ServerResponse) => void;

/** What an account answers to a path: JSON, or what a function writes. */
export type Answers = Record<string, object | Write>;

/** The least that keeps every row. All other paths have an empty list. */
const USUAL: Answers = {
	'/me': { data: { id: 1, name: 'Ada' } },
	'/support/allowed-mime-types': { data: { image: [] } },
	'/support/media-size-limits': { data: { regular_mb: {} } },
	'/support/chatapp-pricing': { data: { pricing: [] } },
	'/tags/999999937': (response) => void response.writeHead(404).end('{"message":"Not found"}'),
};

const closing: Array<() => void> = [];

afterEach(() => {
	for (const close of closing.splice(0)) close();
});

/** A server that ends with its test. */
export async function listen(answer: RequestListener): Promise<string> {
	const server = createServer(answer);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	closing.push(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An account that answers what a test writes down. */
export async function scripted(answers: Answers): Promise<{ url: string; requests: string[] }> {
	const requests: string[] = [];
	const all = { ...USUAL, ...answers };
	const url = await listen((request, response) => {
		const { pathname, search } = new URL(String(request.url), 'http://account');
		const path = pathname.replace(BASE_PATH, '');
		requests.push(`${request.method} ${path}${search}`);
		const answer = all[path] ?? { data: [] };
		if (typeof answer === 'function') (answer as Write)(response);
		else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
	});
	return { url, requests };
}

/** Checks an account without pauses. Gives the rows of the report by their titles, and why it ended early. */
export async function check(
	url: string,
	token = 'a-token',
): Promise<{ rows: Record<string, string>; text: string; problem?: string }> {
	const report = new Report();
	const account = new Account({ baseUrl: `${url}${BASE_PATH}`, token }, report, 0);
	const problem = await new Walk(account, report).run().then(
		() => undefined,
		({ message }: CheckProblem) => message,
	);
	await account.close();
	const text = report.lines().join('\n');
	const cells = text.split('\n').map((line) => line.split(/ {2,}/));
	return {
		rows: Object.fromEntries(cells.map(([verdict, title, what]) => [title, `${verdict}: ${what}`])),
		text,
		problem,
	};
}
