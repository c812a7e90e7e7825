import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { http } from '../test/http.mts';
import { type RunningProcess, startProcess, untilReady } from '../test/n8n/childProcess.mts';
import { installCommunityPackage } from '../test/n8n/communityPackage.mts';
import { installedN8n } from '../test/n8n/installation.mts';
import { startN8n } from '../test/n8n/server.mts';
import { secretsIn } from '../test/n8n/secrets.mts';
import { type N8nInstance, owner, ownerSettings } from '../test/n8n/settings.mts';
import {
	type CredentialDefinition,
	nodeNamed,
	webhookUrl,
	type WorkflowDefinition,
} from '../test/n8n/workflow.mts';
import {
	agentMessage,
	contentDigest,
	demoCredentials,
	fillN8n,
	type Ids,
	journey,
	WEBHOOK_HEADER,
} from './demoContent.mts';
import { build, pack } from './packing.mts';
import { packageDigest } from './sources.mts';

export interface DemoOptions {
	/** Port of n8n. */
	port: number;
	sandboxPort: number;
	/** Where n8n keeps its data, relative to the project folder. */
	folder: string;
}

/** What the demo folder holds already, so that a later start does not do it again. */
interface DemoState {
	/** Digest of the sources that the installed package was made of. */
	packageDigest?: string;
	/** Digest of the credentials and example workflows that n8n has. */
	contentDigest?: string;
	ids: Ids;
	/** The demo that used the folder last. */
	lastRun?: { processId: number; n8nUrl: string };
}

interface Notes {
	known: DemoState;
	/** Adds to what is known. */
	note(change: Partial<DemoState>): Promise<void>;
}

const projectFolder = path.resolve(import.meta.dirname, '..');

/** What is secret about a demo, in its folder. */
const SECRETS_FILE = 'secrets.json';

/**
 * Sets n8n and the sandbox up as far as they are not yet, runs both until a signal arrives or one of them ends, and stops
 * what is left.
 *
 * @returns the exit code: 0 when it was stopped, 1 when something went wrong, which has been said then
 */
export async function runDemo({ port, sandboxPort, folder }: DemoOptions): Promise<number> {
	const stopping = new AbortController();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());

	const demoFolder = path.resolve(projectFolder, folder);
	const installation = installedN8n();
	const starting: Promise<RunningProcess>[] = [];
	let problem: string | undefined;
	try {
		await mkdir(demoFolder, { recursive: true, mode: 0o700 });
		const secrets = await secretsIn(path.join(demoFolder, SECRETS_FILE), installation);
		const { ownerPassword, webhookSecret } = secrets;
		const instance = {
			installation,
			userFolder: demoFolder,
			port,
			env: ownerSettings(secrets),
			signal: stopping.signal,
		};
		const notes = await notesIn(path.join(demoFolder, 'state.json'));
		await takeFolder(instance, notes);
		await installPackage(instance, notes);
		console.log('Starting the sandbox and n8n: about half a minute');
		const startingSandbox = startSandboxProcess(instance, sandboxPort);
		const startingN8n = startN8n(instance, { logFile: path.join(demoFolder, 'n8n.log') });
		starting.push(startingSandbox, startingN8n);
		const [sandbox, n8n] = await Promise.all([startingSandbox, startingN8n]);
		await fill(n8n.url, ownerPassword, demoCredentials(sandboxUrl(sandboxPort), webhookSecret), notes);
		stopping.signal.throwIfAborted();
		await registerWebhook(sandboxUrl(sandboxPort), n8n.url, webhookSecret);
		console.log(whatToDo(n8n.url, sandboxUrl(sandboxPort), folder, ownerPassword, notes.known.ids));
		problem = await Promise.race([
			n8n.ended.then(({ how }) => `n8n ended by itself (${how}): its log is ${folder}/n8n.log`),
			sandbox.ended.then(
				({ how }) => `The sandbox ended by itself (${how}): its log is ${folder}/sandbox.log`,
			),
		]);
	} catch (error) {
		problem = await inOneSentence(error as Error, demoFolder, folder);
	}
	const wasStopped = stopping.signal.aborted;
	if (!wasStopped) console.error(`\n${problem}`);
	stopping.abort();
	await Promise.allSettled(starting.map(async (one) => await (await one).ended));
	if (wasStopped) console.log('\nn8n and the sandbox have stopped.');
	return wasStopped ? 0 : 1;
}

/** The first line of an error; what follows it goes into a file. */
async function inOneSentence({ message }: Error, demoFolder: string, folder: string): Promise<string> {
	const [sentence, ...details] = message.split('\n');
	if (details.length === 0) return sentence;
	await writeFile(path.join(demoFolder, 'problem.log'), `${message}\n`);
	return `${sentence}: ${folder}/problem.log says why; to begin anew, remove ${folder} and start again.`;
}

