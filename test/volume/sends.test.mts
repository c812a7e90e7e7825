import type { IDataObject } from 'n8n-workflow';

import { byId, TestTenant } from '../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

const COUNT = 1000;

const phones = Array.from({ length: COUNT }, (_, index) => String(491_710_000_000 + index));

/** How many messages of this test the tenant keeps for a number. */
function received(phone: string): number {
	const { store } = tenant.sandbox;
	const customer = store.customers.byDisplayId('chatapp', phone);
	const conversation = customer && store.conversations.ofCustomer(customer.id);
	return conversation ? store.conversations.messages(conversation.id).length : 0;
}

it('of 1,000 sends with connections dropped at random none goes out twice, and every unclear one is reported', async () => {
	for (const [index, kind] of (['drop-after', 'drop-before', 'drop-mid-answer'] as const).entries())
		tenant.sandbox.faults.add({ kind, operationId: 'sendTemplate', probability: 0.1, seed: 7 + index });
	const { items, error } = await tenant.run(
		{
			...{ resource: 'message', operation: 'sendTemplate', recipient: 'phoneNumber' },
			...{ phoneNumber: '={{ $json.phone }}', agentId: byId(11), templateName: byId('opening_hours') },
			...{ templateLanguage: 'en_US', advanced: { maximumTries: 1 } },
		},
		{ items: phones.map((phone) => ({ json: { phone } })), onError: 'continueRegularOutput' },
	);
	expect(error).toBeUndefined();
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(phones.map((_, item) => ({ item })));
	let unclear = 0;
	for (const [index, { json }] of items.entries()) {
		const phone = phones[index];
		const { outcome, sent } = (json.details ?? {}) as { outcome?: string; sent?: IDataObject };
		if (outcome === 'unknown') {
			unclear++;
			expect(sent?.phone_number).toBe(Number(phone));
			expect(received(phone)).toBeLessThanOrEqual(1);
		} else
			expect({ phone, ...json, received: received(phone) }).toMatchObject({ status: 'created', received: 1 });
	}
	expect(unclear).toBeGreaterThan(150);
});
