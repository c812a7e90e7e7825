import type { INodeParameters } from 'n8n-workflow';

import { firstCases, isLocator } from '../../contract/firstCases.mts';
import type { Ids } from '../../contract/operationCases.mts';
import type { AnsweredOperation, ListOperation } from './operations.mts';

/** The one record that every operation is about. */
const ID = 7;
const ids = (() => ID) as unknown as Ids;

/** Parameters that choose and order what a list holds. */
const OF_QUERY = ['filters', 'orderBy'];

/**
 * The parameters of a case without what the tenants do not know of a list. IDs are as if they were chosen: one
 * that is typed in is checked by n8n with a pattern, for which it allows a quarter of a second, too little for thousands of
 * runs on a machine that has other things to do.
 */
const plain = (parameters: INodeParameters): INodeParameters =>
	Object.fromEntries(
		Object.entries(parameters)
			.filter(([name]) => !OF_QUERY.includes(name))
			.map(([name, value]) => [name, isLocator(value) ? { ...value, mode: 'list' } : value]),
	) as INodeParameters;

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
	const open = firstCases(ids).filter(({ name }) => !described.has(name));
	for (const { name, resource, operation, parameters, items, endpoint, shown, composed } of open) {
		// What is no JSON is none of these tests; what the nodes do not list, the tests of output schemas tell.
		if (!endpoint?.answer) continue;
		const has = (parameter: string) => shown.some((one) => one.name === parameter);
		const whole = has('simple') ? { simple: false } : {};
		const asked = {
			name,
			items,
			parameters: { resource, operation, ...plain(parameters), ...whole },
		};
		const list: ListOperation = {
			...asked,
			path: endpoint.path.replace(/\{\w+\}/g, String(ID)),
			...(endpoint.fields.includes('?per_page') && { hasPageSize: true }),
			...(!has('returnAll') && { isUnlimited: true }),
		};
		const bare = endpoint.data ? {} : ({ isBare: true } as const);
		const isRead = endpoint.method === 'GET';
		if (composed) found.unclear.push(name);
		else if (isRead && endpoint.list === 'paged') found.paged.push(list);
		else if (isRead && endpoint.list) found.unpaged.push(list);
		else if (isRead) found.answered.push({ ...asked, kind: 'read', ...bare });
		else if (endpoint.list) found.unclear.push(name);
		else if (endpoint.method === 'DELETE') found.answered.push({ ...asked, kind: 'deletion' });
		else if (endpoint.data?.maxItems === 0) found.unclear.push(name);
		else found.answered.push({ ...asked, kind: 'record', ...bare });
	}
	return found;
}
