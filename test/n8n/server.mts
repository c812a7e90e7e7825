import { type RunningProcess, untilReady } from './childProcess.mts';
import { runN8n } from './process.mts';
import type { N8nInstance } from './settings.mts';

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
	await untilReady(running, 'n8n', `${url}/healthz/readiness`);
	return { ...running, url };
}
