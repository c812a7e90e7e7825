import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Logger } from '@n8n/backend-common';
import { GlobalConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import {
	BinaryDataConfig,
	BinaryDataService,
	ErrorReporter,
	ExecutionLifecycleHooks,
	LazyPackageDirectoryLoader,
	PackageDirectoryLoader,
	WorkflowExecute,
} from 'n8n-core';
import type {
	IBinaryData,
	ICredentialsHelper,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeType,
	INodeTypes,
	IRun,
	IVersionedNodeType,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { Expression, NodeConnectionTypes, NodeHelpers, Workflow } from 'n8n-workflow';

import { answerCalls } from '../calls.mts';
import { type BareNode, bareNodes } from './bareNodes.mts';
import type { BesideResult, Job, JobInput, JobResult, TogetherResult } from './job.mts';

const [packageFolder] = process.argv.slice(2);
const BENCH = 'bench';
const BYTES_PER_MEGABYTE = 1024 * 1024;
const MICROSECONDS_PER_MILLISECOND = 1000;

async function load() {
	const binaryData = new BinaryDataService(
		Container.get(BinaryDataConfig),
		Container.get(ErrorReporter),
		Container.get(Logger),
	);
	await binaryData.init();
	Container.set(BinaryDataService, binaryData);
	// As n8n's start command does: without it expressions would be evaluated by the engine of older versions.
	await Expression.initExpressionEngine(Container.get(GlobalConfig).expressionEngine);
	const base = new LazyPackageDirectoryLoader(path.dirname(require.resolve('n8n-nodes-base/package.json')));
	const own = new PackageDirectoryLoader(packageFolder);
	for (const loader of [base, own]) {
		await loader.loadAll();
		loader.releaseTypes();
	}
	return { binaryData, own, loaders: new Map([base, own].map((loader) => [loader.packageName, loader])) };
}

const loaded = load();

/** The items that go into the first node. */
function itemsOf(input: JobInput): INodeExecutionData[] {
	if ('stored' in input) return [{ json: {}, binary: { data: input.stored } }];
	const { people, first, perItem } = input;
	const rows = Array.from({ length: people }, (_, index) => {
		const number = first + index;
		const firstName = `Given${number % 100}`;
		const lastName = `Family${number}`;
		return {
			displayId: `49160${String(number).padStart(8, '0')}`,
			firstName,
			lastName,
			name: `${firstName} ${lastName}`,
			email: `p${number}@mail.example`,
		};
	});
	if (perItem === undefined) return rows.map((json) => ({ json }));
	return Array.from({ length: Math.ceil(people / perItem) }, (_, index) => ({
		json: { rows: rows.slice(index * perItem, (index + 1) * perItem) },
	}));
}

function sourceOf(items: INodeExecutionData[]): INodeType {
	return {
		description: {
			displayName: 'Source',
			name: 'source',
			group: ['input'],
			version: 1,
			description: 'Gives out the items of the job',
			defaults: { name: 'Source' },
			inputs: [],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
		execute: async () => [items],
	};
}

async function nodeTypesWith(source: INodeType): Promise<INodeTypes> {
	const { loaders } = await loaded;
	const find = (fullName: string): INodeType | IVersionedNodeType => {
		const [packageName, name] = fullName.split('.');
		if (packageName === BENCH) return name === 'source' ? source : bareNodes[name as BareNode];
		const loader = loaders.get(packageName);
		if (!loader) throw new Error(`No package ${packageName} is loaded`);
		return loader.getNode(name).type;
	};
	return {
		getByName: find,
		getByNameAndVersion: (name, version) => NodeHelpers.getVersionedNodeType(find(name), version),
		getKnownTypes: () => ({}),
	};
}

/** Credentials without n8n's database, the same for both sides. */
async function credentialsHelper({ credentials }: Job): Promise<ICredentialsHelper> {
	const { own } = await loaded;
	const helper: Pick<
		ICredentialsHelper,
		'getParentTypes' | 'isCredentialUsableByNode' | 'authenticate' | 'preAuthentication' | 'getDecrypted'
	> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		preAuthentication: async () => undefined,
		getDecrypted: async (_data, _credential, type) => ({ ...credentials[type] }),
		authenticate: async (decrypted, type, options) => {
			if (type === 'httpBearerAuth') {
				const Authorization = `Bearer ${String(decrypted.token)}`;
				return { ...options, headers: { ...options.headers, Authorization } } as IHttpRequestOptions;
			}
			const { authenticate } = own.getCredential(type).type;
			if (typeof authenticate !== 'function') throw new Error(`${type} has no authenticate function`);
			return await authenticate(decrypted, options as IHttpRequestOptions);
		},
	};
	return helper as ICredentialsHelper;
}

async function workflowOf(job: Job, items: INodeExecutionData[]) {
	const nodeTypes = await nodeTypesWith(sourceOf(items));
	const credentials = Object.fromEntries(
		Object.keys(job.credentials).map((type) => [type, { id: type, name: type }]),
	);
	const nodes: INode[] = [{ type: `${BENCH}.source`, parameters: {} }, ...job.nodes].map(
		({ type, parameters, settings }: Job['nodes'][number], index) => {
			const found = nodeTypes.getByName(type);
			const typeVersion = 'nodeVersions' in found ? found.currentVersion : 1;
			const name = `Node ${index}`;
			return { id: name, name, type, typeVersion, position: [0, 0], parameters, credentials, ...settings };
		},
	);
	const stored: IWorkflowBase = {
		id: BENCH,
		name: 'Bench',
		active: true,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes,
		connections: Object.fromEntries(
			nodes
				.slice(1)
				.map(({ name }, index) => [
					nodes[index].name,
					{ main: [[{ node: name, type: NodeConnectionTypes.Main, index: 0 }]] },
				]),
		),
	};
	const workflow = new Workflow({ ...stored, nodeTypes, settings: { executionOrder: 'v1' } });
	const url = 'http://localhost/';
	const additionalData: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: await credentialsHelper(job),
		executionId: '1',
		currentNodeExecutionIndex: 0,
		variables: {},
		restApiUrl: url,
		instanceBaseUrl: url,
		webhookBaseUrl: url,
		webhookWaitingBaseUrl: url,
		webhookTestBaseUrl: url,
		formBaseUrl: url,
		formWaitingBaseUrl: url,
		formTestBaseUrl: url,
		hooks: new ExecutionLifecycleHooks('trigger', '1', stored),
	};
	return { workflow, additionalData: additionalData as IWorkflowExecuteAdditionalData };
}

const isLinux = process.platform === 'linux';

const residentMegabytes = (): number => process.memoryUsage.rss() / BYTES_PER_MEGABYTE;

/** Makes the present memory the highest there was. */
function forgetPeak(): void {
	if (isLinux) writeFileSync('/proc/self/clear_refs', '5');
}

/** The highest resident memory of this process in MB; elsewhere than on Linux since it was started. */
function peakMegabytes(): number {
	if (!isLinux) return process.resourceUsage().maxRSS / 1024;
	// Not from getrusage, whose figure starts with that of the parent process.
	return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
}

async function profiled<T>(file: string | undefined, work: () => Promise<T>): Promise<T> {
	if (file === undefined) return await work();
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: 200 });
	await session.post('Profiler.start');
	const result = await work();
	const { profile } = await session.post('Profiler.stop');
	session.disconnect();
	await writeFile(file, JSON.stringify(profile));
	return result;
}

