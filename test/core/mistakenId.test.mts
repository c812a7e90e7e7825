import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { operationsByResource } from '../../nodes/CustomerMessaging/operations/index.ts';
import { propertiesOf } from '../../nodes/CustomerMessaging/core/field.ts';
import { ANY_IDS, operationCases } from '../contract/operationCases.mts';
import { byId } from '../engine/tenant.mts';
import { ScriptedTenant } from '../engine/scriptedTenant.mts';
import { WAY_ON } from '../engine/wayOn.mts';

const tenant = ScriptedTenant.inEachTest();

const FIELDS = [
	{ name: 'customerId', label: 'Customer', member: 'customer_id' },
	{ name: 'profileId', label: 'Profile', member: 'profile_id' },
	{ name: 'conversationId', label: 'Conversation', member: 'conversation_id' },
];

/** Every operation that takes the ID of a customer, a profile or a conversation. */
const taking = operationCases(ANY_IDS).flatMap(({ resource, operation, parameters, items, waits }, index) =>
	FIELDS.filter(({ name }) => name in parameters && !waits).map((field) => ({
		...field,
		title: `${resource}: ${operation} (${index})`,
		run: async (value: unknown, json: IDataObject) =>
			await tenant.run(
				{
					...parameters,
					resource,
					operation,
					[field.name]: field.name === 'conversationId' ? value : byId(value as string),
				} as INodeParameters,
				{ items: [{ ...items?.[0], json: { ...items?.[0]?.json, ...json } }] },
			),
	})),
);

it('every operation that takes the ID of a person is tried', () => {
	const offering = Object.entries(operationsByResource).flatMap(([resource, operations]) =>
		Object.entries(operations)
			.filter(([, { fields }]) => propertiesOf(fields).some(({ name }) => name === 'customerId'))
			.map(([operation]) => `${resource}: ${operation}`),
	);
	const tried = new Set(taking.map(({ title }) => title.replace(/ \(\d+\)$/, '')));
	expect(offering.filter((name) => !tried.has(name))).toEqual(['message: sendAndWait']);
});

describe('the ID of the item’s own record, where the item names the meant one', () => {
	const mistake = (label: string, member: string) =>
		`${label} is 71, the ID of the item's own record, such as a profile; its ${member} is 7`;

	it.each(taking.filter(({ title }) => !title.includes('preview')))(
		'is refused as $label by $title, and nothing is sent',
		async ({ run, label, member }) => {
			for (const own of [71, '71']) {
				const { error } = await run('={{ $json.id }}', { id: own, [member]: 7 });
				expect(error).toMatchObject({
					message: mistake(label, member),
					description: `Use {{ $json.${member} }} in place of {{ $json.id }}.${WAY_ON}`,
					context: { itemIndex: 0 },
				});
				expect(tenant.requests).toEqual([]);
			}
		},
	);

	it('is told by a preview beside other problems', async () => {
		const [preview] = taking.filter(({ title }) => title.includes('preview'));
		tenant.answer({ 'GET /templates': () => ({ data: [] }) });
		const { items } = await preview.run('={{ $json.id }}', { id: 71, customer_id: 7 });
		expect(JSON.stringify(items)).toContain(mistake('Customer', 'customer_id'));
	});

	const get = (resource: string, value: unknown, json: IDataObject) =>
		tenant.run(
			{ resource, operation: 'get', [`${resource}Id`]: byId(value as string) },
			{ items: [{ json }] },
		);

	it.each<[string, unknown, IDataObject]>([
		['the item has no other', '={{ $json.id }}', { id: 71 }],
		['the item names the same', '={{ $json.id }}', { id: 71, customer_id: '71' }],
		['what the item names is nothing', '={{ $json.id }}', { id: 71, customer_id: null }],
		['what the item names is no ID of the service', '={{ $json.id }}', { id: 71, customer_id: 'K-7' }],
		['another one is given', '={{ 71 }}', { id: 72, customer_id: 7 }],
		['it is fixed and the same by chance', '71', { id: 71, customer_id: 7 }],
	])('is no mistake where %s', async (_why, value, json) => {
		tenant.answer({ 'GET /customers/71': () => ({ data: { id: 71 } }) });
		const { error } = await get('customer', value, json);
		expect(error).toBeUndefined();
		expect(tenant.requests).toEqual(['GET /customers/71']);
	});

	it('is refused too where an expression gives the whole locator', async () => {
		const { error } = await tenant.run(
			{
				...{ resource: 'customer', operation: 'delete' },
				customerId: "={{ { __rl: true, mode: 'id', value: $json.id } }}",
			},
			{ items: [{ json: { id: 71, customer_id: 7 } }] },
		);
		expect(error?.message).toMatch(/^Customer is 71, the ID of the item's own record/);
		expect(tenant.requests).toEqual([]);
	});

	it('is an error item with Continue, and the other items are carried out', async () => {
		tenant.answer({ 'DELETE /customers/7': () => ({ data: [] }) });
		const { items } = await tenant.run(
			{ resource: 'customer', operation: 'delete', customerId: byId('={{ $json.id }}') },
			{
				items: [{ json: { id: 71, customer_id: 7 } }, { json: { id: 7, profile_id: 71 } }],
				onError: 'continueRegularOutput',
			},
		);
		expect(tenant.requests).toEqual(['DELETE /customers/7']);
		expect(items).toMatchObject([
			{ json: { error: expect.stringMatching(/^Customer is 71/) }, pairedItem: { item: 0 } },
			{ json: { id: 7, deleted: true }, pairedItem: { item: 1 } },
		]);
	});
});
