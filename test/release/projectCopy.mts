import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { load } from 'js-yaml';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Where the copy's owner keeps it, as GitHub names it. */
const REPOSITORY = 'an-owner/n8n-nodes-customer-messaging';
const ADDRESS = `https://github.com/${REPOSITORY}`;

const UNRELEASED = '## [Unreleased]';

/** Right after a release there is nothing else to release. */
const ENTRY = '### Added\n\n- Names of an owner.';

/** Git and npm without what the user and the service of this machine have set. */
const SETTINGS = {
	GIT_CONFIG_GLOBAL: '/dev/null',
	GIT_CONFIG_NOSYSTEM: '1',
	GIT_AUTHOR_NAME: 'Release test',
	GIT_AUTHOR_EMAIL: 'release@customer-messaging.example',
	GIT_COMMITTER_NAME: 'Release test',
	GIT_COMMITTER_EMAIL: 'release@customer-messaging.example',
	GITHUB_REPOSITORY: REPOSITORY,
};

/** What a command printed, and how it ended. */
export interface Ended {
	exitCode: number | undefined;
	/** Both of its outputs. */
	all: string;
	stdout: string;
}

/** A copy of the project as it stands, in a repository of its own that pushes into another folder. */
export class ProjectCopy {
	/** The copy itself. */
	readonly project: string;

	/** Where it pushes. */
	readonly origin: string;

	private readonly env: NodeJS.ProcessEnv;

	private constructor(private readonly folder: string) {
		this.project = path.join(folder, 'project');
		this.origin = path.join(folder, 'origin.git');
		const inherited = Object.entries(process.env).filter(
			([name]) => !/^(npm|n8n|github|actions|jest)_|^(CI|NODE_OPTIONS|NODE_ENV)$/i.test(name),
		);
		this.env = { ...Object.fromEntries(inherited), ...SETTINGS };
	}

	/**
	 * Copies the files that git knows.
	 *
	 * @param folder holds the copy and what it pushes into
	 * @param isWanted chooses among the files, by their path from the root
	 */
	static async into(folder: string, isWanted: (file: string) => boolean = () => true): Promise<ProjectCopy> {
		const copy = new ProjectCopy(folder);
		const known = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
		const deleted = (await copy.succeeded('git', ['ls-files', '-z', '--deleted'], ROOT)).split('\0');
		const files = (await copy.succeeded('git', known, ROOT)).split('\0');
		for (const file of files.filter((one) => one !== '' && !deleted.includes(one) && isWanted(one))) {
			await cp(path.join(ROOT, file), path.join(copy.project, file));
		}
		await copy.succeeded('git', ['init', '--quiet', '--bare', '--initial-branch=main', copy.origin], folder);
		await copy.git('init', '--quiet', '--initial-branch=main');
		await copy.linkTools(copy.project);
		await copy.git('add', '--all', '.');
		await copy.git('commit', '--quiet', '--message', 'All of it');
		await copy.git('remote', 'add', 'origin', copy.origin);
		await copy.git('push', '--quiet', '--set-upstream', 'origin', 'main');
		return copy;
	}

	/** Runs a command of the project or of this machine. */
	async run(
		command: string,
		args: string[],
		cwd = this.project,
		env: NodeJS.ProcessEnv = {},
	): Promise<Ended> {
		// The set-up of the tests of a real n8n is CommonJS, which cannot require this package.
		const { execa } = await import('execa');
		const { exitCode, all, stdout } = await execa(command, args, {
			...{ cwd, env: { ...this.env, ...env }, extendEnv: false },
			...{ preferLocal: true, localDir: ROOT, all: true, reject: false },
		});
		return { exitCode, all, stdout };
	}

	/** The same, for its output. @throws Error with what it printed when it fails */
	async succeeded(...given: Parameters<ProjectCopy['run']>): Promise<string> {
		const { exitCode, all, stdout } = await this.run(...given);
		if (exitCode !== 0) throw new Error(`${[given[0], ...given[1]].join(' ')} failed (${exitCode})\n${all}`);
		return stdout;
	}

