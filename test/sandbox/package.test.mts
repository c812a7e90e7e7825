import { readdir, readFile, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { execa } from 'execa';
import manifest from '../../sandbox/package.json';
import { http } from '../http.mts';
import { startProcess, untilReady } from '../n8n/childProcess.mts';
import { waitFor } from '../n8n/waitFor.mts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SANDBOX = path.join(ROOT, 'sandbox');
const DIST = path.join(SANDBOX, 'dist');
const { name } = manifest;

/** As it is published: `npm run test:fresh -- sandbox` packs and installs it besides. */
beforeAll(async () => void (await execa('npm', ['run', 'build', '--workspace', name], { cwd: ROOT })));

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

it('starts by its command, says how to reach it, and ends when it is told to', async () => {
	const command = [
		path.join(SANDBOX, manifest.bin['customer-messaging-sandbox']),
		'--port',
		'0',
		'--seed',
		'7',
	];
	const sandbox = await startProcess(process.execPath, command, { name, cwd: DIST, env: process.env });
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

// @ts-expect-error the insides are not published
void sandbox.store;
`;

it('starts in a program of strict TypeScript, which checks its types and all that they need', async () => {
	await writeFile(path.join(DIST, 'consumer.mts'), CONSUMER);
	const strict = ['--strict', '--skipLibCheck', 'false', '--target', 'es2022', '--module', 'nodenext'];
	const run = async (...args: string[]) =>
		await execa(process.execPath, args, { cwd: DIST, all: true, reject: false });
	const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
	expect((await run(tsc, ...strict, '--types', 'node', 'consumer.mts')).all).toBe('');
	expect(JSON.parse((await run('consumer.mjs')).all ?? '')).toEqual({
		...{ customers: 8, conversations: 3 },
		...{ fault: 1, limited: 429, from: 'customer' },
	});
});
