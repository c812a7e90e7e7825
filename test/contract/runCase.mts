import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../engine/agentTool.mts';
import type { NodeRunOptions } from '../engine/engine.mts';
import type { SentRequest, TestTenant } from '../engine/tenant.mts';
import { demoIds } from './demoIds.mts';
import { ANY_IDS, type OperationCase, operationCases } from './operationCases.mts';

/** Names of all cases, in their order: resource and operation, with a number where an operation has several. */
export const caseNames: string[] = operationCases(ANY_IDS).map(({ resource, operation }, index, cases) => {
	const isSame = (other: OperationCase) => other.resource === resource && other.operation === operation;
	const before = cases.slice(0, index).filter(isSame).length;
	return `${resource}: ${operation}${before > 0 ? ` (${before + 1})` : ''}`;
});

/** What a case did. */
export interface Reached {
	name: string;
	case: OperationCase;
	requests: SentRequest[];
	output: INodeExecutionData[];
}

/** Gives a case, and the demo tenant at its start. */
async function prepare(tenant: TestTenant, name: string): Promise<OperationCase> {
	await tenant.sandbox.reset();
	const one = operationCases(await demoIds(tenant))[caseNames.indexOf(name)];
	tenant.sandbox.clearRequests();
	return one;
}

/**
 * Runs one case against the demo tenant, back at its start.
 *
 * @param name one of `caseNames`
 * @param parameters taken in place of those of the case
 * @throws when the operation fails, or an item does not say where it comes from
 */
export async function runCase(
	tenant: TestTenant,
	name: string,
	options: Partial<NodeRunOptions> = {},
	parameters: INodeParameters = {},
): Promise<Reached> {
	const one = await prepare(tenant, name);
	const { error, items: output } = await tenant.run(
		{ resource: one.resource, operation: one.operation, ...one.parameters, ...parameters },
		{ items: one.items, ...options },
	);
	if (error) throw new Error(`${error.message}\n${String(error.description)}`);
	const unlinked = output.filter(({ pairedItem }) => pairedItem === undefined);
	if (unlinked.length > 0) throw new Error(`${unlinked.length} items do not say where they come from`);
	return { name, case: one, requests: tenant.sent(), output };
}

/** Whether the case leaves n8n waiting. */
export const waits = (name: string) => operationCases(ANY_IDS)[caseNames.indexOf(name)].waits === true;

/** Whether a model can give what the case takes: one item without files. */
export function isForTool(name: string): boolean {
	const { items = [] } = operationCases(ANY_IDS)[caseNames.indexOf(name)];
	return items.length < 2 && items.every(({ binary }) => binary === undefined);
}

/**
 * Runs one case as a tool of an agent before version 3, against the demo tenant back at its start.
 *
 * @returns what was sent, and the fields of the items that the model reads
 */
export async function runCaseAsTool(tenant: TestTenant, name: string) {
	const { resource, operation, parameters, items: [{ json }] = [{ json: {} }] } = await prepare(tenant, name);
	const { credentials } = tenant;
	const call = await agentTool({ credentials, parameters: { resource, operation, ...parameters } });
	const response = (await call(json)) as IDataObject[];
	return { requests: tenant.sent(), output: response.map((json) => ({ json })) };
}
