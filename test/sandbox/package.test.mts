import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';
import { extract } from 'tar';

import manifest from '../../sandbox/package.json';
import { http } from '../http.mts';
import { startProcess, untilReady } from '../n8n/childProcess.mts';
import { waitFor } from '../n8n/waitFor.mts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SANDBOX = path.join(ROOT, 'sandbox');
const { name, version } = manifest;
const WORKSPACE = ['--workspace', name];

/** Where the package is installed from its tarball, with what it depends on and nothing else. */
let folder: string;

/** The files of the tarball. */
let packed: string[];

const env = { PATH: process.env.PATH, npm_config_loglevel: 'error' };
const run = async (command: string, args: string[], cwd = folder) =>
	(await execa(command, args, { cwd, env, extendEnv: false })).stdout;

/**
 * Does what `npm install` of the tarball does, without asking the registry, as `npm run test:fresh` does: the packages, at
 * the versions of the lockfile, come from the project's own node_modules.
 */
async function install(): Promise<void> {
	await run('npm', ['run', 'build', ...WORKSPACE], ROOT);
	const [{ filename, files }] = JSON.parse(
		await run('npm', ['pack', '--json', '--pack-destination', folder, ...WORKSPACE], ROOT),
	) as [{ filename: string; files: Array<{ path: string }> }];
	packed = files.map((file) => file.path);

	const own = path.join('node_modules', name);
	await mkdir(path.join(folder, own), { recursive: true });
	await extract({ file: path.join(folder, filename), cwd: path.join(folder, own), strip: 1 });
	const list = await run('npm', ['ls', '--all', '--omit=dev', '--parseable', ...WORKSPACE], ROOT);
	const installed = list.split('\n').flatMap((line) => path.relative(ROOT, line) || []);
	for (const place of installed.filter((place) => place !== own)) {
		const from = path.join(ROOT, place);
		const filter = (file: string) => !path.relative(from, file).startsWith('node_modules');
		await cp(from, path.join(folder, place), { recursive: true, filter });
	}
	await writeFile(path.join(folder, 'package.json'), JSON.stringify({ dependencies: { [name]: version } }));
	// Makes the commands in node_modules/.bin.
	await run('npm', ['rebuild', '--ignore-scripts']);
}

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'sandbox-package-'));
	await install();
});

afterAll(async () => await rm(folder, { recursive: true, force: true }));

it('names exactly the packages that the sandbox imports', async () => {
	const files = (await readdir(SANDBOX, { recursive: true })).filter(
		(file) => file.endsWith('.mts') && !/^(dist|node_modules)\b/.test(file),
	);
	const texts = await Promise.all(files.map((file) => readFile(path.join(SANDBOX, file), 'utf8')));
	const imported = texts.flatMap((text) =>
		[...text.matchAll(/(?:\bfrom |\bimport\()'((?:@[^/']+\/)?[^./'][^/']*)/g)].map(([, found]) => found),
	);
	// Not imported: newer ones of fastify's dependency need Node.js 22, and this version keeps them out.
	const packages = [...new Set([...imported, 'light-my-request'])].filter((found) => !isBuiltin(found));
	expect(packages.sort()).toEqual(Object.keys(manifest.dependencies).sort());
});

it('brings its documents and its license, and what it reads when it runs', () => {
	const read = ['openapi.yaml', 'inbox/page/index.html'].map((file) => `dist/sandbox/${file}`);
	const documents = ['LICENSE', 'README.md', 'package.json'];
	expect(packed).toEqual(expect.arrayContaining([...documents, ...read]));
	expect(packed.filter((file) => !documents.includes(file) && !file.startsWith('dist/'))).toEqual([]);
});

it('starts by its command, says how to reach it, and ends when it is told to', async () => {
	const command = path.join(folder, 'node_modules', '.bin', name);
	const sandbox = await startProcess(command, ['--port', '0', '--seed', '7'], { name, cwd: folder, env });
	try {
		const said = (pattern: RegExp) => pattern.exec(sandbox.log().join('\n'))?.[1];
		const inbox = await waitFor('the inbox is named', () => said(/Inbox +(\S+)/));
		const url = String(said(/Sandbox tenant +(\S+)/));
		await untilReady(sandbox, name, url);
		expect(said(/Holds +(\d+ customers)/)).toBe('10 customers');

		expect((await http.get<string>(inbox)).data).toContain('<title>');
		const headers = { authorization: `Bearer ${said(/Access token +(\S+)/)}` };
		const contract = await http.get(`${url}/third-party/v1/support/openapi`, { headers });
		expect(contract.data).toBe(await readFile(path.join(SANDBOX, 'openapi.yaml'), 'utf8'));
	} finally {
		await sandbox.stop();
	}
	expect((await sandbox.ended).exitCode).toBe(0);
});

const CONSUMER = `
import { startSandbox, type Sandbox, type SandboxOptions } from '${name}';

const options: SandboxOptions = { port: 0, seed: { profiles: 5, conversations: 2 }, choices: { ids: 'text' } };
const sandbox: Sandbox = await startSandbox(options);
const fault: { id: number } = sandbox.faults.add({ kind: 'rate-limit', times: 1 });
const headers = { authorization: 'Bearer ' + sandbox.token };
const limited: number = (await fetch(sandbox.baseUrl + '/me', { headers })).status;
sandbox.clock.advance({ days: 1 });
const { from } = sandbox.writeAsCustomer('491700000001', 'Yes');
const { holds } = (await (await fetch(sandbox.url + '/sandbox')).json()) as { holds: Record<string, number> };
const { customers, conversations } = holds;
await sandbox.close();
console.log(JSON.stringify({ customers, conversations, fault: fault.id, limited, from }));

// @ts-expect-error a number, or options
void ((): SandboxOptions => ({ seed: 'many' }));
// @ts-expect-error the insides are not published
void sandbox.store;
// @ts-expect-error not a shape of lists
void ((): SandboxOptions => ({ envelope: 'parcel' }));
`;

it('starts in a program of strict TypeScript, which checks its types and all that they need', async () => {
	await writeFile(path.join(folder, 'consumer.mts'), CONSUMER);
	const strict = ['--strict', '--skipLibCheck', 'false', '--target', 'es2022', '--module', 'nodenext'];
	const types = ['--types', 'node', '--typeRoots', path.join(ROOT, 'node_modules', '@types')];
	const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
	expect(await run(process.execPath, [tsc, ...strict, ...types, 'consumer.mts']).catch(String)).toBe('');
	expect(JSON.parse(await run(process.execPath, ['consumer.mjs']))).toEqual({
		...{ customers: 8, conversations: 3 },
		...{ fault: 1, limited: 429, from: 'customer' },
	});
});
