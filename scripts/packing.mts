import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const projectFolder = path.resolve(import.meta.dirname, '..');

/** The members of a package.json that tell where a file of a version can be read. */
interface Published {
	version: string;
	/** The folder is that of a workspace, whose tags begin with its name. */
	repository: { url: string; directory?: string };
}

/** Compiles the package into `dist`. @throws Error with what the build printed when it fails */
export async function build(): Promise<void> {
	await runTool('gulp', ['build'], projectFolder);
}

/** Packs what is in `dist` as it would be published. Gives the tarball, which is alone in `folder`. */
export async function pack(folder: string): Promise<string> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await packInto(folder);
	const [tarball] = await readdir(folder);
	return path.join(folder, tarball);
}

/**
 * Writes the tarball that is published into a folder, beside what is there.
 *
 * @param workspace packs this workspace rather than the n8n package
 */
export async function packInto(folder: string, workspace = '.'): Promise<void> {
	const source = path.join(projectFolder, workspace);
	const stage = await mkdtemp(path.join(tmpdir(), 'packing-'));
	try {
		for (const name of ['dist', 'LICENSE', 'package.json'])
			await cp(path.join(source, name), path.join(stage, name), { recursive: true });
		const [readme, manifest] = await Promise.all(
			['README.md', 'package.json'].map((name) => readFile(path.join(source, name), 'utf8')),
		);
		await writeFile(path.join(stage, 'README.md'), readmeForNpm(readme, JSON.parse(manifest) as Published));
		// What the umask of this machine gives them would be in the tarball.
		for (const entry of await readdir(stage, { recursive: true, withFileTypes: true }))
			if (entry.isFile()) await chmod(path.join(entry.parentPath, entry.name), 0o644);
		await runTool('npm', ['pack', '--pack-destination', path.resolve(folder)], stage);
	} finally {
		await rm(stage, { recursive: true, force: true });
	}
}

/**
 * Has the pictures and links of a README lead to the files of the version's tag, by their whole address: npm and n8n show the
 * README without the project around it.
 * @returns the README as it is while the repository is not on GitHub
 */
export function readmeForNpm(readme: string, { version, repository }: Published): string {
	const { url, directory = '' } = repository;
	const [, name] = /^git\+https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\.git$/.exec(url) ?? [];
	if (name === undefined) return readme;
	const tag = `${directory && `${directory}-`}v${version}`;
	const whole = (target: string) => {
		if (/^(?:[a-z][a-z\d+.-]*:|#)/i.test(target)) return target;
		const [file, anchor] = target.split('#');
		const inProject = path.posix.join(directory, file);
		const address = /\.(?:png|svg)$/.test(file)
			? `https://raw.githubusercontent.com/${name}/${tag}/${inProject}`
			: `https://github.com/${name}/tree/${tag}/${inProject}`;
		return anchor === undefined ? address : `${address}#${anchor}`;
	};
	return readme
		.replace(/(\]\()([^)\s]+)/g, (_, before: string, target: string) => before + whole(target))
		.replace(
			/(\s(?:href|src|srcset)=")([^"]+)/g,
			(_, before: string, target: string) => before + whole(target),
		);
}

async function runTool(command: string, args: string[], cwd: string): Promise<void> {
	const { execa } = await import('execa');
	const { exitCode, all } = await execa(command, args, {
		cwd,
		preferLocal: true,
		localDir: projectFolder,
		all: true,
		reject: false,
	});
	if (exitCode !== 0) throw new Error(`${command} ${args[0]} failed\n${all}`);
}
