import { http } from '../http.mts';
import { type RunningProcess, untilReady } from './childProcess.mts';
import { generation } from './generation.mts';
import { runN8n } from './process.mts';
import { type N8nInstance, owner, temporarySecrets } from './settings.mts';
import { waitFor } from './waitFor.mts';

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
	{
		command = 'start',
		logFile,
		ownerPassword,
	}: { command?: string; logFile?: string; ownerPassword?: string } = {},
): Promise<N8nServer> {
	const running = await runN8n(instance, [command], logFile);
	const url = `http://127.0.0.1:${instance.port}`;
	await untilReady(running, 'n8n', `${url}/healthz/readiness`);
	if (generation === 1 && command === 'start') {
		// It is ready before its routes and triggers are there.
		const isUp = () => running.log().some((line) => line.includes('Editor is now accessible')) || undefined;
		await waitFor('n8n to be up', isUp);
		if (instance.env?.N8N_INSTANCE_OWNER_EMAIL !== undefined) await setUpOwner(url, ownerPassword);
	}
	return { ...running, url };
}

/** Creates the owner account where there is none: n8n 1 does not take it from its environment. */
async function setUpOwner(url: string, password = temporarySecrets().ownerPassword): Promise<void> {
	const { status, data } = await http.post<unknown>(`${url}/rest/owner/setup`, { ...owner, password });
	const text = JSON.stringify(data);
	if (status < 300 || text.includes('already setup')) return;
	throw new Error(`n8n refused the account of ${owner.email} (${status})\n${text}`);
}
