import type { IDataObject } from 'n8n-workflow';

import type { ItemContext } from '../core/field';
import type { Run } from '../core/operation';
import { nodeErrorOf } from '../api/errors';
import { readRecord, wholeList } from '../api/records';
import { type RecordId, wholeId } from '../values/ids';

interface Person {
	id: string;
	customerId?: RecordId;
}

function customerOf({ customerId }: Person): RecordId {
	if (customerId === undefined) throw new Error('The service does not say whose profile this is');
	return customerId;
}

const listOf = (part: string) => async (context: ItemContext, person: Person) =>
	await wholeList(context.api, `/profiles/${encodeURIComponent(person.id)}/${part}`);

const PARTS: Record<string, (context: ItemContext, person: Person) => Promise<unknown>> = {
	customer: async (context, person) =>
		await readRecord(context.api, 'GET /customers/{id}', { path: { id: customerOf(person) } }),
	consent: async (context, { id }) =>
		await readRecord(context.api, 'GET /profiles/{id}/marketing-opt-in', { path: { id } }),
	activities: listOf('activities'),
	tags: listOf('tags'),
	groups: listOf('groups'),
	users: async (context, person) =>
		await wholeList(context.api, `/customers/${encodeURIComponent(customerOf(person))}/users`),
};

/** Reads everything about a person. A part that cannot be read whole is null, and named with the reason. */
export const exportProfile: Run = async (item) => {
	const { api, context, request } = item;
	const [{ json: profile }] = item.output(await api.send(request));
	const person = { id: request.path.id, customerId: wholeId(profile.customer_id) };
	const parts: Record<string, unknown> = {};
	const unreadable: IDataObject = {};
	for (const [part, read] of Object.entries(PARTS)) {
		try {
			parts[part] = await read(context, person);
		} catch (error) {
			parts[part] = null;
			unreadable[part] = nodeErrorOf(context, error).message;
		}
	}
	if (Object.keys(unreadable).length > 0) api.note('lack a part that could not be read; unreadable names it');
	const json = { profile, ...parts, unreadable, messages: 'not offered by the service' };
	return [{ json: json as IDataObject }];
};
