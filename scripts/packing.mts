import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

const projectFolder = path.resolve(import.meta.dirname, '..');

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
