import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

const projectFolder = path.resolve(import.meta.dirname, '..');

/** What `dist` is made of, and what decides how. */
export const BUILT = ['nodes', 'credentials', 'icons', 'gulpfile.js', 'tsconfig.json', 'package.json'];

/** What else is published. */
const PACKED = ['README.md', 'LICENSE'];

/** What tools make, and packages. */
const NOT_OURS = /^(node_modules|dist|coverage|\.git|\.dist-sources|\.n8n-demo.*|.*\.(tgz|webm))$/;

/** Where a build notes what it was made from: not in `dist`, which is published as it is. */
const NOTE = path.join(projectFolder, '.dist-sources');

/** A digest of everything that the package is made of: equal digests, equal package. */
export const packageDigest = async () => await digestOf([...BUILT, ...PACKED]);

/** A digest of everything that `dist` is made of. */
export const buildDigest = async () => await digestOf(BUILT);

/** Notes what `dist` was built from; undefined while it is being built. */
export async function noteBuild(digest: string | undefined): Promise<void> {
	if (digest === undefined) await rm(NOTE, { force: true });
	else await writeFile(NOTE, digest);
}

/** What is wrong with `dist`, in a sentence with the remedy; undefined when it was built from the sources as they are. */
export async function problemOfBuild(): Promise<string | undefined> {
	const builtFrom =
		existsSync(path.join(projectFolder, 'dist')) && existsSync(NOTE) && (await readFile(NOTE, 'utf8'));
	if (builtFrom && builtFrom === (await buildDigest())) return undefined;
	return 'Run "npm run build": dist is missing or was built from other sources than these.';
}

/** A digest of the names and contents of files, and of all our files in folders. Places are in the project. */
export async function digestOf(places: string[]): Promise<string> {
	const digest = createHash('sha256');
	const inProject = places.map((place) => path.join(projectFolder, place));
	for (const file of (await Promise.all(inProject.map(filesOf))).flat()) {
		digest.update(`${path.relative(projectFolder, file)}\n`).update(await readFile(file));
	}
	return digest.digest('hex');
}

async function filesOf(place: string): Promise<string[]> {
	if (!(await stat(place)).isDirectory()) return [place];
	const names = (await readdir(place)).filter((name) => !NOT_OURS.test(name)).sort();
	return (await Promise.all(names.map(async (name) => await filesOf(path.join(place, name))))).flat();
}
