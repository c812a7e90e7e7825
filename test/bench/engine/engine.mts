import path from 'node:path';

import type { IBinaryData } from 'n8n-workflow';

import { Child } from '../calls.mts';
import type { Workplace } from '../workplace.mts';
import type { EngineApi } from './engine.child.mts';
import type { Job, JobResult } from './job.mts';

/** Processes that run workflows in the engine of the installed n8n, under the Node.js that it needs. */
export class Engines {
	private readonly running = new Set<Child<EngineApi>>();

	private constructor(
		private readonly place: Workplace,
		private readonly script: string,
	) {}

	static async prepare(place: Workplace): Promise<Engines> {
		return new Engines(place, await place.compile(path.join(import.meta.dirname, 'engine.child.mts')));
	}

	async start(): Promise<Child<EngineApi>> {
		const { installation, environment, packageFolder } = this.place;
		const engine = await Child.start<EngineApi>({
			name: 'The engine',
			script: this.script,
			args: [packageFolder],
			executable: installation.node,
			nodeOptions: ['--expose-gc'],
			env: environment,
		});
		this.running.add(engine);
		return engine;
	}

	async stop(engine: Child<EngineApi>): Promise<void> {
		this.running.delete(engine);
		await engine.stop();
	}

	/** Runs a job in a process of its own, after a small one that loads what is loaded at first use. */
	async runAlone(warmUp: Job, job: Job): Promise<JobResult> {
		const engine = await this.start();
		try {
			await engine.call('run', warmUp);
			return await engine.call('run', job);
		} finally {
			await this.stop(engine);
		}
	}

	/**
	 * Copies files into n8n's binary store, which all engines share. A process of its own does it, since the copying leaves
	 * memory behind.
	 */
	async store(files: string[], mimeType: string): Promise<IBinaryData[]> {
		const engine = await this.start();
		try {
			return await Promise.all(files.map(async (file) => await engine.call('store', { file, mimeType })));
		} finally {
			await this.stop(engine);
		}
	}

	async stopAll(): Promise<void> {
		await Promise.all([...this.running].map(async (engine) => await this.stop(engine)));
	}
}