/** Waits until the resident memory has not sunk for half a second: V8's threads give back what a collection has freed. */
async function atRest(): Promise<void> {
	let lowest = Infinity;
	for (let still = 0; still < 5; still++) {
		const megabytes = residentMegabytes();
		if (megabytes < lowest) still = 0;
		lowest = Math.min(lowest, megabytes);
		await setTimeout(100);
	}
}

/** Frees what former runs left behind: some of it is let go only by what the first collection calls. */
async function forgetFormerRuns(): Promise<void> {
	for (let round = 0; round < 2; round++) {
		global.gc?.();
		await setImmediate();
	}
	await atRest();
}

/** Gets an execution ready, and returns the function that runs it. */
async function prepared(job: Job, items: INodeExecutionData[]) {
	const { workflow, additionalData } = await workflowOf(job, items);
	const engine = new WorkflowExecute(additionalData, 'trigger');
	const startNode = workflow.getNode('Node 0') ?? undefined;
	return async () => await engine.run({ workflow, startNode });
}

/** What the last node of an execution gave. */
function outcomeOf(job: Job, inputs: number, { data }: IRun) {
	const [task] = data.resultData.runData[`Node ${job.nodes.length}`] ?? [];
	const error = task?.error ?? data.resultData.error;
	const given = task?.data?.main[0] ?? [];
	const failed = given.filter((item) => item.error !== undefined || item.json.error !== undefined).length;
	return {
		items: given.length,
		failed: error ? inputs : failed,
		...(error && { error: [error.message, error.description].filter(Boolean).join('\n') }),
	};
}

