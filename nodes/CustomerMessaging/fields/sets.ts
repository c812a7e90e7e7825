import type { INodeProperties } from 'n8n-workflow';

import type { Body } from '../contract/endpoints';
import { type Flow, flow } from '../runner/operation';
import { bodySet } from '../runner/field';
import { guardAgainstEmpty, ifEmpty } from '../runner/emptySet';
import { withLock } from '../runner/keyedLock';
import { attachedIds, writeSet } from '../transport/records';
import { groupSet, idSet, type RecordId } from '../values/ids';

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

/** Makes the IDs to write from the attached IDs and the given IDs. */
type Change = (attached: RecordId[], given: RecordId[]) => RecordId[];

/** Returns both sets together and removes duplicates. */
export const union: Change = (attached, given) => [...new Set([...attached, ...given])];

/** Returns the attached IDs without the given IDs. */
export const without: Change = (attached, given) => attached.filter((id) => !given.includes(id));

/** Sends the request of the operation, whose response is the set. */
export const plainWrite = flow([], async ({ context, request, output }) =>
	output(await writeSet(context, request)),
);

/** Makes a flow that replaces a set by the one that a field makes. */
const replaceSet = <Members extends object>({
	parameter,
	member,
}: {
	parameter: { displayName: string };
	member: keyof Members & string;
}): Flow<typeof ifEmpty, Members> =>
	flow([ifEmpty], async ({ context, request, read, output }) => {
		const set: unknown = request.body[member];
		guardAgainstEmpty(context, parameter.displayName, Array.isArray(set) ? set : [], read);
		return output(await writeSet(context, request));
	});

/** Replaces the users of a customer. */
export const replaceUsers = replaceSet<Body<'POST /customers/{id}/users'>>(usersOfCustomer);

/** Replaces the groups of a profile. */
export const replaceGroups = replaceSet<Body<'POST /profiles/{profileId}/groups'>>(groupsOfProfile);

/**
 * Makes a flow that reads a set, changes it, and writes it back.
 *
 * @param given returns the given IDs from the body that the operation's fields make
 * @param toBody makes the body from the changed set
 */
function changeSet<Members extends object>(
	given: (body: Partial<Members>) => number[],
	toBody: (ids: number[]) => Members,
	change: Change,
): Flow<never, Members> {
	return flow([], async ({ context, request: options, output }) => {
		const { url, body } = options;
		return await withLock(context, url, async () => {
			const ids = change(await attachedIds(context, url), given(body));
			// A tenant that gives an ID as text takes it as text.
			return output(await writeSet(context, { ...options, body: toBody(ids as number[]) }));
		});
	});
}

/** Makes the flow that changes the users of a customer. */
export const changeUsers = (change: Change) =>
	changeSet<Body<'POST /customers/{id}/users'>>(
		({ user_ids = [] }) => user_ids,
		(user_ids) => ({ user_ids }),
		change,
	);

/** Makes the flow that changes the groups of a profile. */
export const changeGroups = (change: Change) =>
	changeSet<Body<'POST /profiles/{profileId}/groups'>>(
		({ groups = [] }) => groups.map(({ id }) => id),
		(ids) => ({ groups: ids.map((id) => ({ id })) }),
		change,
	);
