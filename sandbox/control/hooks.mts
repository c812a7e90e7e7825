import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { load } from 'js-yaml';
import type { Sandbox } from '../server.mts';
import { messageOf } from '../texts.mts';
import { problemFinder } from '../validation.mts';
import { askSandbox, type Sender, SENDERS } from './ownRequests.mts';

/** A request of a hook. */
interface HookRequest {
	method: string;
	path: string;
	body?: unknown;
	as?: Sender;
	/** Only at a tenant that starts empty, for what a data folder keeps. */
	onlyWhenFresh?: boolean;
}

const findProblem = problemFinder(() => ({
	type: 'object',
	required: ['method', 'path'],
	additionalProperties: false,
	properties: {
		method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
		path: { type: 'string', pattern: '^/', title: 'a path that begins with /' },
		body: {},
		as: { enum: SENDERS },
		onlyWhenFresh: { type: 'boolean' },
	},
}));

async function send(sandbox: Sandbox, { method, path, as, body }: HookRequest): Promise<void> {
	const { status, body: answer } = await askSandbox(sandbox, {
		method,
		path,
		as,
		...(body !== undefined && {
			headers: { 'content-type': 'application/json' },
			body: Buffer.from(JSON.stringify(body)),
		}),
	});
	if (status < 300) return;
	const text = answer.toString();
	const { message = text } = (text.startsWith('{') ? JSON.parse(text) : {}) as { message?: string };
	throw new Error(`${method} ${path} was answered with ${status}: ${message}`);
}

/** One request, or a list of them. */
async function runRequests(file: string, sandbox: Sandbox): Promise<void> {
	const requests = [load(readFileSync(file, 'utf8'))].flat();
	for (const [index, request] of requests.entries()) {
		const which = requests.length > 1 ? `request ${index + 1}: ` : '';
		const problem = findProblem(request);
		if (problem !== undefined) throw new Error(which + problem);
		const { onlyWhenFresh = false } = request as HookRequest;
		if (onlyWhenFresh && !sandbox.isFresh) continue;
		await send(sandbox, request as HookRequest).catch((error: Error) => {
			throw new Error(which + error.message);
		});
	}
}

const TYPES = ['.json', '.yaml', '.yml'];

function filesOf(folder: string): string[] {
	try {
		return readdirSync(folder, { withFileTypes: true })
			.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
			.map(({ name }) => join(folder, name))
			.sort();
	} catch (error) {
		throw new Error(`The hooks in ${folder} cannot be read: ${(error as Error).message}`);
	}
}

/**
 * Sends the requests in the files of a folder, in the order of the names. Folders and names that begin with a dot are left alone.
 * @throws in one sentence that names the file
 */
export async function runHooks(folder: string, sandbox: Sandbox): Promise<void> {
	for (const file of filesOf(folder)) {
		try {
			if (!TYPES.includes(extname(file))) throw new Error(`a hook is a file of type ${TYPES.join(', ')}.`);
			await runRequests(file, sandbox);
		} catch (error) {
			const [reason] = messageOf(error).split('\n');
			throw new Error(`The hook ${file} failed: ${reason}`);
		}
	}
}
