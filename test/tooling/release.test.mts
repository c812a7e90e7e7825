import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import packageJson from '../../package.json';
import { ProjectCopy } from '../release/projectCopy.mts';

let folder: string;
let copy: ProjectCopy;

beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'release-'));
	copy = await ProjectCopy.into(folder, (file) => /^[^/]+$|^(scripts|\.github)\//.test(file));
});

afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
});

it('is refused while package.json has reserved names, and leaves everything as it was', async () => {
	await copy.fillIn({ homepage: 'https://customer-messaging.example/' });
	const { exitCode, all } = await copy.release('minor');
	expect(exitCode).not.toBe(0);
	expect(all).toContain('package.json: homepage is https://customer-messaging.example/');
	expect(all).toContain('write your own into these members of package.json');
	expect(await copy.git('tag')).toBe('');
	expect(await copy.git('status', '--porcelain')).toBe('');
});

// The next version is made for the tests of a real n8n (test/release/rehearsal.mts).
it('makes the version that package.json has: commit, changelog and the tag that the workflow publishes', async () => {
	const { version } = packageJson;
	await copy.change('CHANGELOG.md', (text) => text.replace(/(\n## \[Unreleased\]\n)[^]*/, '$1'));
	await copy.fillIn();
	const { exitCode, all } = await copy.release(version);
	expect([exitCode, all]).toEqual([0, expect.any(String)]);
	expect(await copy.git('status', '--porcelain')).toBe('');
	expect(await copy.git('log', '-1', '--format=%s')).toBe(`Release ${version}`);
	const head = await copy.git('rev-parse', 'HEAD');
	expect(await copy.git('ls-remote', '--tags', 'origin', `v${version}^{}`)).toContain(head);
	expect(await copy.git('rev-parse', 'origin/main')).toBe(head);
	for (const file of ['package.json', 'package-lock.json']) {
		expect([file, await copy.versionIn(file)]).toEqual([file, version]);
	}
	expect(await copy.read('CHANGELOG.md')).toMatch(
		new RegExp(
			`\\n## \\[Unreleased\\]\\n+## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d\\n\\n### Added`,
		),
	);

	const workflow = 'publish.yml';
	expect(await copy.checkedBy(workflow, `v${version}`)).toMatchObject({ exitCode: 0, all: '' });
	expect((await copy.checkedBy(workflow, 'v9.9.9')).all).toContain(`package.json says ${version}`);
	// npm would refuse the provenance, after the tag and the approval.
	const another = { GITHUB_REPOSITORY: 'another-owner/n8n-nodes-customer-messaging' };
	const elsewhere = await copy.checkedBy(workflow, `v${version}`, another);
	expect(elsewhere.exitCode).not.toBe(0);
	expect(elsewhere.all).toContain(
		'repository.url is git+https://github.com/an-owner/n8n-nodes-customer-messaging.git, but this is git+https://github.com/another-owner/n8n-nodes-customer-messaging.git',
	);
});

it('makes a pre-release, and the version after it', async () => {
	await copy.fillIn();
	const beta = await copy.release('preminor');
	expect([beta.exitCode, beta.all]).toEqual([0, expect.any(String)]);
	const version = String(await copy.versionIn('package.json'));
	expect(version).toMatch(/^\d+\.\d+\.0-0$/);
	expect((await copy.checkedBy('publish.yml', `v${version}`)).exitCode).toBe(0);
	await copy.fillIn();
	const final = await copy.release('minor');
	expect([final.exitCode, final.all]).toEqual([0, expect.any(String)]);
	expect(await copy.versionIn('package.json')).toBe(version.replace('-0', ''));
});

describe('a release', () => {
	it.each([
		[
			'from another branch',
			async () => void (await copy.git('switch', '--quiet', '--create', 'other')),
			'Must be on branch main',
		],
		[
			'with changes that are in no commit',
			async () => await copy.change('CHANGELOG.md', (text) => `${text}\n- More\n`),
			'Working dir must be clean',
		],
		[
			'without a change for people',
			async () => {
				await copy.change('CHANGELOG.md', (text) => text.replace(/(\n## \[Unreleased\]\n)[^]*/, '$1'));
				await copy.git('commit', '--quiet', '--all', '--message', 'Nothing to tell');
			},
			'There are no entries under "Unreleased"',
		],
	])('%s is refused, and leaves no tag', async (_what, act, problem) => {
		await copy.fillIn();
		await act();
		const { exitCode, all } = await copy.release('minor');
		expect([exitCode, all]).toEqual([1, expect.stringContaining(problem)]);
		expect(await copy.git('tag')).toBe('');
	});

	it.each([
		[
			'that others have overtaken',
			['minor'],
			async () => {
				await copy.change('README.md', (text) => `${text}\n`);
				await copy.git('commit', '--quiet', '--all', '--message', 'Theirs');
				await copy.git('push', '--quiet');
				await copy.git('reset', '--quiet', '--hard', 'HEAD~1');
			},
		],
		[
			'that the repository does not take',
			['minor'],
			async () =>
				await writeFile(path.join(copy.origin, 'hooks/pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 }),
		],
		['that is only shown', ['minor', '--dry-run'], async () => {}],
	])('%s leaves neither a tag nor a commit', async (_what, [version, ...options], act) => {
		await copy.fillIn();
		await act();
		const { exitCode, all } = await copy.release(version, ...options);
		expect([exitCode, all]).toEqual(
			options.length > 0 ? [0, expect.stringMatching(/^\+## \[\d+\.\d+\.0\] - /m)] : [1, expect.any(String)],
		);
		expect(await copy.git('log', '-1', '--format=%s')).toBe('Write our own names');
		expect(await copy.git('status', '--porcelain')).toBe('');
		expect(`${await copy.git('tag')}${await copy.git('ls-remote', '--tags', 'origin')}`).toBe('');
	});
});

describe('a tag that somebody makes by hand', () => {
	const { version } = packageJson;

	it('is refused where the changelog has no such version', async () => {
		await copy.fillIn({ version: '99.0.0' });
		const { exitCode, all } = await copy.checkedBy('publish.yml', 'v99.0.0');
		expect([exitCode, all]).toEqual([1, expect.stringContaining('CHANGELOG.md has no 99.0.0')]);
	});

	it('is refused on a commit that is not on the branch main', async () => {
		await copy.fillIn();
		await copy.change('CHANGELOG.md', (text) => `${text}\n## [${version}] - 2026-01-05\n`);
		await copy.git('commit', '--quiet', '--all', '--message', 'Not pushed');
		const { exitCode, all } = await copy.checkedBy('publish.yml', `v${version}`);
		expect([exitCode, all]).toEqual([1, expect.stringContaining('is not on the branch main')]);
	});
});
