import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';

const projectFolder = path.resolve(import.meta.dirname, '..');

/** What ends up in the package, or decides how it is made. */
const SOURCES = [
	'nodes',
	'credentials',
	'icons',
	'gulpfile.js',
	'tsconfig.json',
	'package.json',
	'README.md',
	'LICENSE',
];

/** Compiles the package into `dist`. @throws Error with what the build printed when it fails */
export async function build(): Promise<void> {
	await runTool('gulp', ['build']);
}

/** Packs what is in `dist` as it would be published. Gives the tarball, which is alone in `folder`. */
export async function pack(folder: string): Promise<string> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await runTool('npm', ['pack', '--pack-destination', folder]);
	const [tarball] = await readdir(folder);
	return path.join(folder, tarball);
}

/** A digest of everything that the package is made of: equal digests, equal package. */
export async function sourcesDigest(): Promise<string> {
	return await digestOf(SOURCES.map((source) => path.join(projectFolder, source)));
}

/** A digest of the names and contents of files, and of all files in folders. */
export async function digestOf(places: string[]): Promise<string> {
	const digest = createHash('sha256');
	for (const file of (await Promise.all(places.map(filesOf))).flat()) {
		digest.update(`${path.relative(projectFolder, file)}\n`).update(await readFile(file));
	}
	return digest.digest('hex');
}

async function filesOf(place: string): Promise<string[]> {
	if (!(await stat(place)).isDirectory()) return [place];
	const names = (await readdir(place)).sort();
	return (await Promise.all(names.map(async (name) => await filesOf(path.join(place, name))))).flat();
}

async function runTool(command: string, args: string[]): Promise<void> {
	const { execa } = await import('execa');
	const { exitCode, all } = await execa(command, args, {
		cwd: projectFolder,
		preferLocal: true,
		localDir: projectFolder,
		all: true,
		reject: false,
	});
	if (exitCode !== 0) throw new Error(`${command} ${args[0]} failed\n${all}`);
}
