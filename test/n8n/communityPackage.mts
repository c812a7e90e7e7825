import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Installs a packed community package into a user folder, as n8n's documents tell an administrator to: with npm in
 * `.n8n/nodes`. What was installed there before goes.
 *
 * @param tarball what `npm pack` wrote
 * @param userFolder the folder that N8N_USER_FOLDER names
 * @throws Error with what npm printed when it fails
 */
export async function installCommunityPackage(tarball: string, userFolder: string): Promise<void> {
	const { execa } = await import('execa');
	const nodesFolder = path.join(userFolder, '.n8n', 'nodes');
	await rm(nodesFolder, { recursive: true, force: true });
	await mkdir(nodesFolder, { recursive: true });
	const ledger = { name: 'installed-nodes', private: true, dependencies: {} };
	await writeFile(path.join(nodesFolder, 'package.json'), JSON.stringify(ledger));
	// n8n has the peer dependencies itself, and takes them out where it installs a package from its editor.
	const settings = ['--legacy-peer-deps', '--ignore-scripts', '--no-package-lock', '--offline', '--no-audit'];
	const { exitCode, all } = await execa('npm', ['install', path.resolve(tarball), ...settings], {
		...{ cwd: nodesFolder, all: true, reject: false },
	});
	if (exitCode !== 0) throw new Error(`npm did not install ${tarball}\n${all}`);
}
