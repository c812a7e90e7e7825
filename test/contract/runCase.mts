import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

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
	await tenant.sandbox.reset();
	const one = operationCases(await demoIds(tenant))[caseNames.indexOf(name)];
	tenant.sandbox.clearRequests();
	const { error, items: output } = await tenant.run(
		{ resource: one.resource, operation: one.operation, ...one.parameters, ...parameters },
		{ items: one.items, ...options },
	);
	if (error) throw new Error(`${error.message}\n${String(error.description)}`);
	const unlinked = output.filter(({ pairedItem }) => pairedItem === undefined);
	if (unlinked.length > 0) throw new Error(`${unlinked.length} items do not say where they come from`);
	return { name, case: one, requests: tenant.sent(), output };
}