	/** Runs git in the copy. */
	async git(...args: string[]): Promise<string> {
		return await this.succeeded('git', args);
	}

	/** A file of the copy. */
	async read(file: string): Promise<string> {
		return await readFile(path.join(this.project, file), 'utf8');
	}

	/** The version in package.json or package-lock.json. */
	async versionIn(file: string): Promise<unknown> {
		return (JSON.parse(await this.read(file)) as { version: unknown }).version;
	}

	/** Changes the text of a file of the copy. */
	async change(file: string, edit: (text: string) => string): Promise<void> {
		await this.write(file, edit(await this.read(file)));
	}

	/**
	 * Writes names that an owner has, where the documents tell an owner to, and notes a change for the next version.
	 *
	 * @param workspace does it for this package of the project
	 */
	async fillIn(others: object = {}, workspace = ''): Promise<void> {
		const manifest = path.join(workspace, 'package.json');
		const own = {
			...(JSON.parse(await this.read(manifest)) as object),
			author: { name: 'An owner', email: 'owner@users.noreply.github.com' },
			homepage: ADDRESS,
			bugs: { url: `${ADDRESS}/issues` },
			repository: { type: 'git', url: `git+${ADDRESS}.git`, ...(workspace && { directory: workspace }) },
			...others,
		};
		await this.write(manifest, `${JSON.stringify(own, null, '  ')}\n`);
		const changelog = path.join(workspace, 'CHANGELOG.md');
		await this.change(changelog, (text) => text.replace(UNRELEASED, `${UNRELEASED}\n\n${ENTRY}`));
		await this.git('commit', '--quiet', '--all', '--message', 'Write our own names');
		await this.git('push', '--quiet');
	}

	/** Makes a release, or one of the sandbox, without the tests before it, which run in the whole project. */
	async release(version: string, ...args: string[]): Promise<Ended> {
		return await this.run('npm', ['run', 'release', '--', version, ...args, '--without-tests']);
	}

	/** Runs what a workflow does with a tag before it installs anything. */
	async checkedBy(workflow: string, tag: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
		const { jobs } = load(await this.read(`.github/workflows/${workflow}`)) as {
			jobs: { test: { steps: Array<{ run?: string }> } };
		};
		const [version, names] = jobs.test.steps.flatMap(({ run }) => run ?? []);
		const all = { GITHUB_REF_NAME: tag, ...env };
		return await this.run('bash', ['-e', '-c', `${version}\n${names}`], this.project, all);
	}

	/** Checks a tag out of what was pushed, as a job of the publishing workflow does. Gives the folder. */
	async checkOut(tag: string, job: string): Promise<string> {
		const checkout = path.join(this.folder, `checkout-${job}`);
		await rm(checkout, { recursive: true, force: true });
		await mkdir(path.dirname(checkout), { recursive: true });
		const clone = ['-c', 'advice.detachedHead=false', 'clone', '--quiet', '--branch', tag];
		await this.succeeded('git', [...clone, this.origin, checkout], this.folder);
		await this.linkTools(checkout);
		return checkout;
	}

	private async write(file: string, text: string): Promise<void> {
		await writeFile(path.join(this.project, file), text);
	}

	/**
	 * What `npm ci` would install again. The folder is one of its own, since npm notes in it which version of the sandbox there
	 * is.
	 */
	private async linkTools(folder: string): Promise<void> {
		const [from, to] = [ROOT, folder].map((one) => path.join(one, 'node_modules'));
		await mkdir(to);
		for (const name of await readdir(from)) {
			if (name === '.package-lock.json') await cp(path.join(from, name), path.join(to, name));
			else await symlink(path.join(from, name), path.join(to, name), 'junction');
		}
	}
}
