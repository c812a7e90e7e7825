import { readFileSync } from 'node:fs';
import type {
	ICredentialDataDecryptedObject,
	IConnections,
	INode,
	IPinData,
	IWorkflowSettings,
} from 'n8n-workflow';

/** A workflow as n8n's editor exports it. */
export interface WorkflowDefinition {
	id?: string;
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	/** What nodes give instead of running, in an execution that somebody starts in the editor. */
	pinData?: IPinData;
}

/** A credential with its data in plain text. */
export interface CredentialDefinition {
	id?: string;
	name: string;
	type: string;
	data: ICredentialDataDecryptedObject;
}

/** Reads an exported workflow from its file. */
export function readWorkflow(file: string): WorkflowDefinition {
	return JSON.parse(readFileSync(file, 'utf8')) as WorkflowDefinition;
}

/** The same workflow with every node that wants a credential of `type` given this one. */
export function withCredential(
	workflow: WorkflowDefinition,
	type: string,
	credential: { id: string; name: string },
): WorkflowDefinition {
	const nodes = workflow.nodes.map((node) =>
		node.credentials?.[type] === undefined
			? node
			: {
					...node,
					credentials: { ...node.credentials, [type]: { id: credential.id, name: credential.name } },
				},
	);
	return { ...workflow, nodes };
}

/** The node of that name. @throws Error when the workflow has none */
export function nodeNamed(workflow: WorkflowDefinition, name: string): INode {
	const found = workflow.nodes.find((node) => node.name === name);
	if (found === undefined) throw new Error(`The workflow "${workflow.name}" has no node "${name}"`);
	return found;
}

/**
 * Where n8n hears of events for a webhook node.
 *
 * @param url of the n8n server
 * @param webhookPath the `path` in the node type's description
 */
export function webhookUrl(url: string, { webhookId }: INode, webhookPath: string): string {
	return `${url}/webhook/${webhookId}/${webhookPath}`;
}
