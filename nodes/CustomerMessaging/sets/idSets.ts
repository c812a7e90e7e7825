import type { Api } from '../api/client';
import type { ServiceRequest } from '../api/exchange';
import { unreadableList } from '../api/pages';
import { wholeList } from '../api/records';
import type { Body } from '../contract/endpoints';
import { guardAgainstEmpty, type ifEmpty } from '../core/emptyValues';
import type { Item } from '../core/item';
import type { Run } from '../core/operation';
import { groupsOfProfile, usersOfCustomer } from '../fields/sets';
import { wholeId } from '../values/ids';
import { ownMember } from '../values/json';
import { quote } from '../values/text';

/** Reads the IDs of a set, before a changed one is written back. Throws where one is missing, or no whole number. */
export async function attachedIds(api: Api, url: string): Promise<number[]> {
	return (await wholeList(api, url)).map((record) => {
		const id = wholeId(ownMember(record, 'id'));
		// Another record could be meant.
		if (id === undefined) throw unreadableList();
		return id;
	});
}

/** Returns the path of the set that a request changes. */
const setUrlOf = ({ method, url }: ServiceRequest): string =>
	method === 'DELETE' ? url.slice(0, url.lastIndexOf('/')) : url;

/**
 * Sends a request that changes a set and returns the set. If the response does not show it, it reads the set. If that fails,
 * it returns the content of the response, because the change is done.
 */
export async function writeSet(api: Api, options: ServiceRequest): Promise<unknown> {
	// Beside those that were attached before, the place of an entry tells people nothing.
	const entryName = (place: number) => {
		const entry = Object.values((options.body ?? {}) as Record<string, unknown[]>)[0]?.[place];
		return quote(ownMember(entry, 'title') ?? ownMember(entry, 'id') ?? entry);
	};
	const { content } = await api.send({ ...options, entryName });
	if (Array.isArray(content)) return content;
	return (await wholeList(api, setUrlOf(options)).catch(() => undefined)) ?? content;
}

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
	/** Reads the set, makes the IDs to write from the attached and the given ones, and writes them back. */
	const changed =
		(change: (attached: number[], given: number[]) => number[]): Run<never, Members> =>
		async (item) => {
			const { api, request } = item;
			const { url } = request;
			const given = idsIn(request.body);
			if (given.length === 0) return item.output(await wholeList(api, url));
			return await api.inOrder(url, async () => {
				const ids = change(await attachedIds(api, url), given);
				return item.output(await writeSet(api, { ...request, body: bodyOf(ids) }));
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