const sandboxUrl = (port: number) => `http://127.0.0.1:${port}`;

/** @throws Error when another demo runs in the folder */
async function takeFolder({ port }: { port: number }, { known, note }: Notes): Promise<void> {
	if (known.lastRun !== undefined && (await isRunning(known.lastRun))) {
		throw new Error(
			`npm start already uses this folder, at ${known.lastRun.n8nUrl}: stop that one first, or choose another folder with npm start -- --folder .n8n-demo-2`,
		);
	}
	await note({ lastRun: { processId: process.pid, n8nUrl: `http://127.0.0.1:${port}` } });
}

/** Installs the package as its sources are, unless that is done. */
async function installPackage({ userFolder, signal }: N8nInstance, { known, note }: Notes): Promise<void> {
	const digest = await packageDigest();
	if (known.packageDigest === digest) return;
	console.log('Building and packing the package');
	await build();
	await installCommunityPackage(await pack(path.join(userFolder, 'pack')), userFolder);
	signal?.throwIfAborted();
	await note({ packageDigest: digest });
}

/** Gives n8n the credentials and workflows as they are, unless that is done. */
async function fill(
	n8nUrl: string,
	password: string,
	credentials: CredentialDefinition[],
	{ known, note }: Notes,
): Promise<void> {
	const digest = contentDigest(credentials);
	if (known.contentDigest === digest) return;
	console.log('Creating the credentials and the example workflows');
	await fillN8n(n8nUrl, password, credentials, known.ids, async (ids) => await note({ ids }));
	await note({ contentDigest: digest });
}

async function isRunning({ processId, n8nUrl }: NonNullable<DemoState['lastRun']>): Promise<boolean> {
	try {
		process.kill(processId, 0);
	} catch {
		return false;
	}
	return await http.head(n8nUrl).then(
		() => true,
		() => false,
	);
}

async function notesIn(file: string): Promise<Notes> {
	const known = await readFile(file, 'utf8').then(
		(text) => ({ ids: {}, ...(JSON.parse(text) as Partial<DemoState>) }),
		(): DemoState => ({ ids: {} }),
	);
	const note = async (change: Partial<DemoState>) => {
		Object.assign(known, change);
		await writeFile(file, `${JSON.stringify(known, null, 2)}\n`);
	};
	return { known, note };
}

/** The sandbox as a process of its own. */
async function startSandboxProcess(
	{ userFolder, port, signal }: N8nInstance,
	sandboxPort: number,
): Promise<RunningProcess> {
	const script = path.join(projectFolder, 'sandbox', 'main.mts');
	const args = ['--import', 'tsx', script, '--port', String(sandboxPort)];
	const sandbox = await startProcess(process.execPath, args, {
		name: 'The sandbox',
		cwd: projectFolder,
		// Where the button of the template question leads.
		env: { ...process.env, N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/` },
		logFile: path.join(userFolder, 'sandbox.log'),
		signal,
	});
	await untilReady(sandbox, 'The sandbox', sandboxUrl(sandboxPort));
	return sandbox;
}

/** Lets the sandbox report agent messages to the published example workflow, with the secret that its trigger wants. */
async function registerWebhook(sandbox: string, n8nUrl: string, secret: string): Promise<void> {
	const trigger = nodeNamed(agentMessage, 'New Agent Message');
	const { status, data } = await http.post<unknown>(`${sandbox}/sandbox/webhooks`, {
		url: webhookUrl(n8nUrl, trigger, 'webhook'),
		secretHeader: { name: WEBHOOK_HEADER, value: secret },
	});
	if (status >= 300) {
		throw new Error(`The sandbox did not take the webhook (${status})\n${JSON.stringify(data)}`);
	}
}

function whatToDo(n8nUrl: string, inboxUrl: string, folder: string, password: string, ids: Ids): string {
	const urlOf = ({ id }: WorkflowDefinition) => `${n8nUrl}/workflow/${ids[String(id)]}`;
	return `
  n8n      ${urlOf(journey)}
  Log in   ${owner.email}   ${password}
  Click    Execute workflow: every step of "${journey.name}" turns green. The message it sent has come back to
           "${agentMessage.name}": ${urlOf(agentMessage)}/executions
  Inbox    ${inboxUrl}/   what the customers of the sandbox see

  Ctrl-C stops it all. Logs are in ${folder}; its ${SECRETS_FILE} keeps this password and n8n's encryption key.
`;
}
