import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';
import { parse } from 'yaml';

const ROOT = path.resolve(import.meta.dirname, '../..');

const OWN = 'https://github.com/an-owner/n8n-nodes-customer-messaging';

let folder: string;
let clone: string;

/** Git and npm without what the user of this machine has set. */
const env = {
	GIT_CONFIG_GLOBAL: '/dev/null',
	GIT_CONFIG_NOSYSTEM: '1',
	GIT_AUTHOR_NAME: 'Release test',
	GIT_AUTHOR_EMAIL: 'release@customer-messaging.example',
	GIT_COMMITTER_NAME: 'Release test',
	GIT_COMMITTER_EMAIL: 'release@customer-messaging.example',
};

const run = async (command: string, args: string[], cwd = clone) =>
	await execa(command, args, { cwd, env, preferLocal: true, localDir: ROOT, all: true, reject: false });
const git = async (...args: string[]) => {
	const { stdout, exitCode, all } = await run('git', args);
	if (exitCode !== 0) throw new Error(all);
	return stdout;
};
const readJson = async (file: string) =>
	JSON.parse(await readFile(path.join(clone, file), 'utf8')) as Record<string, unknown>;

/** Makes a release, without the tests before it and without the page on GitHub. */
const release = async (...args: string[]) =>
	await run('release-it', [
		...['--ci', '--no-github.release', '--hooks.before:init=node scripts/publishable.mjs', ...args],
	]);

beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'release-'));
	clone = path.join(folder, 'clone');
	const { stdout } = await execa('git', ['ls-files', '-z'], { cwd: ROOT });
	const files = stdout.split('\0').filter((file) => /^[^/]+$|^scripts\//.test(file));
	for (const file of files) await cp(path.join(ROOT, file), path.join(clone, file));
	await symlink(path.join(ROOT, 'node_modules'), path.join(clone, 'node_modules'));
	const origin = path.join(folder, 'origin.git');
	await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', origin], folder);
	await git('init', '--quiet', '--initial-branch=main');
	await git('add', '--all', '.');
	await git('commit', '--quiet', '--message', 'All of it');
	await git('remote', 'add', 'origin', origin);
	await git('push', '--quiet', '--set-upstream', 'origin', 'main');
});

afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
});

/** Writes names that an owner has. */
async function fillIn() {
	const own = {
		...(await readJson('package.json')),
		author: { name: 'An owner', email: 'owner@users.noreply.github.com' },
		homepage: OWN,
		bugs: { url: `${OWN}/issues` },
		repository: { type: 'git', url: `git+${OWN}.git` },
	};
	await writeFile(path.join(clone, 'package.json'), `${JSON.stringify(own, null, '  ')}\n`);
	await git('commit', '--quiet', '--all', '--message', 'Write our own names');
	await git('push', '--quiet');
}

it('is refused while package.json has reserved names, and leaves everything as it was', async () => {
	const { exitCode, all } = await release('--increment=minor');
	expect(exitCode).not.toBe(0);
	expect(all).toContain('package.json: homepage is https://customer-messaging.example/');
	expect(all).toContain('write your own into these members of package.json');
	expect(await git('tag')).toBe('');
	expect(await git('status', '--porcelain')).toBe('');
});

it.each([
	['the version that package.json has, at the first release', [], '0.1.0'],
	['the next version', ['--increment=minor'], '0.2.0'],
])('makes %s: commit, changelog and the tag that the workflow publishes', async (_name, args, version) => {
	await fillIn();
	const { exitCode, all } = await release(...(args.length > 0 ? args : [version]));
	expect([exitCode, all]).toEqual([0, expect.any(String)]);
	expect(await git('status', '--porcelain')).toBe('');
	expect(await git('log', '-1', '--format=%s')).toBe(`Release ${version}`);
	expect(await git('ls-remote', '--tags', 'origin', `v${version}^{}`)).toContain(
		await git('rev-parse', 'HEAD'),
	);
	expect(await git('rev-parse', 'origin/main')).toBe(await git('rev-parse', 'HEAD'));
	expect([(await readJson('package.json')).version, (await readJson('package-lock.json')).version]).toEqual([
		version,
		version,
	]);
	const changelog = await readFile(path.join(clone, 'CHANGELOG.md'), 'utf8');
	expect(changelog).toMatch(
		new RegExp(
			`\\n## \\[Unreleased\\]\\n+## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d\\n\\n### Added`,
		),
	);

	// What the workflow does with the tag.
	const { jobs } = parse(await readFile(path.join(ROOT, '.github/workflows/publish.yml'), 'utf8')) as {
		jobs: { build: { steps: Array<{ name?: string; run?: string }> } };
	};
	const [check] = jobs.build.steps.filter(({ name }) => name === 'The tag is the version of the package');
	const checked = async (tag: string) =>
		await execa('bash', ['-e', '-c', String(check.run)], {
			...{ cwd: clone, env: { ...env, GITHUB_REF_NAME: tag }, all: true, reject: false },
		});
	expect((await checked(`v${version}`)).exitCode).toBe(0);
	expect((await checked('v9.9.9')).all).toContain(`package.json says ${version}`);
});
