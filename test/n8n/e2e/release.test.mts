import { readFileSync } from 'node:fs';

import { execa } from 'execa';

import packageJson from '../../../package.json';
import { rehearsed, type Rehearsal } from '../../release/rehearsal.mts';

const release = rehearsed() as Rehearsal;
const version = release.tag.replace(/^v/, '');

/** The published file's package.json and the names of all of its files. */
async function unpacked() {
	const tar = async (...args: string[]) => (await execa('tar', [...args, '-f', release.tarball])).stdout;
	const manifest = JSON.parse(await tar('-xOz', 'package/package.json')) as Record<string, unknown>;
	return { names: (await tar('-tz')).split('\n'), manifest };
}

it('the tag is the first version or the next one, which the published package has', async () => {
	const [major, minor] = packageJson.version.split('.').map(Number);
	const isReleased = readFileSync('CHANGELOG.md', 'utf8').includes(`\n## [${packageJson.version}]`);
	expect(version).toBe(isReleased ? `${major}.${minor + 1}.0` : packageJson.version);
	expect((await unpacked()).manifest.version).toBe(version);
});

it('the changes stand under the version of the tag, and none is left unreleased', () => {
	const today = /\d{4}-\d\d-\d\d/.source;
	expect(release.changelog).toMatch(
		new RegExp(
			`\n## \\[Unreleased\\]\n+## \\[${version.replaceAll('.', '\\.')}\\] - ${today}\n+### Added\n\n- Names of an owner\\.\n`,
		),
	);
});

it('the package holds what was built, its page, its license and its manifest, and nothing else', async () => {
	const { names } = await unpacked();
	const others = names.filter((name) => !name.startsWith('package/dist/'));
	expect(others.sort()).toEqual(['package/LICENSE', 'package/README.md', 'package/package.json']);
	const kinds = new Set(names.map((name) => name.replace(/^.*(?=\.)/, '').replace(/^package\/.*/, '')));
	expect([...kinds].sort()).toEqual(['', '.js', '.json', '.md', '.svg', '.txt']);
});

it('npm would publish the package as it is, as the first of its name, and with provenance', async () => {
	expect(release.published).toContain(`+ ${packageJson.name}@${version}`);
	expect(release.published).toMatch(/Publishing to \S+ with tag latest and public access \(dry-run\)/);
	// npm warns before it changes a package.json.
	const warnings = release.published.split('\n').filter((line) => line.startsWith('npm warn publish'));
	expect(warnings).toEqual([expect.stringContaining('This command requires you to be logged in to')]);
	expect(new Set(release.askedOfRegistry)).toEqual(new Set([`GET /${packageJson.name}`]));
});

it('npm would publish the sandbox too, by its own workflow', () => {
	const { tag, published } = release.sandbox;
	expect(tag).toMatch(/^sandbox-v\d+\.\d+\.\d+$/);
	expect(published).toContain(`+ customer-messaging-sandbox@${tag.replace('sandbox-v', '')}`);
});

it('its manifest names the repository that GitHub vouches for, and no place that is reserved', async () => {
	const { manifest } = await unpacked();
	expect(manifest.repository).toEqual({
		type: 'git',
		url: 'git+https://github.com/an-owner/n8n-nodes-customer-messaging.git',
	});
	expect(JSON.stringify(manifest)).not.toContain('customer-messaging.example');
});
