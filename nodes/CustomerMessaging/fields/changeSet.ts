import type { Body } from '../contract/endpoints';
import { type Flow, flow } from '../runner/operation';
import { attachedIds } from '../transport/attachedIds';
import { withLock } from '../transport/keyedLock';
import { request } from '../transport/request';

/** Makes the IDs to write from the attached IDs and the given IDs. */
type Change = (attached: number[], given: number[]) => number[];

/** Returns both sets together and removes duplicates. */
export const union: Change = (attached, given) => [...new Set([...attached, ...given])];

/** Returns the attached IDs without the given IDs. */
export const without: Change = (attached, given) => attached.filter((id) => !given.includes(id));

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
			const attached = await attachedIds(context, url);
			return output(await request(context, { ...options, body: toBody(change(attached, given(body))) }));
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
