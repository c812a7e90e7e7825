import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { IBinaryData, ICredentialDataDecryptedObject, INode, INodeParameters } from 'n8n-workflow';

import { pack } from '../../scripts/packing.mts';
import { installCommunityPackage } from '../n8n/communityPackage.mts';
import { installedN8n } from '../n8n/installation.mts';
import type { EngineApi } from './engine.child.mts';

/** A node of the workflow that is measured. */
export interface JobNode {
	/** Full name of its type, e.g. `n8n-nodes-base.httpRequest`; the version is the one that n8n adds by default. */
	type: string;
	parameters: INodeParameters;
	/** Settings such as `retryOnFail`. */
	settings?: Partial<INode>;
}

/** What goes into the first node. */
export type JobInput =
	/**
	 * People with `displayId`, `firstName`, `lastName`, `name` and `email`; `first` tells the people of a run from those of others.
	 * One in each item, or `perItem` of them as its `rows`.
	 */
	| { people: number; first: number; perItem?: number }
	/** One item with this file of n8n's binary store, as `data`. */
	| { stored: IBinaryData };

/** One execution of a workflow: the nodes one after another. */
export interface Job {
	nodes: JobNode[];
	input: JobInput;
	/** Data of the credentials by their type. */
	credentials: Record<string, ICredentialDataDecryptedObject>;
}

/** What an execution gave and took. */
export interface JobResult {
	milliseconds: number;
	/** Of the whole process: all threads, user and system. */
	cpuMilliseconds: number;
	/** The highest resident memory, above that before. */
	megabytes: number;
	/** Items that the last node gave out. */
	items: number;
	/** Those of them that hold an error; all of the input when the execution failed. */
	failed: number;
	/** Why the execution failed, if it did. */
	error?: string;
}

/** Packs the package and installs it as n8n does, in a temporary folder. */
export async function prepareWorkplace() {
	const installation = installedN8n();
	const folder = await mkdtemp(path.join(tmpdir(), 'customer-messaging-bench-'));
	const tarball = await pack(path.join(folder, 'pack'));
	/** The user folder of a whole n8n, with the package installed in it. */
	const userFolder = path.join(folder, 'user');
	await installCommunityPackage(tarball, userFolder);
	/** The installed n8n's packages. */
	const modules = path.resolve(installation.script, '../../..');
	return {
		installation,
		folder,
		tarball,
		userFolder,
		modules,
		packageFolder: path.join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-customer-messaging'),
		/** Of a process that runs n8n's code without a whole n8n: nodes find its packages by NODE_PATH. */
		environment: {
			PATH: process.env.PATH,
			HOME: process.env.HOME,
			NODE_ENV: 'production',
			NODE_PATH: modules,
			N8N_USER_FOLDER: path.join(folder, 'engine'),
			N8N_LOG_LEVEL: 'silent',
			N8N_ENCRYPTION_KEY: 'only-on-this-machine-for-the-benchmark',
		},
		remove: async () => await rm(folder, { recursive: true, force: true }),
	};
}

export type Workplace = Awaited<ReturnType<typeof prepareWorkplace>>;

/** A process that runs workflows in the engine of the installed n8n, under the Node.js that it needs. */
export class Engine {
	private readonly child: ChildProcess;

	constructor({ installation, environment, packageFolder }: Workplace) {
		this.child = fork(path.join(import.meta.dirname, 'engine.child.mts'), [packageFolder], {
			execPath: installation.node,
			execArgv: ['--expose-gc'],
			env: environment,
		});
	}

	/** @throws Error with what the function threw there, or when the process has ended */
	async call<Name extends keyof EngineApi>(
		name: Name,
		argument: Parameters<EngineApi[Name]>[0],
	): Promise<Awaited<ReturnType<EngineApi[Name]>>> {
		const answered = new Promise((resolve, reject) => {
			this.child.once('message', resolve);
			this.child.once('exit', (code) => reject(new Error(`The engine ended with ${code}`)));
		});
		this.child.send({ name, argument });
		type Answer = { result: Awaited<ReturnType<EngineApi[Name]>>; error?: string };
		const { result, error } = (await answered) as Answer;
		this.child.removeAllListeners('exit');
		if (error !== undefined) throw new Error(error);
		return result;
	}

	async stop(): Promise<void> {
		if (this.child.exitCode !== null || !this.child.kill()) return;
		await once(this.child, 'exit');
	}
}
