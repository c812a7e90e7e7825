import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';

import packageJson from '../../package.json';

const projectFolder = path.resolve(import.meta.dirname, '../..');
const REMEDY = 'Run "npm ci" first: node_modules is missing or does not match package-lock.json.';

/** They install what is missing, or look at a clone of their own. */
const NEED_NOTHING = ['start', 'test', 'test:all', 'test:fresh'];

let folder: string;

async function run(command: string, ...args: string[]) {
	const env = { npm_config_loglevel: 'error' };
	const { exitCode, stderr } = await execa(command, args, { cwd: folder, env, reject: false });
	return { exitCode, stderr };
}

const writeJson = async (file: string, packages: object) =>
	await writeFile(path.join(folder, file), JSON.stringify({ packages }));

beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'customer-messaging-clone-'));
	for (const part of ['scripts', 'package.json', 'package-lock.json', '.npmrc']) {
		await cp(path.join(projectFolder, part), path.join(folder, part), { recursive: true });
	}
});

afterEach(async () => await rm(folder, { recursive: true, force: true }));

it('in a fresh clone every command says in one line what to run first', async () => {
	const commands = Object.keys(packageJson.scripts).filter((name) => !NEED_NOTHING.includes(name));
	const said = await Promise.all(
		commands.map(async (name) => ({ name, ...(await run('npm', 'run', name)) })),
	);
	expect(said).toEqual(commands.map((name) => ({ name, exitCode: 1, stderr: REMEDY })));
});

it.each([
	['all packages of the lockfile', { a: { version: '1.0.0' }, b: { version: '2.0.0' } }, ''],
	['all but one for another platform', { a: { version: '1.0.0' } }, ''],
	['one of another version', { a: { version: '1.0.1' }, b: { version: '2.0.0' } }, REMEDY],
	['none of them', {}, REMEDY],
])('node_modules with %s', async (_, installed, stderr) => {
	await mkdir(path.join(folder, 'node_modules'));
	await writeJson('package-lock.json', {
		'': {},
		a: { version: '1.0.0' },
		b: { version: '2.0.0', optional: true },
	});
	await writeJson('node_modules/.package-lock.json', installed);
	expect(await run(process.execPath, 'scripts/installed.mjs')).toEqual({
		exitCode: stderr === '' ? 0 : 1,
		stderr,
	});
});
