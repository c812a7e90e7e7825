import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ADMIN_TOKEN } from '../sandbox/choices.mts';
import { http } from '../test/http.mts';
import { type RunningProcess, startProcess, untilReady } from '../test/n8n/childProcess.mts';
import { importCredentials, importWorkflows, publishWorkflow } from '../test/n8n/commandLine.mts';
import { installCommunityPackage } from '../test/n8n/communityPackage.mts';
import { installedN8n } from '../test/n8n/installation.mts';
import { startN8n } from '../test/n8n/server.mts';
import { secretsIn } from '../test/n8n/secrets.mts';
import { type N8nInstance, owner, ownerSettings } from '../test/n8n/settings.mts';
import { type CredentialDefinition, nodeNamed, readWorkflow, webhookUrl } from '../test/n8n/workflow.mts';
import { build, pack } from './packing.mts';
import { digestOf, packageDigest } from './sources.mts';

export interface DemoOptions {
	/** Port of n8n. */
	port: number;
	sandboxPort: number;
	/** Where n8n keeps its data, relative to the project folder. */
	folder: string;
	/** Settles when n8n can run. Until then, the package can be built. */
	n8nIsComplete: Promise<void>;
}

/** What the demo folder holds already, so that a later start does not do it again. */
interface DemoState {
	/** Digest of the sources that the installed package was made of. */
	packageDigest?: string;
	/** Digest of the imported example workflows. */
	examplesDigest?: string;
	/** Digest of the imported credentials. */
	credentialsDigest?: string;
	/** The demo that used the folder last. */
	lastRun?: { processId: number; n8nUrl: string };
}

const projectFolder = path.resolve(import.meta.dirname, '..');
const journeyFile = path.join(projectFolder, 'examples', 'customer-journey.json');
const agentMessageFile = path.join(projectFolder, 'examples', 'new-agent-message.json');

/** The header that proves that a webhook comes from the sandbox. */
const WEBHOOK_HEADER = 'X-Webhook-Secret';

/** What is secret about a demo, in its folder. */
const SECRETS_FILE = 'secrets.json';

/** What the demo's n8n knows of the sandbox, under the ids that the example workflows use. */
const demoCredentials = (tenantDomain: string, secret: string): CredentialDefinition[] => [
	{
		id: 'customerMessaging',
		name: 'Customer Messaging sandbox',
		type: 'customerMessagingApi',
		data: { tenantDomain, accessToken: ADMIN_TOKEN },
	},
	{
		id: 'customerMessagingWebhook',
		name: 'Customer Messaging webhook',
		type: 'customerMessagingWebhookApi',
		data: { method: 'headerSecret', headerName: WEBHOOK_HEADER, secret },
	},
];

/**
 * Sets n8n and the sandbox up as far as they are not yet, runs both until a signal arrives or one of them ends, and stops
 * what is left.
 *
 * @returns the exit code: 0 when it was stopped, 1 when something went wrong, which has been said then
 */
