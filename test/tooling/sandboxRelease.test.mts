import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import sandboxJson from '../../sandbox/package.json';
import { ProjectCopy } from '../release/projectCopy.mts';

const WORKFLOW = 'publish-sandbox.yml';

let folder: string;
let copy: ProjectCopy;

beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'sandbox-release-'));
	copy = await ProjectCopy.into(folder, (file) => /^(sandbox\/)?[^/]+$|^(scripts|\.github)\//.test(file));
});

afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
});

it.each([
	['the first version', sandboxJson.version, sandboxJson.version],
	[
		'the next version',
		'minor',
		sandboxJson.version.replace(/\.(\d+)\.\d+$/, (_, minor) => `.${Number(minor) + 1}.0`),
	],
])(
	'makes %s: commit, changelog, lockfile and the tag that its workflow publishes',
	async (_what, given, version) => {
		await copy.fillIn({}, 'sandbox');
		const rootVersion = await copy.versionIn('package.json');
		const before = await copy.read('CHANGELOG.md');
		const { exitCode, all } = await copy.release(given, 'sandbox');
		expect([exitCode, all]).toEqual([0, expect.any(String)]);
		expect(await copy.git('status', '--porcelain')).toBe('');
		expect(await copy.git('log', '-1', '--format=%s')).toBe(`Release sandbox ${version}`);
		const head = await copy.git('rev-parse', 'HEAD');
		expect(await copy.git('ls-remote', '--tags', 'origin', `sandbox-v${version}^{}`)).toContain(head);

		const changed = await copy.git('diff', '--name-only', 'HEAD~1');
		const ofVersion = version === sandboxJson.version ? [] : ['package-lock.json', 'sandbox/package.json'];
		expect(changed.split('\n').sort()).toEqual([...ofVersion, 'sandbox/CHANGELOG.md'].sort());
		expect(await copy.versionIn('sandbox/package.json')).toBe(version);
		const { packages } = JSON.parse(await copy.read('package-lock.json')) as {
			packages: Record<string, { version: string }>;
		};
		expect(packages.sandbox.version).toBe(version);
		expect(await copy.read('sandbox/CHANGELOG.md')).toContain(`\n## [Unreleased]\n\n## [${version}] - `);

		// What the n8n package has is as it was.
		expect(await copy.versionIn('package.json')).toBe(rootVersion);
		expect(await copy.read('CHANGELOG.md')).toBe(before);

		expect(await copy.checkedBy(WORKFLOW, `sandbox-v${version}`)).toMatchObject({ exitCode: 0, all: '' });
		expect((await copy.checkedBy(WORKFLOW, `v${version}`)).exitCode).not.toBe(0);
	},
);

it('and one of the n8n package know nothing of each other', async () => {
	await copy.fillIn();
	await copy.fillIn({}, 'sandbox');
	expect(await copy.release('minor')).toMatchObject({ exitCode: 0 });
	expect(await copy.release('patch', 'sandbox')).toMatchObject({ exitCode: 0 });
	await copy.fillIn();
	expect(await copy.release('patch')).toMatchObject({ exitCode: 0 });
	const tags = (await copy.git('tag')).split('\n');
	expect(tags.filter((tag) => /^sandbox-v\d+\.\d+\.\d+$/.test(tag))).toHaveLength(1);
	expect(tags.filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag))).toHaveLength(2);
});
