import { type RunningProcess, untilReady } from './childProcess';
import { runN8n } from './process';
import type { N8nInstance } from './settings';

/** Milliseconds. A first start also creates the database. */
const START_WITHIN = 120_000;

/** An n8n that answers at `url`. */
export interface N8nServer extends RunningProcess {
	/** Without a slash at the end. */
	url: string;
}

/**
 * Starts n8n and waits until it is ready.
 *
 * @throws Error with the end of its log when it ends before, or is not ready in time
 */
export async function startN8n(
	instance: N8nInstance & { port: number },
	{ command = 'start', logFile }: { command?: string; logFile?: string } = {},
): Promise<N8nServer> {
	const running = await runN8n(instance, [command], logFile);
	const url = `http://127.0.0.1:${instance.port}`;
	await untilReady(running, 'n8n', `${url}/healthz/readiness`, START_WITHIN);
	return { ...running, url };
}
