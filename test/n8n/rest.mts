import { Agent } from 'node:http';
import type {
	ExecutionStatus,
	IDataObject,
	INodeExecutionData,
	INodeListSearchResult,
	INodeTypeDescription,
	IRunData,
	IRunExecutionData,
	JsonObject,
} from 'n8n-workflow';

import { http } from '../http.mts';
import { owner, temporarySecrets } from './settings.mts';
import { waitFor } from './waitFor.mts';
import type { CredentialDefinition, WorkflowDefinition } from './workflow.mts';

/** A finished execution, with what every node gave. */
export interface Execution {
	id: string;
	workflowId: string;
	status: ExecutionStatus;
	mode: string;
	/** Everything n8n keeps of the run, per node and per run of it. */
	data: IRunExecutionData;
}

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

/** What a parameter whose choices or fields come from the service is asked with. */
export interface ParameterRequest {
	node: { type: string; version: number };
	/** Name of the parameter. */
	parameter: string;
	method: string;
	/** The node's parameters as they are chosen so far. */
	parameters?: IDataObject;
	credentials: Record<string, { id: string; name: string }>;
}

/** What a from-list parameter is asked with. */
export interface ListRequest extends ParameterRequest {
	filter?: string;
	paginationToken?: string;
}

const FINAL: ExecutionStatus[] = ['success', 'error', 'canceled', 'crashed'];

/** The items of a node's last run, on its first output. Empty when it gave none or did not run. */
export function itemsOf(execution: Execution, node: string): INodeExecutionData[] {
	return execution.data.resultData.runData[node]?.at(-1)?.data?.main[0] ?? [];
}

/** The error that ended an execution, if one did. */
export function errorOf(execution: Execution): (JsonObject & { message: string }) | undefined {
	return execution.data.resultData.error as (JsonObject & { message: string }) | undefined;
}

/** The parameter with which n8n lists the executions before an id. n8n reads nothing but the id of its cursor. */
function cursorBefore(id: number): string {
	const cursor = { version: 1, v1: { timestamp: new Date(0).toISOString(), id: String(id) } };
	return `&cursor=${Buffer.from(JSON.stringify(cursor)).toString('base64url')}`;
}

/** Talks to n8n as its editor does. */
export class N8nRest {
	private readonly client: typeof http;

	private constructor(
		readonly url: string,
		/** The session cookie, for a browser or a request of one's own. */
		readonly cookie: string,
	) {
		// n8n may close a kept connection at the moment when a slow test asks again.
		const httpAgent = new Agent({ keepAlive: false });
		this.client = http.create({ baseURL: url, headers: { cookie }, httpAgent });
	}

	/** @throws Error when n8n refuses the account */
	static async logIn(url: string, password = temporarySecrets().ownerPassword): Promise<N8nRest> {
		const account = { emailOrLdapLoginId: owner.email, password };
		const { status, headers, data } = await http.post<unknown>(`${url}/rest/login`, account);
		const cookie = headers['set-cookie']?.find((text) => text.startsWith('n8n-auth='));
		if (cookie === undefined) {
			throw new Error(`n8n refused the log-in of ${owner.email}: ${status} ${JSON.stringify(data)}`);
		}
		return new N8nRest(url, cookie.split(';')[0]);
	}

	async createCredential({ name, type, data }: CredentialDefinition): Promise<{ id: string; name: string }> {
		const { id } = await this.post<{ id: string }>('/credentials', { name, type, data });
		return { id, name };
	}

	/** Presses "Test" on a credential that has been created, with its data as given here. */
	async testCredential(credential: CredentialDefinition & { id: string }): Promise<CredentialTestResult> {
		return await this.post('/credentials/test', { credentials: { ...credential } });
	}

	async createWorkflow(workflow: WorkflowDefinition): Promise<{ id: string; versionId: string }> {
		const { name, nodes, connections, settings, pinData = {} } = workflow;
		return await this.post('/workflows', {
			name,
			nodes,
			connections,
			settings: { executionOrder: 'v1', ...settings },
			// Without it, n8n cannot run a single step.
			pinData,
		});
	}

	/** Publishes a workflow and waits until its triggers listen. @throws Error when a trigger fails */
	async publish({ id, versionId }: { id: string; versionId: string }): Promise<void> {
		await this.post(`/workflows/${id}/activate`, { versionId });
		await this.publicationReaches(id, 'published');
	}

	/** Takes a workflow off and waits until its triggers no longer listen. */
	async unpublish(id: string): Promise<void> {
		await this.post(`/workflows/${id}/deactivate`, {});
		await this.publicationReaches(id, 'not_published');
	}

	/** Runs a workflow from the trigger of that name, as its button does. Gives the execution's id. */
	async run(workflowId: string, trigger: string): Promise<string> {
		const { executionId } = await this.startFrom<{ executionId: string }>(workflowId, trigger);
		return executionId;
	}

