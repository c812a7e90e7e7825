import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { http } from '../http.mts';
import { type RunningProcess, startProcess } from '../n8n/childProcess.mts';
import { freePort } from '../n8n/ports.mts';
import { N8nRest } from '../n8n/rest.mts';
import { owner } from '../n8n/settings.mts';
import { waitFor } from '../n8n/waitFor.mts';
import { customerJourney, MANUAL_START, newAgentMessage } from './examples.mts';

jest.setTimeout(60_000);

const projectFolder = path.join(import.meta.dirname, '..', '..');
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
	return await waitFor(
		'the demo to say what to do',
		() => {
			const log = running.log().join('\n');
			if (isOver) throw new Error(`The demo ended early:\n${log}`);
			return log.includes('Ctrl-C') ? log : undefined;
		},
		{ within: 120_000 },
	);
};

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
	for (const part of [n8nUrl, sandboxUrl, owner.email, owner.password]) expect(said).toContain(part);

	const rest = await N8nRest.logIn(n8nUrl);
	const journey = await rest.runToEnd(String(customerJourney.id), MANUAL_START);
	expect(journey.data.resultData.error).toBeUndefined();
	const [heard] = await rest.executionsOf(String(newAgentMessage.id));
	expect(heard.status).toBe('success');

	process.kill(demo.pid, 'SIGINT');
	expect((await demo.ended).exitCode).toBe(0);
	expect(await answers(n8nUrl)).toBe(false);
	expect(await answers(sandboxUrl)).toBe(false);
}, 180_000);

it('starts again without doing any of it twice', async () => {
	demo = await start();
	expect(await everythingSaid(demo)).not.toMatch(/Building|Importing|Creating|Updating/);
	process.kill(demo.pid, 'SIGTERM');
	expect((await demo.ended).exitCode).toBe(0);
}, 120_000);

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
