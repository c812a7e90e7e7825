import { byId, TestTenant } from '../../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

async function agentId(): Promise<number> {
	const { data } = await tenant.ask<{ data: Array<{ id: number }> }>('/agents?channel=chatapp');
	tenant.sandbox.clearRequests();
	return data[0].id;
}

async function sendTemplate(parameters = {}) {
	return await tenant.run({
		resource: 'message',
		operation: 'sendTemplate',
		phoneNumber: '+49 171 1234567',
		agentId: byId(await agentId()),
		templateName: byId('opening_hours'),
		templateLanguage: 'en_US',
		...parameters,
	});
}

const text = (parameter_name: string, value: string) => ({ type: 'text', parameter_name, text: value });

/** Fills the template "welcome" of the demo data. */
const components = [
	{ type: 'header', parameters: [text('first_name', 'Jo')] },
	{ type: 'body', parameters: [text('first_name', 'Jo'), text('shop_name', 'Sunset Parcels')] },
	{
		type: 'button',
		sub_type: 'copy_code',
		index: '0',
		parameters: [{ type: 'coupon_code', coupon_code: 'HELLO10' }],
	},
];

describe('message: sendTemplate', () => {
	it('sends to a number, with an empty list of components', async () => {
		const agent = await agentId();
		const { items, error } = await sendTemplate();

		expect(error).toBeUndefined();
		expect(tenant.sent()).toMatchObject([
			{
				method: 'POST',
				path: '/third-party/v1/chatapp/send-template',
				body: `{"phone_number":491711234567,"agent_id":${agent},"template_name":"opening_hours","template_language":"en_US","template_components":[]}`,
			},
		]);
		expect(items).toEqual([
			{
				json: expect.objectContaining({ id: expect.any(Number), status: 'created' }),
				pairedItem: { item: 0 },
			},
		]);
	});

	it('sends to an existing customer without a number, components and options as given', async () => {
		const { data } = await tenant.ask<{ data: Array<{ id: number }> }>('/customers');
		const [{ id }] = data;
		const { error } = await sendTemplate({
			recipient: 'customer',
			customerId: byId(id),
			templateName: byId('welcome'),
			variablesMode: 'json',
			templateComponents: JSON.stringify(components, null, 2),
			options: { fromAutomation: true, customerName: '' },
		});

		expect(error).toBeUndefined();
		const [{ body }] = tenant.sent();
		expect(JSON.parse(body)).toEqual({
			customer_id: id,
			agent_id: expect.any(Number),
			template_name: 'welcome',
			template_language: 'en_US',
			template_components: components,
			from_automation: true,
		});
	});

	it.each([
		['[{', 'Template Components is not valid JSON'],
		['{}', 'Template Components is not a JSON array'],
	])('refuses the components %j before anything is sent', async (templateComponents, message) => {
		const { error } = await sendTemplate({ variablesMode: 'json', templateComponents });
		expect(error?.message).toContain(message);
		expect(tenant.sent()).toEqual([]);
	});

	it('fires the new-agent-message webhook when it comes from an automation', async () => {
		const hook = `${tenant.sandbox.url}/nothing-listens-here`;
		tenant.sandbox.registerWebhook({ url: hook });
		await sendTemplate();
		await sendTemplate({ options: { fromAutomation: true } });
		await tenant.sandbox.deliveriesSettled();
		expect(tenant.sandbox.deliveries()).toHaveLength(1);
	});
});
