import { appendFile, cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';

const projectFolder = path.resolve(import.meta.dirname, '../..');
const REMEDY = 'Run "npm run build": dist is missing or was built from other sources than these.';

/** What a build and a run of jest read. */
const PARTS = [
	'credentials',
	'gulpfile.js',
	'icons',
	'jest.config.js',
	'nodes',
	'package-lock.json',
	'package.json',
	'scripts',
	'test/jest',
	'tsconfig.json',
];

let folder: string;

const JEST = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];

const COMMANDS = { build: ['npm', 'run', 'build'], jest: [process.execPath, ...JEST] };

async function run(name: keyof typeof COMMANDS) {
	const { PATH, SystemRoot } = process.env;
	const [command, ...args] = COMMANDS[name];
	const { exitCode, stderr } = await execa(command, args, {
		cwd: folder,
		env: { PATH, SystemRoot, npm_config_loglevel: 'error' },
		extendEnv: false,
		reject: false,
	});
	return { exitCode, stderr };
}

/** Whether jest got to the test. */
const runsTests = async () => (await run('jest')).exitCode === 0;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'customer-messaging-build-'));
	for (const part of PARTS) {
		await cp(path.join(projectFolder, part), path.join(folder, part), { recursive: true });
	}
	await symlink(path.join(projectFolder, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
	await writeFile(path.join(folder, 'test', 'one.test.mts'), "it('runs', () => {});\n");
});

afterAll(async () => await rm(folder, { recursive: true, force: true }));

it('jest runs no test against a dist that is missing or older than its sources', async () => {
	const refusal = { exitCode: 1, stderr: REMEDY };
	expect(await run('jest')).toEqual(refusal);

	expect(await run('build')).toMatchObject({ exitCode: 0 });
	expect(await runsTests()).toBe(true);

	await appendFile(path.join(folder, 'credentials', 'CustomerMessagingApi.credentials.ts'), '\n');
	expect(await run('jest')).toEqual(refusal);

	await run('build');
	expect(await runsTests()).toBe(true);
	await rm(path.join(folder, 'dist'), { recursive: true });
	expect(await run('jest')).toEqual(refusal);
});
