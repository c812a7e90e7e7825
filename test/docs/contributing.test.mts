import { execFileSync } from 'node:child_process';

import packageJson from '../../package.json';
import { expectNone } from '../engine/expectNone.mts';
import { markdownFiles, npmScriptsOf, pathsOf, projectFolder, readDocument } from './markdown.mts';

const CONTRIBUTING = readDocument('CONTRIBUTING.md');

/** Where a path begins that CONTRIBUTING names, apart from the project's root: its tables of folders say so. */
const BASES = ['', 'nodes/CustomerMessaging/', 'nodes/CustomerMessaging/messages/', 'test/', 'sandbox/'];

const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
const files = execFileSync('git', list, { cwd: projectFolder, encoding: 'utf8' }).split('\n');

const commands = Object.keys(packageJson.scripts);

/** Whether there is a file, or a folder with files, of this name. A name without a folder can stand anywhere. */
function isThere(name: string, bases: string[]): boolean {
	const pattern = name
		.replace(/^\//, '')
		.replace(/[.+]/g, '\\$&')
		.replace(/<[\w-]+>|\*/g, '[^/]+');
	const end = name.endsWith('/') ? '.' : '(/|$)';
	const starts = name.includes('/') ? bases.map((base) => `^${base}`) : ['(^|/)'];
	const known = starts.map((start) => new RegExp(`${start}${pattern}${end}`));
	return files.some((file) => known.some((one) => one.test(file)));
}

/** What contributors and maintainers read. */
const documents = ['AGENTS.md', 'CONTRIBUTING.md', 'docs/architecture.md'];

it.each(documents)('%s names only files and folders that there are', (file) => {
	expectNone(
		pathsOf(readDocument(file))
			.filter((name) => !isThere(name, BASES))
			.map((name) => `${file}: ${name} is named, but not there`),
	);
});

describe('CONTRIBUTING', () => {
	it('names files in its text and in its commands', () => {
		expect(pathsOf(CONTRIBUTING)).toEqual(
			expect.arrayContaining(['operations/<resource>.ts', 'test/values/phoneNumber.test.mts']),
		);
	});

	it.each(documents)('names in %s only titles of tests that there are', (file) => {
		const named = [...readDocument(file).matchAll(/(test\/\S+\.test\.mts) -t "([^"]+)"/g)];
		expectNone(
			named
				.filter(([, test, title]) => !readDocument(test).includes(title))
				.map(([, test, title]) => `${file}: ${test} has no test "${title}"`),
		);
	});

	it('names in its table every command that there is, and in all no other one', () => {
		const table = CONTRIBUTING.split('\n## Commands\n')[1].split('\n## ')[0];
		const named = [...table.matchAll(/^\| `npm (?:run )?([\w:]+)/gm)].map(([, name]) => name);
		expect(named.sort()).toEqual([...commands].sort());
		expectNone(
			npmScriptsOf(CONTRIBUTING)
				.filter((name) => !commands.includes(name) && !CONTRIBUTING.includes(`run ${name} --workspace`))
				.map((name) => `CONTRIBUTING.md: there is no npm run ${name}`),
		);
	});

	it('has few commands to tell of', () => {
		expect(commands.length).toBeLessThanOrEqual(18);
	});
});

it.each(markdownFiles().filter((file) => file.startsWith('docs/')))(
	'%s names only test files that there are',
	(file) => {
		expectNone(
			pathsOf(readDocument(file))
				.filter((name) => name.startsWith('test/') && name.endsWith('.test.mts') && !isThere(name, ['']))
				.map((name) => `${file}: ${name} is named, but not there`),
		);
	},
);

describe('the reader of paths', () => {
	it('finds files and folders in code, and no commands, names or addresses', () => {
		const text =
			'`a/b.ts` `c/` `.github/x.yml` `npm run check -- test/d.test.mts` `d*.md` `dist` `git+https://e/f.git` g/h.ts\n```\n`i.ts`\n```\n```sh\nnpm run check -- test/j.test.mts # k.ts\ncd l/\n```';
		expect(pathsOf(text)).toEqual([
			...['a/b.ts', 'c/', '.github/x.yml', 'test/d.test.mts', 'd*.md'],
			'test/j.test.mts',
		]);
	});

	it.each([
		['docs/nothing.md', false],
		['docs/running.md', true],
		['docs/', true],
		['nodes/CustomerMessaging/operations/<resource>.ts', true],
		['resources/', false],
		['running.md', true],
		['ning.md', false],
	])('%s is there: %s', (name, isExpected) => {
		expect(isThere(name, [''])).toBe(isExpected);
	});
});