const api = {
	/** Copies a file into n8n's file-system binary store. */
	async store({ file, mimeType }: { file: string; mimeType: string }): Promise<IBinaryData> {
		const { binaryData } = await loaded;
		const location = { type: 'execution', workflowId: BENCH, executionId: '1' } as const;
		return await binaryData.copyBinaryFile(
			location,
			{ fileName: path.basename(file), mimeType, data: '' },
			file,
		);
	},

	/** Runs a workflow in n8n's own engine, as a published one runs. */
	async run(job: Job): Promise<JobResult> {
		await loaded;
		const items = itemsOf(job.input);
		const execute = await prepared(job, items);
		await forgetFormerRuns();
		forgetPeak();
		const idleMegabytes = residentMegabytes();
		const cpuBefore = process.cpuUsage();
		const startedAt = performance.now();
		const run = await profiled(job.profile, execute);
		const milliseconds = performance.now() - startedAt;
		const cpu = process.cpuUsage(cpuBefore);
		const peak = peakMegabytes();
		return {
			milliseconds,
			cpuMilliseconds: (cpu.user + cpu.system) / MICROSECONDS_PER_MILLISECOND,
			...outcomeOf(job, items.length, run),
			idleMegabytes,
			peakMegabytes: peak,
		};
	},

	/** Runs an execution of its own for each item of the input, all at once, as many webhooks do. */
	async runTogether(job: Job): Promise<TogetherResult> {
		await loaded;
		const items = itemsOf(job.input);
		const executions = await Promise.all(items.map(async (item) => await prepared(job, [item])));
		await forgetFormerRuns();
		const startedAt = performance.now();
		const runs = await Promise.all(executions.map(async (execute) => await execute()));
		const milliseconds = performance.now() - startedAt;
		const outcomes = runs.map((run) => outcomeOf(job, 1, run));
		const failed = outcomes.filter((outcome) => outcome.failed > 0);
		return { milliseconds, failed: failed.length, ...(failed[0]?.error && { error: failed[0].error }) };
	},

	/** Runs a workflow, and beside it an execution for each item of another one, one after another. */
	async runBeside({ main, single }: { main: Job; single: Job }): Promise<BesideResult> {
		await loaded;
		const items = itemsOf(single.input);
		let isOver = false;
		const running = api.run(main).finally(() => (isOver = true));
		const beside: number[] = [];
		let besideFailed = 0;
		// The run beside them shall have begun.
		await setTimeout(500);
		for (const item of items) {
			if (isOver) break;
			const execute = await prepared(single, [item]);
			const startedAt = performance.now();
			const run = await execute();
			beside.push(performance.now() - startedAt);
			besideFailed += outcomeOf(single, 1, run).failed;
			await setTimeout(50);
		}
		return { ...(await running), beside, besideFailed };
	},
};

export type EngineApi = typeof api;

answerCalls(api);
