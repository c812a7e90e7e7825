import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { parse } from 'yaml';

import packageJson from '../../package.json';
import { type Ended, ProjectCopy } from '../release/projectCopy.mts';

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
	const { exitCode, all } = await copy.release('--increment=minor');
	expect(exitCode).not.toBe(0);
	expect(all).toContain('package.json: homepage is https://customer-messaging.example/');
	expect(all).toContain('write your own into these members of package.json');
	expect(await copy.git('tag')).toBe('');
	expect(await copy.git('status', '--porcelain')).toBe('');
});

/** What the workflow runs with the tag before anything else. */
async function checked(tag: string, repository?: string): Promise<Ended> {
	const { jobs } = parse(await copy.read('.github/workflows/publish.yml')) as {
		jobs: { build: { steps: Array<{ run?: string }> } };
	};
	const [version, names] = jobs.build.steps.flatMap(({ run }) => run ?? []);
	const env = { GITHUB_REF_NAME: tag, ...(repository && { GITHUB_REPOSITORY: repository }) };
	return await copy.run('bash', ['-e', '-c', `${version}\n${names}`], copy.project, env);
}

// The next version is made for the tests of a real n8n (test/release/rehearsal.mts).
it('makes the version that package.json has: commit, changelog and the tag that the workflow publishes', async () => {
	const { version } = packageJson;
	await copy.change('CHANGELOG.md', (text) => text.replace(/(\n## \[Unreleased\]\n)[^]*/, '$1'));
	await copy.fillIn();
	// The nodes are not in this copy.
	const { exitCode, all } = await copy.release(version, '--hooks.after:bump=true');
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

	expect((await checked(`v${version}`)).exitCode).toBe(0);
	expect((await checked('v9.9.9')).all).toContain(`package.json says ${version}`);
	// npm would refuse the provenance, after the tag and the approval.
	const elsewhere = await checked(`v${version}`, 'another-owner/n8n-nodes-customer-messaging');
	expect(elsewhere.exitCode).not.toBe(0);
	expect(elsewhere.all).toContain(
		'repository.url is git+https://github.com/an-owner/n8n-nodes-customer-messaging.git, but this is git+https://github.com/another-owner/n8n-nodes-customer-messaging.git',
	);
});
