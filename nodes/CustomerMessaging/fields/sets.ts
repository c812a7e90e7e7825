import type { INodeProperties } from 'n8n-workflow';

import { bodySet } from '../runner/field';
import { groupSet, idSet } from '../values/ids';

/** Makes the parameter of a set whose elements the tenant can list. */
const setParameter = (
	displayName: string,
	name: string,
	loadOptionsMethod: string,
): INodeProperties & { description: string } => ({
	displayName,
	name,
	type: 'multiOptions',
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	typeOptions: { loadOptionsMethod },
	default: [],
});

/** The groups of a profile. */
export const groupsOfProfile = bodySet(
	'groups',
	groupSet,
	setParameter('Group Names or IDs', 'groupIds', 'getGroups'),
);

/** The users of a customer. */
export const usersOfCustomer = bodySet(
	'user_ids',
	idSet,
	setParameter('User Names or IDs', 'userIds', 'getUsers'),
);

/** Several customers. */
export const customers = setParameter('Customer Names or IDs', 'customerIds', 'getCustomers');