export async function runDemo({ port, sandboxPort, folder, n8nIsComplete }: DemoOptions): Promise<number> {
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
		await prepare(instance, demoCredentials(sandboxUrl(sandboxPort), webhookSecret), n8nIsComplete);
		console.log('Starting the sandbox and n8n');
		const startingSandbox = startSandboxProcess(instance, sandboxPort);
		const startingN8n = startN8n(instance, { logFile: path.join(demoFolder, 'n8n.log'), ownerPassword });
		starting.push(startingSandbox, startingN8n);
		const [sandbox, n8n] = await Promise.all([startingSandbox, startingN8n]);
		await registerWebhook(sandboxUrl(sandboxPort), n8n.url, webhookSecret);
		console.log(whatToDo(n8n.url, sandboxUrl(sandboxPort), folder, ownerPassword));
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

/** Brings package, credentials and workflows in the demo folder up to date. */
async function prepare(
	instance: N8nInstance & { port: number },
	credentials: CredentialDefinition[],
	n8nIsComplete: Promise<void>,
): Promise<void> {
	const stateFile = path.join(instance.userFolder, 'state.json');
	const state = await readState(stateFile);
	if (state.lastRun !== undefined && (await isRunning(state.lastRun))) {
		throw new Error(
			`npm start already uses this folder, at ${state.lastRun.n8nUrl}: stop that one first, or choose another folder with npm start -- --folder .n8n-demo-2`,
		);
	}
	const save = async (change: DemoState) => {
		Object.assign(state, change);
		await writeFile(stateFile, `${JSON.stringify(state, null, 2)}\n`);
	};
	const bringUpToDate = async (
		key: 'packageDigest' | 'examplesDigest' | 'credentialsDigest',
		value: string,
		what: string,
		work: () => Promise<void>,
	) => {
		if (state[key] === value) return;
		console.log(what);
		await work();
		instance.signal?.throwIfAborted();
		await save({ [key]: value });
	};
	await save({ lastRun: { processId: process.pid, n8nUrl: `http://127.0.0.1:${instance.port}` } });

	await bringUpToDate(
		'packageDigest',
		await packageDigest(),
		'Building and packing the package',
		async () => {
			await build();
			const tarball = await pack(path.join(instance.userFolder, 'pack'));
			await installCommunityPackage(tarball, instance.userFolder);
		},
	);
	await n8nIsComplete;
	const isFirst = state.credentialsDigest === undefined;
	await bringUpToDate(
		'credentialsDigest',
		createHash('sha256').update(JSON.stringify(credentials)).digest('hex'),
		isFirst ? 'Creating the database and the credentials' : 'Updating the credentials',
		async () => await importCredentials(instance, credentials),
	);
	const files = [journeyFile, agentMessageFile];
	await bringUpToDate(
		'examplesDigest',
		await digestOf(files),
		'Importing the example workflows',
		async () => {
			await importWorkflows(instance, files.map(readWorkflow));
			await publishWorkflow(instance, String(readWorkflow(agentMessageFile).id));
		},
	);
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

async function readState(file: string): Promise<DemoState> {
	return await readFile(file, 'utf8').then(
		(text) => JSON.parse(text) as DemoState,
		() => ({}),
	);
}

/** The sandbox as a process of its own. */
async function startSandboxProcess(
	{ userFolder, signal }: N8nInstance,
	sandboxPort: number,
): Promise<RunningProcess> {
	const script = path.join(projectFolder, 'sandbox', 'main.mts');
	const args = ['--import', 'tsx', script, '--port', String(sandboxPort)];
	const sandbox = await startProcess(process.execPath, args, {
		name: 'The sandbox',
		cwd: projectFolder,
		env: process.env,
		logFile: path.join(userFolder, 'sandbox.log'),
		signal,
	});
	await untilReady(sandbox, 'The sandbox', sandboxUrl(sandboxPort), 30_000);
	return sandbox;
}

/** Lets the sandbox report agent messages to the published example workflow, with the secret that its trigger wants. */
async function registerWebhook(sandbox: string, n8nUrl: string, secret: string): Promise<void> {
	const trigger = nodeNamed(readWorkflow(agentMessageFile), 'New Agent Message');
	const { status, data } = await http.post<unknown>(`${sandbox}/sandbox/webhooks`, {
		url: webhookUrl(n8nUrl, trigger, 'webhook'),
		secretHeader: { name: WEBHOOK_HEADER, value: secret },
	});
	if (status >= 300) {
		throw new Error(`The sandbox did not take the webhook (${status})\n${JSON.stringify(data)}`);
	}
}

function whatToDo(n8nUrl: string, inboxUrl: string, folder: string, password: string): string {
	const journey = readWorkflow(journeyFile);
	const agentMessage = readWorkflow(agentMessageFile);
	return `
  n8n      ${n8nUrl}/workflow/${journey.id}
  Log in   ${owner.email}   ${password}
  Click    Execute workflow: every step of "${journey.name}" turns green. The message it sent has come back to
           "${agentMessage.name}": ${n8nUrl}/workflow/${agentMessage.id}/executions
  Inbox    ${inboxUrl}/   what the customers of the sandbox see

  Ctrl-C stops it all. Logs are in ${folder}; its ${SECRETS_FILE} keeps this password and n8n's encryption key.
`;
}
