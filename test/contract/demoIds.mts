import type { TableName } from '../../sandbox/store/store.mts';
import { PIXEL } from '../engine/pixel.mts';
import type { TestTenant } from '../engine/tenant.mts';
import { idsIn } from '../sandbox/knownIds.mts';
import type { Ids } from './operationCases.mts';

/**
 * The demo tenant's records, with an opt-out, an upload and a message besides, and attached tags, groups and users.
 *
 * @returns what gives their ids
 */
export async function demoIds(tenant: TestTenant): Promise<Ids> {
	const id = ((table: TableName, place = 0) => {
		const found = idsIn(tenant.sandbox.store, table).at(place);
		if (found !== undefined) return found;
		throw new Error(
			`sandbox/resources: a fresh tenant has no record ${place} in "${table}"; let "demo" of the resource add it`,
		);
	}) as Ids;
	const [profile, customer] = [id('profiles'), id('customers')];
	const tags = { tags: [{ id: id('tags', 1) }] };
	await tenant.tell(`/profiles/${profile}/tags`, tags);
	await tenant.tell(`/profiles/${profile}/groups`, { groups: [{ id: id('groups') }] });
	await tenant.tell(`/media/${id('media')}/tags`, tags);
	await tenant.tell(`/customers/${customer}/users`, { user_ids: [id('users', 1)] });
	await tenant.tell(`/profiles/${profile}/marketing-opt-in`, { opt_in: true });
	await tenant.tell(`/profiles/${profile}/marketing-opt-in`, { opt_in: false });
	await tenant.tell('/chatapp/send-template', {
		customer_id: customer,
		agent_id: id('agents'),
		template_name: 'opening_hours',
		template_language: 'en_US',
		template_components: [],
	});
	await tenant.upload('image', 'image/png', 'dot.png', PIXEL);
	return id;
}