	/** Runs a workflow from the trigger of that name and waits for its end. */
	async runToEnd(workflowId: string, trigger: string): Promise<Execution> {
		return await this.finished(await this.run(workflowId, trigger));
	}

	/**
	 * Runs a workflow up to the node of that name, as "Execute step" does, and waits for the end.
	 *
	 * @param runData what the nodes before gave, which are then not run again
	 */
	async runStep(workflowId: string, node: string, runData?: IRunData): Promise<Execution> {
		const { executionId } = await this.start<{ executionId: string }>(workflowId, {
			destinationNode: { nodeName: node, mode: 'inclusive' },
			...(runData && { runData, dirtyNodeNames: [node] }),
		});
		return await this.finished(executionId);
	}

	/** Runs a tool of an agent by itself with these values, as "Execute step" of the tool does. Waits for its end. */
	async runTool(workflowId: string, tool: string, values: IDataObject): Promise<Execution> {
		const { executionId } = await this.start<{ executionId: string }>(workflowId, {
			destinationNode: { nodeName: tool, mode: 'inclusive' },
			agentRequest: { query: { [tool]: values }, tool: { name: tool } },
		});
		return await this.finished(executionId);
	}

	/** Creates a data table with one column of text and a row for each value. Gives its id. */
	async createDataTable(name: string, column: string, values: string[]): Promise<string> {
		const { id: project } = await this.get<{ id: string }>('/projects/personal');
		const tables = `/projects/${project}/data-tables`;
		const { id } = await this.post<{ id: string }>(tables, {
			name,
			columns: [{ name: column, type: 'string' }],
		});
		await this.post(`${tables}/${id}/insert`, {
			returnType: 'count',
			data: values.map((value) => ({ [column]: value })),
		});
		return id;
	}

	/** Runs the evaluation of a workflow and waits for its end. Gives the execution of each test case. */
	async evaluate(workflowId: string): Promise<Execution[]> {
		const runs = `/workflows/${workflowId}/test-runs`;
		await this.post(`${runs}/new`, {});
		const run = await waitFor(`the evaluation of workflow ${workflowId}`, async () => {
			const [latest] = await this.get<Array<{ id: string; status: string }>>(runs);
			return latest && !['new', 'running'].includes(latest.status) ? latest : undefined;
		});
		const cases = await this.get<Array<{ executionId: string }>>(`${runs}/${run.id}/test-cases`);
		if (cases.length === 0) throw new Error(`The evaluation ran no test case: ${JSON.stringify(run)}`);
		return await Promise.all(cases.map(async ({ executionId }) => await this.finished(executionId)));
	}

	/** Presses "Listen for test event" of the trigger of that name. Its test URL then takes one request. */
	async listenForTestEvent(workflowId: string, trigger: string): Promise<void> {
		const answer = await this.startFrom<{ waitingForWebhook?: boolean }>(workflowId, trigger);
		if (answer.waitingForWebhook !== true) throw new Error(`n8n does not listen for ${trigger}`);
	}

	/** Runs a failed execution again with its data, from where it failed, and waits for its end. */
	async retry(executionId: string): Promise<Execution> {
		const { id } = await this.post<{ id: string }>(`/executions/${executionId}/retry`, {});
		return await this.finished(id);
	}

	/** Waits for the end of an execution. */
	async finished(executionId: string): Promise<Execution> {
		return await waitFor(`the end of execution ${executionId}`, async () => {
			const execution = await this.execution(executionId);
			return FINAL.includes(execution.status) ? execution : undefined;
		});
	}

	/** Waits until a workflow has had `count` finished executions, and gives the newest `count`, the oldest first. */
	async executionsOf(workflowId: string, count = 1): Promise<Execution[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const ids = await waitFor(`${count} finished executions of workflow ${workflowId}`, async () => {
			const { results } = await this.get<{ results: Array<{ id: string; status: ExecutionStatus }> }>(
				`/executions?filter=${filter}&limit=${count}`,
			);
			const finished = results.filter(({ status }) => FINAL.includes(status));
			return finished.length >= count ? finished.map(({ id }) => id) : undefined;
		});
		return await Promise.all(ids.reverse().map(async (id) => await this.execution(id)));
	}

