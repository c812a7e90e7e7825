import path from 'node:path';

import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import {
	BinaryDataConfig,
	BinaryDataService,
	ErrorReporter,
	type ExecuteContext,
	ExecutionLifecycleHooks,
	LoadOptionsContext,
	PackageDirectoryLoader,
	RoutingNode,
	WorkflowExecute,
} from 'n8n-core';
import { SSHClientsManager } from 'n8n-core/dist/execution-engine/ssh-clients-manager';
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IExecuteFunctions,
	IDataObject,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
	INodeTypes,
	IRun,
	ITaskData,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	OnError,
} from 'n8n-workflow';
import * as n8nWorkflow from 'n8n-workflow';
import { NodeConnectionTypes, NodeHelpers, Workflow } from 'n8n-workflow';

/** The project, whose compiled package is loaded the way n8n loads an installed one. */
let packageDirectory = path.resolve(import.meta.dirname, '../..');

export const ACTION_NODE = 'n8n-nodes-customer-messaging.customerMessaging';

/** A node type that gives out the items a test wants to feed in. */
function sourceOf(items: INodeExecutionData[]): INodeType {
	return {
		description: {
			displayName: 'Source',
			name: 'source',
			group: ['input'],
			version: 1,
			description: 'Gives out the items of the test',
			defaults: { name: 'Source' },
			inputs: [],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
		execute: async () => [items],
	};
}

/** What a run of one node gave. */
export interface NodeRun {
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** Items of the error output, with `onError: 'continueErrorOutput'`. */
	errorItems: INodeExecutionData[];
	/** Why the run stopped, if it did. */
	error: ITaskData['error'];
	/** The whole run, for what a test wants beyond that. */
	run: IRun;
	/** What n8n keeps for the workflow from run to run. */
	staticData: IDataObject;
}

/** What stands beside the node and its source in the workflow. */
export interface Surroundings {
	nodes: INode[];
	types: Record<string, INodeType>;
	/** All connections of the workflow. */
	connections: IConnections;
}

export interface NodeRunOptions {
	/** The settings in `advanced` among them go into the credential. */
	parameters: INodeParameters;
	/** Items fed in; one empty item unless given. */
	items?: INodeExecutionData[];
	credentials?: ICredentialDataDecryptedObject;
	onError?: OnError;
	type?: string;
	/** Type of the node that feeds the items in. */
	sourceType?: string;
	/** Other nodes, such as another start or a loop; without them the source feeds the node alone. */
	surroundings?: Surroundings;
	/** Called with what stops the execution, as a person's click on Stop does. */
	onStart?: (stop: () => void) => void;
	/** Settings of the node, such as `retryOnFail`. */
	settings?: Partial<INode>;
	/** Called at the beginning of each attempt at the run of the node. */
	onAttempt?: () => void;
	/** Has n8n's own routing engine run the operation, as it does where the operation is chosen by an expression. */
	byRoutingEngine?: boolean;
	/** The workflow's time zone; the one of the process unless given. */
	timezone?: string;
	/** Tells the workflow from others. Its nodes share what the package and n8n keep from run to run. */
	workflowId?: string;
	/** Has the node all its parameters, as in n8n, and not only those of its operation. */
	hasAllParameters?: boolean;
}

/**
 * Has n8n match the patterns of resource locators without its watchdog.
 *
 * The watchdog gives a match 250 ms by the clock. Where the machine stands still that long at that moment, the run fails with
 * "Regular expression execution timed out", whatever it is about.
 */
function matchWithoutClock(): void {
	n8nWorkflow.setSafeRegexEngine({
		exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
		test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
		replace: (pattern, input, flags, replacement) => input.replace(new RegExp(pattern, flags), replacement),
		matchAll: (pattern, input, flags = '') => [
			...input.matchAll(new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`)),
		],
		split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
	});
}

/** Has n8n's log end where nobody reads it: n8n looks through the stack for the place of each line, also of those that it drops. */
function logNothing(): void {
	if (process.env.N8N_LOG_LEVEL === 'silent') Reflect.set(Logger.prototype, 'log', () => {});
}

/** Has n8n run as one process, or as one of several. */
export function executionMode(mode: 'queue' | 'regular'): void {
	const { globalConfig } = Container.get(Logger) as unknown as {
		globalConfig?: { executions?: { mode?: string } };
	};
	if (globalConfig?.executions?.mode === undefined)
		throw new Error(
			"n8n's logger does not hold the mode of executions any more: look for it in n8n-core, and mend isOneOfSeveral in n8nInternals/processMemory.ts. Until then, Send Once waits in every n8n.",
		);
	globalConfig.executions.mode = mode;
}

let packageLoader: Promise<PackageDirectoryLoader> | undefined;

async function load(): Promise<PackageDirectoryLoader> {
	matchWithoutClock();
	logNothing();
	const binaryData = new BinaryDataService(
		Container.get(BinaryDataConfig),
		Container.get(ErrorReporter),
		Container.get(Logger),
	);
	await binaryData.init();
	Container.set(BinaryDataService, binaryData);
	// Its timer would keep the process alive.
	Container.get(SSHClientsManager).onShutdown();
	const loader = new PackageDirectoryLoader(packageDirectory);
	await loader.loadAll();
	return loader;
}

/** Has the rest of a test file load the compiled package of another folder. */
export function usePackageIn(directory: string): void {
	packageDirectory = directory;
	packageLoader = undefined;
}

/** The compiled package, loaded once per test file. */
export async function loadedPackage(): Promise<PackageDirectoryLoader> {
	packageLoader ??= load();
	return await packageLoader;
}

function credentialsHelper(
	loader: PackageDirectoryLoader,
	credentials: ICredentialDataDecryptedObject,
): ICredentialsHelper {
	const helper: Pick<
		ICredentialsHelper,
		'getParentTypes' | 'isCredentialUsableByNode' | 'authenticate' | 'preAuthentication' | 'getDecrypted'
	> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		preAuthentication: async () => undefined,
		getDecrypted: async () => ({ ...credentials }),
		authenticate: async (decrypted, typeName, options) => {
			const { authenticate } = loader.getCredential(typeName).type;
			if (typeof authenticate !== 'function') throw new Error(`${typeName} has no authenticate function`);
			return await authenticate(decrypted, options as IHttpRequestOptions);
		},
	};
	return helper as ICredentialsHelper;
}

/** A node type of the package, or the twin for agents that n8n makes of it under a name with "Tool" at its end. */
function loadedType(loader: PackageDirectoryLoader, name: string): INodeType {
	const [ofNode] = name.split(/Tool$/);
	const loaded = NodeHelpers.getVersionedNodeType(loader.getNode(ofNode).type);
	if (ofNode === name) return loaded;
	return Object.create(loaded, { description: { value: { ...loaded.description, name } } }) as INodeType;
}

/**
 * A node type with the parameters that can be shown for its operation. n8n gets the same from them, and most of the time of a run
 * is what it takes to look through those of all operations.
 */
function ofOperation(nodeType: INodeType, { resource, operation }: INodeParameters): INodeType {
	const { description } = nodeType;
	const shows = (name: string, value: INodeParameters[string], { displayOptions }: INodeProperties) => {
		const shown = displayOptions?.show?.[name];
		const isKnown = typeof value === 'string' && !value.startsWith('=');
		return !isKnown || shown?.every((one) => typeof one === 'string' && one !== value) !== true;
	};
	const properties = description.properties.filter(
		(one) => shows('resource', resource, one) && shows('operation', operation, one),
	);
	return Object.create(nodeType, { description: { value: { ...description, properties } } }) as INodeType;
}

/** The node as n8n runs it: with an `execute` that runs n8n's routing engine, if n8n gives it one. */
function withExecute(nodeType: INodeType): INodeType {
	const { description, execute, methods, webhook } = nodeType;
	const isGivenOne = !execute && ((!methods && !webhook) || description.requestDefaults !== undefined);
	if (!isGivenOne) return nodeType;
	return Object.create(nodeType, {
		execute: {
			value: async function (this: IExecuteFunctions) {
				return (await new RoutingNode(this as unknown as ExecuteContext, nodeType).runNode()) ?? [];
			},
		},
	}) as INodeType;
}

/** The node, which tells when an attempt at its run begins. */
function tellingAttempts(nodeType: INodeType, onAttempt: () => void): INodeType {
	const customOperations = Object.fromEntries(
		Object.entries(nodeType.customOperations ?? {}).map(([resource, operations]) => [
			resource,
			Object.fromEntries(
				Object.entries(operations).map(([name, run]) => [
					name,
					async function (this: IExecuteFunctions) {
						onAttempt();
						return await run.call(this);
					},
				]),
			),
		]),
	);
	return Object.create(nodeType, { customOperations: { value: customOperations } }) as INodeType;
}

/** The version that a node has when somebody adds it. */
export const newestVersion = ({ defaultVersion, version }: INodeTypeDescription): number =>
	defaultVersion ?? [version].flat().at(-1) ?? 1;

/** The compiled node in a workflow, behind a node that feeds items in. */
export async function workbench({
	parameters: { advanced, ...parameters },
	items = [{ json: {} }],
	credentials: tenant = {},
	onError,
	type = ACTION_NODE,
	sourceType = 'test.source',
	surroundings,
	settings = {},
	workflowId = 'test',
	onAttempt,
	byRoutingEngine = false,
	timezone,
	hasAllParameters = false,
}: NodeRunOptions) {
	const credentials: ICredentialDataDecryptedObject = {
		...tenant,
		...(typeof advanced === 'object' && { advanced: { settings: advanced as IDataObject } }),
	};
	const loader = await loadedPackage();
	const whole = loadedType(loader, type.split('.')[1]);
	const shown = withExecute(hasAllParameters ? whole : ofOperation(whole, parameters));
	const loaded = onAttempt ? tellingAttempts(shown, onAttempt) : shown;
	const nodeType = byRoutingEngine
		? (Object.create(loaded, { customOperations: { value: undefined } }) as typeof loaded)
		: loaded;
	const nodeTypes: INodeTypes = {
		getByName: (name) => nodeTypes.getByNameAndVersion(name),
		getByNameAndVersion: (name) =>
			surroundings?.types[name] ?? (name === sourceType ? sourceOf(items) : nodeType),
		getKnownTypes: () => ({}),
	};
	const source: INode = {
		id: 'source',
		name: 'Source',
		type: sourceType,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const node: INode = {
		id: 'node',
		name: 'Node',
		type,
		typeVersion: newestVersion(nodeType.description),
		position: [200, 0],
		parameters,
		credentials: { customerMessagingApi: { id: '1', name: 'Tenant' } },
		...(onError && { onError }),
		...settings,
	};
	const stored: IWorkflowBase = {
		id: workflowId,
		name: 'Test',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes: [source, node, ...(surroundings?.nodes ?? [])],
		connections: surroundings?.connections ?? {
			Source: { main: [[{ node: 'Node', type: NodeConnectionTypes.Main, index: 0 }]] },
		},
	};
	const workflow = new Workflow({ ...stored, nodeTypes, settings: { executionOrder: 'v1', timezone } });
	const url = 'http://localhost/';
	const additionalData: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: credentialsHelper(loader, credentials),
		executionId: '1',
		currentNodeExecutionIndex: 0,
		currentNodeParameters: parameters,
		variables: {},
		restApiUrl: url,
		instanceBaseUrl: url,
		webhookBaseUrl: url,
		webhookWaitingBaseUrl: 'http://127.0.0.1:5678/webhook-waiting',
		webhookTestBaseUrl: url,
		formBaseUrl: url,
		formWaitingBaseUrl: url,
		formTestBaseUrl: url,
		hooks: new ExecutionLifecycleHooks('manual', '1', stored),
	};
	return {
		nodeType,
		source,
		node,
		workflow,
		additionalData: additionalData as IWorkflowExecuteAdditionalData,
	};
}

/**
 * Runs the compiled node in n8n-core's own engine.
 *
 * @throws only when the engine itself fails; a failing node is reported in `error`
 */
export async function runNode(options: NodeRunOptions): Promise<NodeRun> {
	const { workflow, source, additionalData } = await workbench(options);
	const running = new WorkflowExecute(additionalData, 'manual').run({ workflow, startNode: source });
	options.onStart?.(() => running.cancel());
	const run = await running;
	const [task] = run.data.resultData.runData.Node ?? [];
	const error = task?.error ?? run.data.resultData.error;
	return {
		items: task?.data?.main[0] ?? [],
		errorItems: task?.data?.main[1] ?? [],
		error,
		run,
		staticData: workflow.staticData,
	};
}

/** What the editor asks a node for, and the context in which n8n answers. */
export async function editorOf(
	options: Pick<NodeRunOptions, 'credentials' | 'parameters' | 'settings' | 'type'>,
): Promise<{ methods: NonNullable<INodeType['methods']>; context: ILoadOptionsFunctions }> {
	const { nodeType, workflow, node, additionalData } = await workbench(options);
	const context = new LoadOptionsContext(workflow, node, additionalData, 'parameters');
	return { methods: nodeType.methods ?? {}, context };
}
