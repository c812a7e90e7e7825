import type { INodeProperties } from 'n8n-workflow';

import { operationsByResource, resources } from '../../nodes/CustomerMessaging/operations/index.ts';
import { type Endpoint, endpoints } from './contract.mts';
import { type Ids, type OperationCase, operationCases } from './operationCases.mts';

/** The first case of an operation, with what the contract says of its endpoint. */
export interface FirstCase extends OperationCase {
	/** `resource: operation`, as tests call it. */
	name: string;
	/** Undefined if the node does not list the operation. */
	endpoint: Endpoint | undefined;
	/** The parameters that the node shows for it. */
	shown: INodeProperties[];
}

function endpointOf({ resource, operation }: OperationCase): Endpoint | undefined {
	const [target] = operationsByResource[resource]?.[operation]?.endpoints ?? [];
	return endpoints.find(({ method, path }) => `${method} ${path}` === target);
}

/** One case of each operation, in the order of the cases, with these ids. */
export function firstCases(ids: Ids): FirstCase[] {
	const cases = operationCases(ids);
	const isSame = (one: OperationCase, other: OperationCase) =>
		one.resource === other.resource && one.operation === other.operation;
	return cases
		.filter((one, index) => cases.findIndex((other) => isSame(one, other)) === index)
		.map((one) => ({
			...one,
			name: `${one.resource}: ${one.operation}`,
			endpoint: endpointOf(one),
			shown: (resources.find(({ value }) => value === one.resource)?.properties ?? []).filter(
				({ displayOptions }) => displayOptions?.show?.operation?.includes(one.operation),
			),
		}));
}
