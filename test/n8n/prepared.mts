import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { pack } from '../../scripts/packing.mts';
import { rehearsed } from '../release/rehearsal.mts';
import { installCommunityPackage } from './communityPackage.mts';
import { installedN8n } from './installation.mts';
import { freePort } from './ports.mts';
import { secretsIn } from './secrets.mts';
import { startN8n } from './server.mts';
import { leanSettings, ownerSettings, preparedFolder, SECRETS_FILE } from './settings.mts';

/** The user folder among what is prepared. */
const userFolderIn = (folder: string) => path.join(folder, 'user');

/**
 * Starts n8n for the first time, which takes longer than each start after it: it creates its tables and the account of its owner.
 *
 * @returns a folder to remove at the end; PREPARED_N8N names it from now on
 */
export async function firstStart(): Promise<string> {
	const folder = await mkdtemp(path.join(tmpdir(), 'prepared-n8n-'));
	const installation = installedN8n();
	await secretsIn(path.join(folder, SECRETS_FILE), installation);
	process.env.PREPARED_N8N = folder;
	const env = { ...ownerSettings(), ...leanSettings };
	const userFolder = userFolderIn(folder);
	const n8n = await startN8n({ installation, userFolder, port: await freePort(), env });
	await n8n.stop();
	return folder;
}

/** Installs the package into what is prepared: that of the rehearsed release where there is one. */
export async function installPackage(): Promise<void> {
	const folder = preparedFolder() ?? '';
	const tarball = rehearsed()?.tarball ?? (await pack(path.join(folder, 'pack')));
	await installCommunityPackage(tarball, userFolderIn(folder));
}

/** Makes a user folder of its own out of what is prepared. */
export async function copyPrepared(userFolder: string): Promise<void> {
	await rm(userFolder, { recursive: true, force: true });
	await cp(userFolderIn(preparedFolder() ?? ''), userFolder, { recursive: true });
}
