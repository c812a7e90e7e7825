import { ExecuteContext } from 'n8n-core';
import { RoutingNode } from 'n8n-core/dist/execution-engine/routing-node';
import {
	createRunExecutionData,
	type ICredentialDataDecryptedObject,
	type INodeType,
	type NodeApiError,
	Workflow,
} from 'n8n-workflow';

import { loadedPackage, workbench } from './engine.mts';

const CREDENTIAL = 'customerMessagingApi';

interface Answer {
	status: number;
	statusText: string;
}

/**
 * Sends the request of the credential's test as n8n does when a person presses Test: as a node with nothing but that.
 *
 * @returns what n8n then shows, put together in n8n's way: the text of the rule for the status, else the words that came
 * with the status, else the network's code, else the error's message; undefined when the test passed
 */
export async function failureOfCredentialTest(
	credentials: ICredentialDataDecryptedObject,
): Promise<string | undefined> {
	const loader = await loadedPackage();
	const { node, additionalData, nodeType } = await workbench({ parameters: {}, credentials });
	const { test } = loader.getCredential(CREDENTIAL).type;
	if (!test) throw new Error(`${CREDENTIAL} has no test`);
	const tester = {
		description: {
			...nodeType.description,
			requestDefaults: undefined,
			requestOperations: undefined,
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					default: '',
					routing: { request: test.request },
				},
			],
		},
	} as INodeType;
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => tester,
			getByNameAndVersion: () => tester,
			getKnownTypes: () => ({}),
		},
	});
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData,
		'internal',
		createRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	try {
		await new RoutingNode(context, tester, {
			id: '1',
			name: 'Tenant',
			type: CREDENTIAL,
			data: credentials,
		}).runNode();
		return undefined;
	} catch (error) {
		const { message, cause } = error as NodeApiError;
		const { code, response } = (cause ?? {}) as { code?: string; response?: Answer };
		if (!response) return code ?? message;
		const rule = test.rules?.find(({ properties }) => properties.value === response.status);
		return (
			rule?.properties.message ?? (response.statusText || `Received HTTP status code: ${response.status}`)
		);
	}
}
