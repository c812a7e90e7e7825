import { mkdir } from 'node:fs/promises';

import { type RunningProcess, startProcess } from './childProcess.mts';
import { environmentOf, type N8nInstance } from './settings.mts';

/**
 * Runs `n8n <args>` on a user folder.
 *
 * @param logFile also gets everything that the process prints
 */
export async function runN8n(
	instance: N8nInstance,
	args: string[],
	logFile?: string,
): Promise<RunningProcess> {
	const { installation, userFolder, signal } = instance;
	await mkdir(userFolder, { recursive: true });
	return await startProcess(installation.node, [installation.script, ...args], {
		name: 'n8n',
		cwd: userFolder,
		env: await environmentOf(instance),
		logFile,
		signal,
	});
}
