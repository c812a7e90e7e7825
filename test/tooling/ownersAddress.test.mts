import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';

import { readmeForNpm } from '../../scripts/packing.mts';
import { linksOf, problemOf, readDocument } from '../docs/markdown.mts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const OWN = 'https://github.com/an-owner/n8n-nodes-customer-messaging';

describe.each([
	['README.md', undefined, 'v1.2.3'],
	['sandbox/README.md', 'sandbox', 'sandbox-v1.2.3'],
])('%s on npm', (file, directory, tag) => {
	const written = readDocument(file);
	const published = (url: string) =>
		readmeForNpm(written, { version: '1.2.3', repository: { url, directory } });
	const links = linksOf(published(`git+${OWN}.git`));
	const raw = `https://raw.githubusercontent.com/an-owner/n8n-nodes-customer-messaging/${tag}/`;

	it('has pictures and links of the version that it describes, each by its whole address', () => {
		const own = links.filter((link) => link.startsWith(raw) || link.startsWith(OWN));
		const targets = own.map((link) => link.replace(raw, '').replace(`${OWN}/tree/${tag}/`, ''));
		const relative = linksOf(written).filter((link) => !/^(?:https?:|#)/.test(link));
		expect(targets).toEqual(relative.map((link) => path.posix.join(path.posix.dirname(file), link)));
		expect(targets.map((target) => problemOf('README.md', target)).filter(Boolean)).toEqual([]);
		for (const link of own) expect(link.startsWith(raw)).toBe(/\.(?:png|svg)$/.test(link));
		expect(own.filter((link) => link.startsWith(raw)).length).toBeGreaterThan(0);
		expect(links.filter((link) => !/^(?:https?:|#)/.test(link))).toEqual([]);
	});

	it('stays as it is while the repository has no address', () => {
		expect(published('git+https://customer-messaging.example/n8n-nodes-customer-messaging.git')).toBe(
			written,
		);
	});
});

describe("n8n's links to the documents", () => {
	let copy: string;

	beforeAll(async () => {
		copy = await mkdtemp(path.join(tmpdir(), 'owned-'));
		for (const name of [
			'credentials',
			'gulpfile.js',
			'icons',
			'nodes',
			'package.json',
			'scripts',
			'tsconfig.json',
		])
			await cp(path.join(ROOT, name), path.join(copy, name), { recursive: true });
		await symlink(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
		const file = path.join(copy, 'package.json');
		const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
		await writeFile(file, JSON.stringify({ ...manifest, homepage: `${OWN}#readme` }));
		const options = { cwd: copy, preferLocal: true, localDir: ROOT, all: true, reject: false } as const;
		const { exitCode, all } = await execa('gulp', ['build'], options);
		if (exitCode !== 0) throw new Error(all);
	});

	afterAll(async () => {
		await rm(copy, { recursive: true, force: true });
	});

	it('lead to the homepage in package.json, the one place where the owner writes it', async () => {
		const files = (await readdir(path.join(copy, 'dist'), { recursive: true })).filter((file) =>
			/\.js(?:on)?$/.test(file),
		);
		const whole = await Promise.all(files.map((file) => readFile(path.join(copy, 'dist', file), 'utf8')));
		// Only the first line of a file names the repository, which is a member of its own.
		const texts = whole.map((text) => text.replace(/^\/\/ .*\n/, ''));
		const links = texts
			.flatMap((text) => [...text.matchAll(/https:\/\/github\.com\/an-owner[^"']*/g)])
			.flat();
		expect([...new Set(links)].sort()).toEqual([
			OWN,
			`${OWN}#credential`,
			`${OWN}#polling-trigger`,
			`${OWN}#trigger`,
		]);
		expect(
			links.map((link) => problemOf('README.md', link.slice(OWN.length) || 'README.md')).filter(Boolean),
		).toEqual([]);
		expect(texts.filter((text) => text.includes('customer-messaging.example'))).toEqual([]);
	});
});
