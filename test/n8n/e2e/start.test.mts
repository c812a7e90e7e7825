import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { http } from '../../http.mts';
import { type RunningProcess, startProcess } from '../childProcess.mts';
import { installedN8n } from '../installation.mts';
import { freePort } from '../ports.mts';
import { N8nRest } from '../rest.mts';
import { type N8nSecrets, secretsIn } from '../secrets.mts';
import { owner } from '../settings.mts';
import { waitFor } from '../waitFor.mts';
import { MANUAL_START } from './examples.mts';

const projectFolder = path.join(import.meta.dirname, '../../..');
let folder: string;
let ports: { n8n: number; sandbox: number };
let taken: number;
let demo: RunningProcess | undefined;

/** `npm start`, in a folder and on ports of its own. */
const start = async ({ n8n, sandbox } = ports) =>
	await startProcess(
		process.execPath,
		[
			path.join('scripts', 'start.mjs'),
			...['--port', String(n8n), '--sandbox-port', String(sandbox), '--folder', folder],
		],
		{ name: 'The demo', cwd: projectFolder, env: process.env, grace: 30_000 },
	);

/** What the demo has printed once it is up. */
const everythingSaid = async (running: RunningProcess) => {
	let isOver = false;
	void running.ended.then(() => (isOver = true));
	return await waitFor('the demo to say what to do', () => {
		const log = running.log().join('\n');
		if (isOver) throw new Error(`The demo ended early:\n${log}`);
		return log.includes('Ctrl-C') ? log : undefined;
	});
};

/** What `npm start` keeps in its folder for its owner only. */
async function keptSecrets(): Promise<N8nSecrets> {
	const file = path.join(folder, 'secrets.json');
	expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
	return JSON.parse(await readFile(file, 'utf8')) as N8nSecrets;
}

const answers = async (url: string) =>
	await http.head(url).then(
		() => true,
		() => false,
	);

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'customer-messaging-demo-'));
	ports = { n8n: await freePort(), sandbox: await freePort() };
});

afterEach(async () => await demo?.stop());

afterAll(async () => await rm(folder, { recursive: true, force: true }));

it('sets everything up, says what to do, runs the example, and leaves nothing running', async () => {
	demo = await start();
	const said = await everythingSaid(demo);
	const n8nUrl = `http://127.0.0.1:${ports.n8n}`;
	const sandboxUrl = `http://127.0.0.1:${ports.sandbox}`;
	const { ownerPassword, encryptionKey, webhookSecret } = await keptSecrets();
	for (const part of [n8nUrl, sandboxUrl, owner.email, ownerPassword]) expect(said).toContain(part);
	const config = await readFile(path.join(folder, '.n8n', 'config'), 'utf8');
	expect(JSON.parse(config)).toMatchObject({ encryptionKey });

	const rest = await N8nRest.logIn(n8nUrl, ownerPassword);
	await expect(N8nRest.logIn(n8nUrl, `${ownerPassword}x`)).rejects.toThrow('401');
	const [journeyId, agentMessageId] = [...said.matchAll(/\/workflow\/(\w+)/g)].map(([, id]) => id);
	const journey = await rest.runToEnd(journeyId, MANUAL_START);
	expect(journey.data.resultData.error).toBeUndefined();
	const [heard] = await rest.executionsOf(agentMessageId);
	expect(heard.status).toBe('success');
	expect(JSON.stringify(heard)).not.toContain(webhookSecret);

	const asked = async (host: string, headers = {}) =>
		await http.get(`${n8nUrl}/rest/settings`, { headers: { ...headers, host } }).then(
			({ status }) => status,
			(error: Error) => error.message,
		);
	const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
	expect(await asked('attacker.example')).toBe(403);
	expect(await asked(`attacker.example:${ports.n8n}`)).toBe(403);
	expect(await asked('attacker.example', upgrade)).toMatch(/socket hang up|ECONNRESET/);
	expect(await asked(`localhost:${ports.n8n}`)).toBe(200);

	process.kill(demo.pid, 'SIGINT');
	expect((await demo.ended).exitCode).toBe(0);
	expect(await answers(n8nUrl)).toBe(false);
	expect(await answers(sandboxUrl)).toBe(false);
});

it('starts again without doing any of it twice', async () => {
	const before = await keptSecrets();
	demo = await start();
	const said = await everythingSaid(demo);
	expect(said).not.toMatch(/Building|Importing|Creating|Updating/);
	expect(await keptSecrets()).toEqual(before);
	expect(said).toContain(before.ownerPassword);
	await N8nRest.logIn(`http://127.0.0.1:${ports.n8n}`, before.ownerPassword);
	process.kill(demo.pid, 'SIGTERM');
	expect((await demo.ended).exitCode).toBe(0);
});

it('makes other secrets for another folder', async () => {
	const other = await mkdtemp(path.join(tmpdir(), 'customer-messaging-secrets-'));
	const secrets = await secretsIn(path.join(other, 'secrets.json'), installedN8n());
	const shared = Object.entries(await keptSecrets()).filter(([, value]) =>
		Object.values(secrets).includes(value),
	);
	expect(shared).toEqual([]);
	await rm(other, { recursive: true });
});

it.each([
	['--port', () => [taken, ports.sandbox]],
	['--sandbox-port', () => [ports.n8n, taken]],
])('says in one sentence that the port of %s is taken', async (flag, choose) => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	taken = (server.address() as AddressInfo).port;
	const [n8n, sandbox] = choose();
	demo = await start({ n8n, sandbox });
	expect((await demo.ended).exitCode).toBe(1);
	expect(demo.log().filter((line) => line !== '')).toEqual([
		`Port ${taken} is taken: stop what runs there, or choose another one with npm start -- ${flag} ${taken + 1}`,
	]);
	server.close();
});
