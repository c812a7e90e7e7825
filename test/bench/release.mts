import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';

/** A version that was published, as its file. */
export interface Published {
	version: string;
	tarball: string;
}

/** What only keeps the name on npm; nothing is built in it. */
const PLACEHOLDER = '0.0.0';

async function npm(args: string[], folder: string) {
	const { execa } = await import('execa');
	const { exitCode, stdout, stderr } = await execa('npm', args, { cwd: folder, reject: false });
	if (exitCode === 0) return stdout;
	if (stderr.includes('E404')) return undefined;
	throw new Error(`npm ${args[0]} failed\n${stderr}`);
}

/**
 * Fetches the last release of a package from npm.
 *
 * @returns undefined while there is none
 * @throws Error with what npm printed when it cannot tell
 */
export async function lastRelease(name: string, folder: string): Promise<Published | undefined> {
	await mkdir(folder, { recursive: true });
	const version = (await npm(['view', `${name}@latest`, 'version'], folder))?.trim();
	if (version === undefined || version === '' || version === PLACEHOLDER) return undefined;
	await npm(['pack', `${name}@${version}`, '--ignore-scripts'], folder);
	const tarball = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
	return tarball === undefined ? undefined : { version, tarball: path.join(folder, tarball) };
}
