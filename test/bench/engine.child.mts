// Runs workflows in the engine of the installed n8n, whose packages NODE_PATH names, as the parent process asks for.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';

import type * as BackendCommon from '@n8n/backend-common';
import type * as Config from '@n8n/config';
import type * as Di from '@n8n/di';
import type * as Core from 'n8n-core';
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
import type * as N8nWorkflow from 'n8n-workflow';

import type { Job, JobInput, JobResult } from './engine.mts';

const [packageFolder] = process.argv.slice(2);
const load = createRequire(path.join(String(process.env.NODE_PATH), 'n8n', 'package.json'));
const core = load('n8n-core') as typeof Core;
const { Expression, NodeHelpers, Workflow } = load('n8n-workflow') as typeof N8nWorkflow;
const { Container } = load('@n8n/di') as typeof Di;
const { Logger } = load('@n8n/backend-common') as typeof BackendCommon;
const { GlobalConfig } = load('@n8n/config') as typeof Config;

const SOURCE = 'bench.source';
const BYTES_PER_MEGABYTE = 1024 * 1024;

const binaryData = new core.BinaryDataService(
	Container.get(core.BinaryDataConfig),
	Container.get(core.ErrorReporter),
	Container.get(Logger),
);
await binaryData.init();
Container.set(core.BinaryDataService, binaryData);
// As n8n's start command does: without it expressions would be evaluated by the engine of older versions.
await Expression.initExpressionEngine(Container.get(GlobalConfig).expressionEngine);
const base = new core.LazyPackageDirectoryLoader(path.dirname(load.resolve('n8n-nodes-base/package.json')));
const own = new core.PackageDirectoryLoader(packageFolder);
for (const loader of [base, own]) {
	await loader.loadAll();
	loader.releaseTypes();
}

