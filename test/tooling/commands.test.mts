import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A tool that notes how it was called, and fails where FAILING names it. */
const STUB = `#!/usr/bin/env node
const path = require('node:path');
const name = path.basename(__filename, '.js');
const { RESOURCE_FILTER } = process.env;
const call = { name, args: process.argv.slice(2), RESOURCE_FILTER };
require('node:fs').appendFileSync('node_modules/calls.txt', JSON.stringify(call) + '\\n');
console.log('words of ' + name);
process.exit(name === process.env.FAILING ? 1 : 0);
`;

const TOOLS = ['eslint', 'gulp', 'n8n-node', 'openapi-typescript', 'prettier', 'tsc', 'tsx'];

/** What the commands read of the project. */
const PARTS = [
	...['credentials', 'eslint.config.mjs', 'icons', 'nodes/CustomerMessaging/operations', 'package.json'],
	...['scripts', 'test/files', 'test/polling', 'tsconfig.json'],
];

/** Noted by one of the tools. */
interface Call {
	name: string;
	args: string[];
	RESOURCE_FILTER?: string;
}

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'commands-'));
	for (const part of PARTS)
		await cp(path.join(ROOT, part), path.join(folder, part), { recursive: true, force: true });
	const modules = path.join(folder, 'node_modules');
	await mkdir(path.join(modules, '.bin'), { recursive: true });
	await mkdir(path.join(modules, 'jest', 'bin'), { recursive: true });
	for (const name of ['execa', 'tsx'])
		await symlink(path.join(ROOT, 'node_modules', name), path.join(modules, name), 'junction');
	for (const file of [...TOOLS.map((name) => `.bin/${name}`), 'jest/bin/jest.js']) {
		await writeFile(path.join(modules, file), STUB);
		await chmod(path.join(modules, file), 0o755);
	}
	for (const file of ['package-lock.json', 'node_modules/.package-lock.json'])
		await writeFile(path.join(folder, file), '{"packages":{}}');
});

afterAll(async () => await rm(folder, { recursive: true }));

beforeEach(async () => await rm(path.join(folder, 'node_modules/.cache'), { recursive: true, force: true }));

async function run(command: string[], FAILING = '') {
	const [script, ...args] = command;
	const noted = path.join(folder, 'node_modules/calls.txt');
	await writeFile(noted, '');
	const { exitCode, all } = await execa(process.execPath, [`scripts/${script}.mjs`, ...args], {
		...{ cwd: folder, all: true, reject: false, env: { FAILING } },
	});
	const lines = (await readFile(noted, 'utf8')).split('\n').filter(Boolean);
	const calls = lines.map((line) => JSON.parse(line) as Call);
	const called = calls.map(({ name }) => name).sort();
	return { exitCode, all, called, jest: calls.filter(({ name }) => name === 'jest'), calls };
}

const LINTERS = ['eslint', 'n8n-node', 'prettier', 'tsc'];

/** The types are checked once for all, and once for the package, which has none of a browser. */
const CHECKED = [...LINTERS, 'tsc'];

describe('npm test', () => {
	it('builds, runs the quick tests, and checks style and types', async () => {
		const { exitCode, called, jest } = await run(['test', 'quick']);
		expect([exitCode, called]).toEqual([0, [...CHECKED, 'gulp', 'jest'].sort()]);
		expect(jest.map(({ args }) => args)).toEqual([['--selectProjects', 'quick']]);
	});

	it.each([...LINTERS, 'jest'])('fails when %s does, and shows the words of all', async (tool) => {
		const { exitCode, all, called } = await run(['test', 'quick'], tool);
		expect([exitCode, called]).toEqual([1, [...CHECKED, 'gulp', 'jest'].sort()]);
		for (const name of called.filter((one) => one !== 'gulp')) expect(all).toContain(`words of ${name}\n`);
		const what = tool === 'jest' ? 'tests' : 'style or types';
		expect(all.split('\n').at(-1)).toBe(`Failed: ${what} (see above).`);
	});

	it('runs no test where the package does not compile, and says so', async () => {
		const { exitCode, all, jest } = await run(['test', 'quick'], 'gulp');
		expect([exitCode, jest]).toEqual([1, []]);
		expect(all).toContain('words of gulp\nThe package does not compile');
	});
});

describe('npm run lint', () => {
	it('checks again what has failed, and what has passed only after a change of its files', async () => {
		expect(await run(['lint'], 'prettier')).toMatchObject({ exitCode: 1, called: CHECKED });
		expect(await run(['lint'])).toMatchObject({ exitCode: 0, called: ['prettier'] });
		expect(await run(['lint'])).toMatchObject({ exitCode: 0, called: [] });
		await writeFile(path.join(folder, 'test/files/new.mts'), '');
		expect((await run(['lint'])).called).toEqual(['eslint', 'prettier', 'tsc']);
		await writeFile(path.join(folder, 'nodes/new.ts'), '');
		expect((await run(['lint'])).called).toEqual(CHECKED);
	});
});

