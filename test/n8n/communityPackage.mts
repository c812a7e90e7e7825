import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Puts a packed community package into a user folder the way n8n's own install does: unpacked under `.n8n/nodes`, with
 * no dependencies but the package's runtime ones, and listed in that folder's package.json.
 *
 * @param tarball what `npm pack` wrote
 * @param userFolder the folder that N8N_USER_FOLDER names
 */
export async function installCommunityPackage(tarball: string, userFolder: string): Promise<void> {
	const { extract } = await import('tar');
	const nodesFolder = path.join(userFolder, '.n8n', 'nodes');
	const modules = path.join(nodesFolder, 'node_modules');
	const unpacked = path.join(modules, '.unpacked');
	await rm(modules, { recursive: true, force: true });
	await mkdir(unpacked, { recursive: true });
	await extract({ file: tarball, cwd: unpacked, strip: 1 });

	const manifest = JSON.parse(await readFile(path.join(unpacked, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
		[field: string]: unknown;
	};
	delete manifest.devDependencies;
	delete manifest.peerDependencies;
	delete manifest.optionalDependencies;
	const { name, version } = manifest;
	const folder = path.join(modules, name);
	await mkdir(path.dirname(folder), { recursive: true });
	await rename(unpacked, folder);
	await writeJson(path.join(folder, 'package.json'), manifest);
	await writeJson(path.join(nodesFolder, 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: { [name]: version },
	});
}

async function writeJson(file: string, content: unknown): Promise<void> {
	await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
}
