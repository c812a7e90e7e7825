import type { INodeProperties } from 'n8n-workflow';

import { bodySet, type ItemContext, setting } from '../runner/field';
import { fieldError } from '../runner/fieldError';
import type { Read } from '../runner/operation';
import { oneOf } from '../values/choices';
import { ValueProblem } from '../values/conversion';
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

/** What to do with a set that has no elements. The record would lose all that is attached to it. */
export const ifEmpty = setting('ifEmpty', oneOf('fail', 'removeAll'), {
	displayName: 'If Empty',
	name: 'ifEmpty',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'The item ends in an error, and nothing is changed' },
		{ name: 'Remove All', value: 'removeAll', description: 'All that is attached is detached' },
	],
	default: 'fail',
	description: 'What to do when there is nothing in the set, for example because an expression gives nothing',
});

const EMPTY_SET = new ValueProblem(
	'would detach everything, because the set is empty; nothing was changed',
	'Choose what to attach. To detach everything, set If Empty to Remove All.',
);

/**
 * Fails an item that would detach everything without being told to.
 *
 * @param label the editor's names of the parameters that make the set
 * @throws NodeOperationError when the set is empty and *If Empty* is *Fail*
 */
export function guardAgainstEmpty(
	context: ItemContext,
	label: string,
	set: readonly unknown[],
	read: Read<typeof ifEmpty>,
): void {
	if (set.length === 0 && read(ifEmpty) === 'fail') throw fieldError(context, label, EMPTY_SET);
}

/** Several customers. */
export const customers = setParameter('Customer Names or IDs', 'customerIds', 'getCustomers');