	/** How many executions of a workflow have succeeded so far. n8n counts them itself: its pages leave some out. */
	async successesOf(workflowId: string): Promise<number> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['success'] }));
		const { count } = await this.get<{ count: number }>(`/executions?filter=${filter}&limit=1`);
		return count;
	}

	/**
	 * The ids of all executions of a workflow so far, the oldest first.
	 *
	 * n8n sorts them by their start and pages by id. An execution that it recorded before a restart starts after later ones, and
	 * as the last of a page it hides them. So the pages overlap, and n8n's own count tells whether one is still missing.
	 */
	async executionIdsOf(workflowId: string): Promise<string[]> {
		const ids = new Set<number>();
		const complete = async () =>
			(await this.addExecutionIds(workflowId, ids)) <= ids.size ? ids : undefined;
		await waitFor(`all executions of workflow ${workflowId}`, complete);
		return [...ids].sort((a, b) => a - b).map(String);
	}

	/** Adds the ids of all pages of a workflow's executions to those that are known. Returns how many executions n8n counts. */
	private async addExecutionIds(workflowId: string, ids: Set<number>): Promise<number> {
		type Page = { results: Array<{ id: string }>; count: number };
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const limit = 100;
		const overlap = limit / 2;
		let before = Infinity;
		for (;;) {
			const from = before === Infinity ? '' : cursorBefore(before);
			const { results, count } = await this.get<Page>(`/executions?filter=${filter}&limit=${limit}${from}`);
			for (const { id } of results) ids.add(Number(id));
			if (results.length < limit) return count;
			before = Math.min(Number(results[results.length - 1].id), before - limit) + overlap;
		}
	}

	/** An execution as it stands. @throws Error when there is none of that id */
	async execution(id: string): Promise<Execution> {
		const { parse } = await import('flatted');
		type Stored = Omit<Execution, 'data'> & { data: string };
		const stored = await this.get<Stored | undefined>(`/executions/${id}`);
		if (stored === undefined) throw new Error(`n8n has no execution ${id}`);
		return { ...stored, data: parse(stored.data) as IRunExecutionData };
	}

	/** What "From list" of a resource locator shows. */
	async listSearch(request: ListRequest): Promise<INodeListSearchResult> {
		const { filter, paginationToken } = request;
		return await this.askForParameter('resource-locator-results', request, { filter, paginationToken });
	}

	/** The output schema that the editor shows for an operation; undefined when the package has none. */
	async schema(nodeType: string, resource: string, operation: string): Promise<JsonObject | undefined> {
		const file = `/schemas/${nodeType}/1/${resource}/${operation}.json`;
		const { status, data } = await this.client.get<JsonObject>(file);
		return status === 200 ? data : undefined;
	}

	/** The description of a node type. */
	async nodeType(name: string, version: number): Promise<INodeTypeDescription> {
		const [description] = await this.post<INodeTypeDescription[]>('/node-types', {
			nodeInfos: [{ name, version }],
		});
		return description;
	}

	/** The descriptions of all node types, as the editor loads them. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		const { status, data } = await this.client.get<INodeTypeDescription[]>('/types/nodes.json');
		if (status !== 200) throw new Error(`n8n gave no node types: ${status}`);
		return data;
	}

	private async startFrom<T>(workflowId: string, trigger: string): Promise<T> {
		return await this.start<T>(workflowId, { triggerToStartFrom: { name: trigger } });
	}

	/** Runs what n8n has stored. */
	private async start<T>(workflowId: string, from: object): Promise<T> {
		return await this.post<T>(`/workflows/${workflowId}/run`, from);
	}

	private async askForParameter<T>(what: string, request: ParameterRequest, more: object = {}): Promise<T> {
		return await this.post(`/dynamic-node-parameters/${what}`, {
			nodeTypeAndVersion: { name: request.node.type, version: request.node.version },
			path: `parameters.${request.parameter}`,
			methodName: request.method,
			currentNodeParameters: request.parameters ?? {},
			credentials: request.credentials,
			...more,
		});
	}

	private async publicationReaches(id: string, wanted: 'published' | 'not_published'): Promise<void> {
		await waitFor(`workflow ${id} to be ${wanted}`, async () => {
			const { status, pendingVersionId, triggers } = await this.get<{
				status: string;
				pendingVersionId: string | null;
				triggers: Array<{ errorMessage: string | null }>;
			}>(`/workflows/${id}/publication-status`);
			if (pendingVersionId !== null) return undefined;
			if (status === 'failed' || status === 'partial') {
				const reasons = triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
				throw new Error(`Publishing workflow ${id} failed: ${reasons.join('; ')}`);
			}
			return status === wanted ? true : undefined;
		});
	}

	private async get<T>(path: string): Promise<T> {
		return await this.data<T>('GET', path);
	}

	private async post<T>(path: string, body: unknown): Promise<T> {
		return await this.data<T>('POST', path, body);
	}

	private async data<T>(method: string, path: string, body?: unknown): Promise<T> {
		const answer = await this.client.request<{ data: T }>({ method, url: `/rest${path}`, data: body });
		if (answer.status < 300) return answer.data.data;
		throw new Error(`n8n answered ${method} ${path} with ${answer.status}: ${JSON.stringify(answer.data)}`);
	}
}