describe('npm run test:all', () => {
	it('runs the thorough tests too, and hands arguments to jest', async () => {
		const { called, jest } = await run(['test', 'all', 'test/files', '-u']);
		expect(called).toEqual([...CHECKED, 'gulp', 'jest'].sort());
		expect(jest.map(({ args }) => args)).toEqual([
			['test/files', '-u', '--selectProjects', 'quick', 'thorough'],
		]);
	});

	it('runs a project alone that is named first, without style and types', async () => {
		const { called, jest } = await run(['test', 'all', 'thorough', 'test/sandbox']);
		expect(called).toEqual(['gulp', 'jest']);
		expect(jest.map(({ args }) => args)).toEqual([['test/sandbox', '--selectProjects', 'thorough']]);
	});
});

describe('npm run check', () => {
	it('of a resource runs its operations, contract, descriptions and documents', async () => {
		const { exitCode, called, jest } = await run(['check', 'profile']);
		expect([exitCode, called]).toEqual([0, ['gulp', 'jest', 'tsc']]);
		expect(jest).toMatchObject([{ RESOURCE_FILTER: 'profile' }]);
		expect(jest[0].args).toEqual(
			expect.arrayContaining([
				...['test/operations/profile/', 'test/contract/coverage.test.mts'],
				...['test/contract/outputSchemas.test.mts', 'test/description/', 'test/docs/operations.test.mts'],
				'test/compatibility/storedParameters.test.mts',
			]),
		);
	});

	it.each([
		['a node', 'customerMessagingPollingTrigger', 'test/polling/'],
		['a folder', 'files', 'test/files/'],
		['a folder by its path', 'test/files/', 'test/files/'],
		['a file', 'test/files/fileLimits.test.mts', 'test/files/fileLimits.test.mts'],
	])('of %s runs its tests', async (_what, name, wanted) => {
		const { exitCode, jest } = await run(['check', name]);
		expect([exitCode, jest[0].args[0]]).toEqual([0, wanted]);
	});

	it.each(['tsc', 'jest'])('fails when %s does', async (tool) => {
		const { exitCode, all } = await run(['check', 'files'], tool);
		expect(exitCode).toBe(1);
		expect(all).toContain(`words of ${tool}`);
		expect(all).toContain(`files failed: ${tool === 'tsc' ? 'types' : 'tests'}.`);
	});

	it('refuses a name that is none in one sentence, which lists those that are', async () => {
		const { exitCode, all, called } = await run(['check', 'profiles']);
		expect([exitCode, called]).toEqual([1, []]);
		expect(all).toMatch(
			/^There is nothing to check by the name "profiles": name a resource \(.*\bprofile\b.*\), a node \(.*\bcustomerMessagingTrigger\b.*\), a folder \(.*\bfiles\b.*\), or the path of a test\.$/,
		);
	});
});

describe('npm run generate', () => {
	it('says of each artefact whether it has changed', async () => {
		const { exitCode, all, calls } = await run(['generate']);
		const written = all.split('\n').filter((line) => /^[A-Z].*: /.test(line));
		expect([exitCode, written.filter((line) => !line.endsWith(': as before'))]).toEqual([0, []]);
		expect(written.map((line) => line.split(':')[0])).toEqual([
			...['Types of the contract', 'Output schemas', 'Table of operations', 'Stored parameters'],
			'Requests and items of each case',
		]);
		// What is compiled has to be what was written before.
		expect(calls.map(({ name }) => name)).toEqual([
			...['openapi-typescript', 'tsx', 'tsx', 'gulp', 'tsx', 'jest'],
		]);
	});

	it('shows what a failing part says, writes the others, and fails with the names', async () => {
		const { exitCode, all, called } = await run(['generate'], 'openapi-typescript');
		expect([exitCode, called.length]).toEqual([1, 6]);
		expect(all).toContain('words of openapi-typescript\nTypes of the contract: FAILED, as before');
		expect(all).toMatch(/\nTypes of the contract: could not be written .*$/);
	});
});

it('each command is a script that there is', async () => {
	const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
		scripts: Record<string, string>;
	};
	const there = await readdir(path.join(ROOT, 'scripts'));
	const named = Object.values(scripts).flatMap((script) =>
		[...script.matchAll(/scripts\/([\w.]+)/g)].map(([, file]) => file),
	);
	expect(named.filter((file) => !there.includes(file))).toEqual([]);
});