/** The items that go into the first node. */
function itemsOf(input: JobInput): INodeExecutionData[] {
	if ('stored' in input) return [{ json: {}, binary: { data: input.stored } }];
	const { people, first, perItem } = input;
	const rows = Array.from({ length: people }, (_, index) => {
		const number = first + index;
		const [firstName, lastName] = [`Given${number % 100}`, `Family${number}`];
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

function nodeTypesWith(items: INodeExecutionData[]): INodeTypes {
	const source: INodeType = {
		description: {
			displayName: 'Source',
			name: 'source',
			group: ['input'],
			version: 1,
			description: 'Gives out the items of the job',
			defaults: { name: 'Source' },
			inputs: [],
			outputs: ['main'],
			properties: [],
		},
		execute: async () => [items],
	};
	const find = (fullName: string): INodeType | IVersionedNodeType => {
		const [packageName, name] = fullName.split('.');
		return fullName === SOURCE ? source : (packageName === own.packageName ? own : base).getNode(name).type;
	};
	return {
		getByName: find,
		getByNameAndVersion: (name, version) => NodeHelpers.getVersionedNodeType(find(name), version),
		getKnownTypes: () => ({}),
	};
}

/** Credentials without n8n's database, the same for both sides. */
const credentialsHelper = ({ credentials }: Job) =>
	({
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
	}) satisfies Partial<ICredentialsHelper> as Partial<ICredentialsHelper> as ICredentialsHelper;

/** Gets an execution ready, and returns the function that runs it. */
function prepared(job: Job, items: INodeExecutionData[]): () => Promise<IRun> {
	const nodeTypes = nodeTypesWith(items);
	const credentials = Object.fromEntries(
		Object.keys(job.credentials).map((type) => [type, { id: type, name: type }]),
	);
	const nodes: INode[] = [{ type: SOURCE, parameters: {} }, ...job.nodes].map(
		({ type, parameters, settings }: Job['nodes'][number], index) => {
			const found = nodeTypes.getByName(type);
			const typeVersion = 'nodeVersions' in found ? found.currentVersion : 1;
			const name = `Node ${index}`;
			return { id: name, name, type, typeVersion, position: [0, 0], parameters, credentials, ...settings };
		},
	);
	const stored: IWorkflowBase = {
		id: 'bench',
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
				.map(({ name }, index) => [nodes[index].name, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
		),
	};
	const workflow = new Workflow({ ...stored, nodeTypes, settings: { executionOrder: 'v1' } });
	const url = 'http://localhost/';
	const additionalData: Partial<IWorkflowExecuteAdditionalData> = {
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
		credentialsHelper: credentialsHelper(job),
		hooks: new core.ExecutionLifecycleHooks('trigger', '1', stored),
	};
	const engine = new core.WorkflowExecute(additionalData as IWorkflowExecuteAdditionalData, 'trigger');
	const startNode = workflow.getNode('Node 0') ?? undefined;
	return async () => await engine.run({ workflow, startNode });
}

const residentMegabytes = (): number => process.memoryUsage.rss() / BYTES_PER_MEGABYTE;

const isLinux = process.platform === 'linux';

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

/** Frees what former runs left behind, and waits until the resident memory has not sunk for half a second. */
async function forgetFormerRuns(): Promise<void> {
	// Some of it is let go only by what the first collection calls.
	for (let round = 0; round < 2; round++) {
		global.gc?.();
		await setImmediate();
	}
	let lowest = Infinity;
	for (let still = 0; still < 5; still++) {
		const megabytes = residentMegabytes();
		if (megabytes < lowest) still = 0;
		lowest = Math.min(lowest, megabytes);
		await setTimeout(100);
	}
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
		error: error && [error.message, error.description].filter(Boolean).join('\n'),
	};
}

const api = {
	/** Copies a file into n8n's file-system binary store. */
	async store({ file, mimeType }: { file: string; mimeType: string }): Promise<IBinaryData> {
		const location = { type: 'execution', workflowId: 'bench', executionId: '1' } as const;
		const empty = { fileName: path.basename(file), mimeType, data: '' };
		return await binaryData.copyBinaryFile(location, empty, file);
	},

	/** Runs a workflow in n8n's own engine, as a published one runs. */
	async run(job: Job): Promise<JobResult> {
		const items = itemsOf(job.input);
		const execute = prepared(job, items);
		await forgetFormerRuns();
		forgetPeak();
		const idle = residentMegabytes();
		const cpuBefore = process.cpuUsage();
		const startedAt = performance.now();
		const run = await execute();
		const milliseconds = performance.now() - startedAt;
		const { user, system } = process.cpuUsage(cpuBefore);
		const megabytes = peakMegabytes() - idle;
		return {
			milliseconds,
			cpuMilliseconds: (user + system) / 1000,
			megabytes,
			...outcomeOf(job, items.length, run),
		};
	},

	/** Runs an execution of its own for each item of the input, all at once, as many webhooks do. */
	async runTogether(job: Job): Promise<{ milliseconds: number; failed: number }> {
		const executions = itemsOf(job.input).map((item) => prepared(job, [item]));
		await forgetFormerRuns();
		const startedAt = performance.now();
		const runs = await Promise.all(executions.map(async (execute) => await execute()));
		const milliseconds = performance.now() - startedAt;
		return { milliseconds, failed: runs.filter((run) => outcomeOf(job, 1, run).failed > 0).length };
	},

	/** Runs a workflow, and beside it an execution for each item of another one, one after another. Gives their milliseconds. */
	async runBeside({
		main,
		single,
	}: {
		main: Job;
		single: Job;
	}): Promise<{ beside: number[]; failed: number }> {
		let isOver = false;
		const running = api.run(main).finally(() => (isOver = true));
		const beside: number[] = [];
		let failed = 0;
		// The run beside them shall have begun.
		await setTimeout(500);
		for (const item of itemsOf(single.input)) {
			if (isOver) break;
			const execute = prepared(single, [item]);
			const startedAt = performance.now();
			const run = await execute();
			beside.push(performance.now() - startedAt);
			failed += outcomeOf(single, 1, run).failed;
			await setTimeout(50);
		}
		return { beside, failed: failed + (await running).failed };
	},
};

/** What the parent can call. */
export type EngineApi = typeof api;

process.on('message', async ({ name, argument }: { name: keyof EngineApi; argument: never }) => {
	const answer = await api[name](argument).then(
		(result) => ({ result }),
		(error: Error) => ({ error: error.stack }),
	);
	process.send?.(answer);
});
process.on('disconnect', () => process.exit());
