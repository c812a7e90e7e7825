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
	const { tags, groups, customers, profiles } = tenant.sandbox.store;
	tags.sync('profile', profile, [{ id: id('tags', 1) }]);
	tags.sync('media', id('media'), [{ id: id('tags', 1) }]);
	groups.sync(profile, [id('groups')]);
	customers.attach(id('users', 1), customer);
	profiles.setConsent(profile, true);
	profiles.setConsent(profile, false);
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
