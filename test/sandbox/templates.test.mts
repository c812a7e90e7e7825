import { type Data, type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

interface Sent extends Fields {
	conversation_id: number;
	contents: Array<{ template: Record<string, unknown> }>;
}

const NUMBER = 4_915_112_345_678;
const texts = (...values: string[]) => values.map((text) => ({ type: 'text', text }));
const HEADER = {
	type: 'header',
	parameters: [{ type: 'image', image: { link: 'https://shop.example/a.jpg' } }],
};
const BUTTON = { type: 'button', sub_type: 'url', index: '0', parameters: texts('A-7') };
const body = (...values: string[]) => ({ type: 'body', parameters: texts(...values) });

const ask = (fields: object) =>
	tenant.ask('POST', '/chatapp/send-template', {
		...{ template_name: 'opening_hours', template_language: 'en_US', phone_number: NUMBER },
		...fields,
	});
const send = async (fields: object) => ((await ask(fields)).body as Data<Sent>).data;
const filled = async (template_name: string, template_components: object[], more: object = {}) =>
	(await send({ template_name, template_components, ...more })).contents[0].template;
const customer = () => tenant.store.customers.byDisplayId('chatapp', String(NUMBER));
const conversationOf = ({ conversation_id }: Sent) => tenant.store.conversations.find(conversation_id);

test('a template is answered bare when it is created, keeps every member, and is listed', async () => {
	const components = [{ type: 'BODY', text: 'Hallo {{1}}' }];
	const fields = { name: 'hello', language: 'de', category: 'MARKETING', own: { member: [1] }, components };
	const template = await tenant.must<Fields>('POST', '/templates', { ...fields, id: 7 });
	expect(template).toMatchObject({ ...fields, id: 86, status: 'approved' });
	const { data } = await tenant.must<Data<Fields[]>>('GET', '/templates');
	expect(data.at(-1)).toEqual(template);
});

test('a template that is decided against cannot be sent, and can be approved after all', async () => {
	const { id } = tenant.store.templates.find('opening_hours', 'en_US') as Fields;
	const review = (decision: object) => tenant.control('POST', `/templates/${id}/review`, decision);
	const rejected = { status: 'rejected', rejected_reason: 'Too short' };
	expect(await review({ status: 'rejected', reason: 'Too short' })).toMatchObject({ data: rejected });
	expect((await ask({})).body).toMatchObject({ errors: { template_name: [expect.any(String)] } });
	await review({ status: 'approved' });
	expect((await ask({})).status).toBe(200);
});

describe('send-template', () => {
	test('customer, profile and conversation are created if missing; the message has status created', async () => {
		const message = await send({ customer_name: 'Tara Template' });
		expect(message).toMatchObject({ status: 'created', from: 'agent', ca_template_id: 84 });
		expect(customer()).toMatchObject({ name: 'Tara Template' });
		expect(conversationOf(message)).toMatchObject({ customer_id: customer()?.id });
		expect(tenant.store.profiles.ofCustomer(customer()?.id ?? 0)).toMatchObject({ name: 'Tara Template' });
		const second = await send({ customer_name: 'Second' });
		expect([second.conversation_id, customer()?.name]).toEqual([message.conversation_id, 'Tara Template']);
	});

	test('customer_id wins over phone_number', async () => {
		expect(conversationOf(await send({ customer_id: 101 }))).toMatchObject({ customer_id: 101 });
		expect(customer()).toBeUndefined();
	});

	test('header, body and buttons are filled in as the customer sees them', async () => {
		const components = [HEADER, body('Tara', 'A-7', 'Monday'), BUTTON];
		expect(await filled('order_shipped', components)).toMatchObject({
			header: { type: 'image', link: 'https://shop.example/a.jpg' },
			body: { text: 'Good news, Tara! Your order A-7 is on its way and should arrive on Monday.' },
			footer: { text: 'Reply STOP to hear no more from us' },
			buttons: [
				{ type: 'url', text: 'Track parcel', url: 'https://shop.example/track/A-7' },
				{ type: 'quick_reply', text: 'I have a question' },
			],
		});
	});

	test('named variables take the parameter of that name, a copy-code button its coupon', async () => {
		const named = (parameter_name: string, text: string) => ({ type: 'text', parameter_name, text });
		const code = { parameters: [{ type: 'coupon_code', coupon_code: 'SUN10' }] };
		const components = [
			{ type: 'header', parameters: [named('first_name', 'Tara')] },
			{ type: 'body', parameters: [named('shop_name', 'Sunset'), named('first_name', 'Tara')] },
			{ type: 'button', sub_type: 'copy_code', index: 0, ...code },
		];
		expect(await filled('welcome', components)).toMatchObject({
			header: { type: 'text', text: 'Welcome, Tara' },
			body: { text: expect.stringContaining('Hi Tara, thank you for joining Sunset.') },
			buttons: [{ type: 'copy_code', code: 'SUN10' }],
		});
	});

	test('a variable without a value is refused, and the answer names it', async () => {
		const { body: answer } = await ask({
			...{ template_name: 'order_shipped', template_components: [HEADER, body('Tara', 'A-7')] },
		});
		const missing = ['The body needs a value for {{3}}.', 'The URL of button 0 needs a value for {{1}}.'];
		expect(answer).toMatchObject({ errors: { template_components: missing } });
		expect(customer()).toBeUndefined();
	});

	test('placeholders are replaced in components as they are, without delimiters', async () => {
		const components = [HEADER, body('%name%', 'order NR', '[day], [day]'), BUTTON];
		const placeholders = { '%name%': 'Tara $&', NR: 7, '[day]': 'Monday', '': 'never' };
		expect((await filled('order_shipped', components, { placeholders })).body).toEqual({
			text: 'Good news, Tara $&! Your order order 7 is on its way and should arrive on Monday, Monday.',
		});
	});

	test('assignments go to conversation and profile; without one, the default bot of the agent takes over', async () => {
		const ids = { assign_user_id: 2, assign_folder_id: 9, assign_tag_id: 41, assign_group_id: 62 };
		const message = await send({ customer_id: 102, agent_id: 12, assign_bot_id: 5, ...ids });
		const assigned = { agent_id: 12, bot_id: 5, user_id: 2, folder_id: 9 };
		expect(conversationOf(message)).toMatchObject(assigned);
		const { profiles, tags, groups } = tenant.store;
		const id = profiles.ofCustomer(102)?.id ?? 0;
		expect(tags.of('profile', id).map((tag) => tag.id)).toEqual([43, 41]);
		expect(groups.ofProfile(id)).toMatchObject([{ id: 62 }]);
		await tenant.must('PATCH', '/agents/11', { bot_id: 77 });
		expect(conversationOf(await send({ agent_id: 11 }))).toMatchObject({ bot_id: 77 });
	});
});
