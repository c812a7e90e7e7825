import type { INodeParameters } from 'n8n-workflow';

import { operationsByResource } from '../../nodes/CustomerMessaging/resources/operations.ts';
import { shownFor } from '../../nodes/CustomerMessaging/runner/declare.ts';
import { type Endpoint, endpoints, resolved } from '../contract/contract.mts';
import { type Ids, type OperationCase, operationCases } from '../contract/operationCases.mts';
import type { AnsweredOperation, ListOperation } from './operations.mts';

/** The one record that every operation is about. */
const ID = 7;
const ids = (() => ID) as unknown as Ids;

/**
 * The parameters of a case without the filters of a list, which the tenants do not know. IDs are as if they were chosen: one
 * that is typed in is checked by n8n with a pattern, for which it allows a quarter of a second, too little for thousands of
 * runs on a machine that has other things to do.
 */
const plain = (parameters: INodeParameters): INodeParameters =>
	Object.fromEntries(
		Object.entries(parameters)
			.filter(([name]) => name !== 'filters')
			.map(([name, value]) => [
				name,
				typeof value === 'object' && value !== null && '__rl' in value ? { ...value, mode: 'list' } : value,
			]),
	) as INodeParameters;

function endpointOf({ resource, operation }: OperationCase): Endpoint | undefined {
	const [target] = operationsByResource[resource]?.[operation]?.endpoints ?? [];
	return endpoints.find(({ method, path }) => `${method} ${path}` === target);
}

/** Operations as tenants are asked with them, and the names of those that somebody has to say more about. */
export interface ContractOperations {
	paged: ListOperation[];
	unpaged: ListOperation[];
	answered: AnsweredOperation[];
	unclear: string[];
}

/**
 * The operations as the contract and their first case tell them, so that a new one meets generated tenants without a line
 * here.
 *
 * @param described names of those that are described by hand
 */
export function contractOperations(described: ReadonlySet<string>): ContractOperations {
	const found: ContractOperations = { paged: [], unpaged: [], answered: [], unclear: [] };
	const seen = new Set(described);
	for (const one of operationCases(ids)) {
		const { resource, operation, items } = one;
		const name = `${resource}: ${operation}`;
		if (seen.has(name)) continue;
		seen.add(name);
		const endpoint = endpointOf(one);
		// What is no JSON is none of these tests.
		if (endpoint && !endpoint.answer) continue;
		const answer = resolved(endpoint?.answer ?? {});
		const { data } = answer.properties ?? {};
		const { type, maxItems } = data ? resolved(data) : {};
		const parameters = shownFor(resource, operationsByResource[resource] ?? {}).filter(({ displayOptions }) =>
			displayOptions?.show?.operation?.includes(operation),
		);
		const has = (parameter: string) => parameters.some((shown) => shown.name === parameter);
		const asked = {
			name,
			items,
			parameters: {
				resource,
				operation,
				...plain(one.parameters),
				...(has('simple') && { simple: false }),
			},
		};
		const list: ListOperation = {
			...asked,
			path: endpoint?.path.replace(/\{\w+\}/g, String(ID)) ?? '',
			...(endpoint?.fields.includes('?per_page') && { hasPageSize: true }),
			...(!has('returnAll') && { isUnlimited: true }),
		};
		const isRead = endpoint?.method === 'GET';
		if (!endpoint || one.composed) found.unclear.push(name);
		else if (isRead && JSON.stringify(answer).includes('/PaginatedEnvelope"')) found.paged.push(list);
		else if (isRead && type === 'array') found.unpaged.push(list);
		else if (isRead) found.answered.push({ ...asked, kind: 'read', ...(data ? {} : { isBare: true }) });
		else if (endpoint.method === 'DELETE' && maxItems === 0)
			found.answered.push({ ...asked, kind: 'deletion' });
		else if (type === 'array') found.unclear.push(name);
		else found.answered.push({ ...asked, kind: 'record', ...(data ? {} : { isBare: true }) });
	}
	return found;
}
