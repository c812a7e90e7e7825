import type { Body } from '../contract/endpoints';
import type { Item } from '../core/item';
import type { Run } from '../core/operation';
import { bodySet, editorOnly } from '../core/field';
import { guardAgainstEmpty, type ifEmpty } from '../core/emptyValues';
import { wholeList } from '../api/records';
import { findIn } from '../fields/byName';
import { attachedIds, setUrlOf, writeSet } from './attached';
import { groupSet, idSet, type RecordId } from '../values/ids';

/** Makes the parameter of a set whose elements the tenant can list. */
const setParameter = (displayName: string, name: string, loadOptionsMethod: string) => ({
	...{ displayName, name, type: 'multiOptions' as const, typeOptions: { loadOptionsMethod } },
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
});

/** The groups of a profile. */
export const groupsOfProfile = {
	...bodySet('groups', groupSet, setParameter('Group Names or IDs', 'groupIds', 'getGroups')),
	findByName: findIn('groups', { isSet: true }),
};

/** The users of a customer. */
export const usersOfCustomer = {
	...bodySet('user_ids', idSet, setParameter('User Names or IDs', 'userIds', 'getUsers')),
	findByName: findIn('users', { isSet: true }),
};

const allCustomers = setParameter('Customer Names or IDs', 'customerIds', 'getCustomers');

/** Several customers. */
export const customers = {
	...allCustomers,
	typeOptions: { ...allCustomers.typeOptions, loadOptionsDependsOn: ['findCustomers'] },
};

/** What the list of several customers is searched for. */
export const findCustomers = editorOnly({
	displayName: 'Find Customers',
	name: 'findCustomers',
	noDataExpression: true,
	placeholder: 'e.g. Mira or +49 171 1234567',
	description: 'Part of the name, or the phone number, of the customers that the list below shows',
});

/** Makes the IDs to write from the attached IDs and the given IDs. */
type Change = (attached: RecordId[], given: RecordId[]) => RecordId[];

/** Sends the request of the operation, whose response is the set. */
export const plainWrite = async <Members>(item: Item<never, Members>) =>
	await item.api.inOrder(setUrlOf(item.request), async () =>
		item.output(await writeSet(item.api, item.request)),
	);

/**
 * Makes the operations that write a set of IDs.
 *
 * @param label the editor's name of the set
 * @param idsIn returns the given IDs from the body that the operation's fields make
 * @param bodyOf makes the body from the IDs to write
 */
function writesOf<Members extends object>(
	label: string,
	idsIn: (body: Partial<Members>) => number[],
	bodyOf: (ids: number[]) => Members,
) {
	/** Reads the set, changes it, and writes it back. */
	const changed =
		(change: Change): Run<never, Members> =>
		async (item) => {
			const { api, request } = item;
			const { url, body } = request;
			if (idsIn(body).length === 0) return item.output(await wholeList(api, url));
			return await api.inOrder(url, async () => {
				const ids = change(await attachedIds(api, url), idsIn(body));
				// A tenant that gives an ID as text takes it as text.
				return item.output(await writeSet(api, { ...request, body: bodyOf(ids as number[]) }));
			});
		};
	const replace: Run<typeof ifEmpty, Members> = async (item) => {
		guardAgainstEmpty(item, label, idsIn(item.request.body));
		return await plainWrite(item as Item<never, Members>);
	};
	return {
		add: changed((attached, given) => [...new Set([...attached, ...given])]),
		remove: changed((attached, given) => attached.filter((id) => !given.includes(id))),
		replace,
	};
}

/** Writes the users of a customer. */
export const writeUsers = writesOf<Body<'POST /customers/{id}/users'>>(
	usersOfCustomer.parameter.displayName,
	({ user_ids = [] }) => user_ids,
	(user_ids) => ({ user_ids }),
);

/** Writes the groups of a profile. */
export const writeGroups = writesOf<Body<'POST /profiles/{profileId}/groups'>>(
	groupsOfProfile.parameter.displayName,
	({ groups = [] }) => groups.map(({ id }) => id),
	(ids) => ({ groups: ids.map((id) => ({ id })) }),
);
