import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { http } from '../../http.mts';
import { errorOf, type Execution, itemsOf } from '../rest.mts';
import { waitFor } from '../waitFor.mts';
import { nodeNamed, withCredential, type WorkflowDefinition } from '../workflow.mts';
import { asAdmin } from '../../sandbox/tenantClient.mts';
import { CREDENTIAL_TYPE, type TenantAndN8n, tenantAndN8nInThisFile } from './tenantAndN8n.mts';

/** What another system of the house calls a webhook with: the data of its credential. */
export const HEADER = { name: 'X-Example-Key', value: 'a-key-of-the-tests' };

/** The values of a node's items. */
export const jsonOf = (execution: Execution, node: string): IDataObject[] =>
	itemsOf(execution, node).map(({ json }) => json);

/** The same workflow with other values of parameters, by node. */
export function withParameters(
	workflow: WorkflowDefinition,
	changes: Record<string, IDataObject>,
): WorkflowDefinition {
	for (const name of Object.keys(changes)) nodeNamed(workflow, name);
	const nodes = workflow.nodes.map((node) => ({
		...node,
		parameters: { ...node.parameters, ...changes[node.name] } as typeof node.parameters,
	}));
	return { ...workflow, nodes };
}

/** The same workflow with nothing pinned: each node runs. */
export const withoutSamples = (workflow: WorkflowDefinition): WorkflowDefinition => ({
	...workflow,
	pinData: {},
});

/** Runs examples in a real n8n, and looks up what the tenant received. */
export class RecipeRuns {
	constructor(private readonly both: TenantAndN8n) {}

	/** Does what a person does with an example: imports it and chooses the credentials. Gives its id. */
	async create(
		example: WorkflowDefinition,
		others: Record<string, ICredentialDataDecryptedObject> = {},
	): Promise<{ id: string; versionId: string }> {
		const { rest, credential } = this.both;
		let workflow = withCredential(example, CREDENTIAL_TYPE, credential);
		for (const [type, data] of Object.entries(others)) {
			const created = await rest.createCredential({ name: `${example.name}: ${type}`, type, data });
			workflow = withCredential(workflow, type, created);
		}
		return await rest.createWorkflow(workflow);
	}

	/** The same, and publishes it. */
	async publish(...given: Parameters<RecipeRuns['create']>): Promise<string> {
		const created = await this.create(...given);
		await this.both.rest.publish(created);
		return created.id;
	}

	/** The newest execution of a workflow, which went well. */
	async succeeded(workflowId: string, count = 1): Promise<Execution> {
		const execution = (await this.both.rest.executionsOf(workflowId, count))[count - 1];
		expect(errorOf(execution)).toBeUndefined();
		expect(execution.status).toBe('success');
		return execution;
	}

	/** Waits until an execution waits for an answer. */
	async waits(executionId: string): Promise<void> {
		await waitFor(`execution ${executionId} to wait`, async () => {
			const execution = await this.both.rest.execution(executionId);
			if (execution.status === 'error') throw new Error(errorOf(execution)?.message);
			return execution.status === 'waiting' ? true : undefined;
		});
	}

	/** Bodies that the tenant was sent with this method and path, the oldest first. */
	sent(method: string, path: string | RegExp): IDataObject[] {
		return this.both.sandbox
			.requests()
			.filter((request) => request.method === method && request.path.match(path))
			.map(({ body }) => JSON.parse(Buffer.from(body, 'base64').toString()) as IDataObject);
	}

	customerOf(displayId: string) {
		return this.both.sandbox.store.customers.byDisplayId('chatapp', displayId);
	}

	async profileOf(displayId: string): Promise<IDataObject> {
		const { id } = this.customerOf(displayId) ?? {};
		const found = await this.read<IDataObject[]>(`/profiles?search=${displayId}`);
		return found.find(({ customer_id }) => customer_id === id) ?? {};
	}

	/** Titles of the tags of the profile with this number. */
	async tagsOf(displayId: string): Promise<string[]> {
		const { id } = await this.profileOf(displayId);
		const tags = await this.read<Array<{ title: string }>>(`/profiles/${String(id)}/tags`);
		return tags.map(({ title }) => title);
	}

	/** Fills in the form of a workflow and sends it. */
	async sendForm(example: WorkflowDefinition, trigger: string, values: Array<string | Blob>): Promise<void> {
		const form = new FormData();
		for (const [index, value] of values.entries()) {
			if (typeof value === 'string') form.append(`field-${index}`, value);
			else form.append(`field-${index}`, value, 'customers.csv');
		}
		const { webhookId } = nodeNamed(example, trigger);
		const answer = await http.post(`${this.both.n8n.url}/form/${webhookId}`, form);
		expect(answer.status).toBe(200);
	}

	/** Calls the webhook of a published workflow. */
	async callWebhook(path: string, body: object, headers = { [HEADER.name]: HEADER.value }) {
		return await http.post<unknown>(`${this.both.n8n.url}/webhook/${path}`, body, { headers });
	}

	/** Reads something from the tenant as its admin. */
	async read<T>(path: string): Promise<T> {
		const { data } = await asAdmin(this.both.sandbox).get<{ data: T }>(path);
		return data.data;
	}
}

/** Starts a tenant and n8n for the tests of a file, which run examples. */
export function recipesInThisFile(take: (started: { both: TenantAndN8n; runs: RecipeRuns }) => void): void {
	tenantAndN8nInThisFile((both) => take({ both, runs: new RecipeRuns(both) }));
}
