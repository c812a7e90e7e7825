import { type Data, type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

interface Sent {
	id: number;
	conversation_id: number;
	status: string;
	contents: Array<{ type: string; template: Record<string, unknown> }>;
	[member: string]: unknown;
}

const NUMBER = 4_915_112_345_678;
const plain = { template_name: 'opening_hours', template_language: 'en_US' };
const body = (...texts: string[]) => ({
	type: 'body',
	parameters: texts.map((text) => ({ type: 'text', text })),
});
const header = {
	type: 'header',
	parameters: [{ type: 'image', image: { link: 'https://shop.example/a.jpg' } }],
};
const button = { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-7' }] };

const send = async (fields: object, token?: string) =>
	(await tenant.must<Data<Sent>>('POST', '/chatapp/send-template', { ...plain, ...fields }, token)).data;
const refuse = async (fields: object) => {
	const answer = await tenant.ask('POST', '/chatapp/send-template', { ...plain, ...fields });
	expect(answer).toMatchObject({ status: 422, body: { message: expect.any(String) } });
	return (answer.body as { errors: Record<string, string[]> }).errors;
};
const templateOf = ({ contents }: Sent) => contents[0].template;

describe('templates', () => {
	test('a template is answered bare when it is created, keeps every member, and is listed', async () => {
		const template = await tenant.must<Fields>('POST', '/templates', {
			name: 'hello',
			language: 'de',
			category: 'MARKETING',
			own: { member: [1] },
			components: [{ type: 'BODY', text: 'Hallo {{1}}' }],
		});
		expect(template).toMatchObject({
			id: expect.any(Number),
			name: 'hello',
			status: 'approved',
			own: { member: [1] },
		});
		expect(await tenant.must('GET', '/templates')).toMatchObject({
			data: expect.arrayContaining([
				template,
				expect.objectContaining({ name: 'welcome', language: 'en_US' }),
			]),
		});
	});

	test('name and language together are unique; name, known language and components are checked', async () => {
		for (const fields of [
			{ name: 'welcome', language: 'en_US' },
			{ name: '', language: 'de' },
			{ name: 'x', language: 'klingon' },
			{ name: 'x', language: 'de', components: 'none' },
			{ name: 'x', language: 'de', components: [{ text: 'no type' }] },
			{},
		]) {
			expect((await tenant.ask('POST', '/templates', fields)).status).toBe(422);
		}
		await tenant.must('POST', '/templates', { name: 'welcome', language: 'de' });
	});
});

describe('send-template', () => {
	test('customer, profile and conversation are created if missing; the message has status created', async () => {
		const message = await send({ phone_number: NUMBER, customer_name: 'Tara Template' });
		expect(message).toMatchObject({ status: 'created', from: 'agent', ca_template_id: expect.any(Number) });
		const customer = tenant.store.customers.byDisplayId('chatapp', String(NUMBER));
		expect(customer).toMatchObject({ name: 'Tara Template' });
		expect(tenant.store.conversations.find(message.conversation_id)).toMatchObject({
			customer_id: customer?.id,
		});
		expect(await tenant.must('GET', `/profiles?search=${NUMBER}`)).toMatchObject({
			data: [{ name: 'Tara Template' }],
		});
	});

	test('an existing customer keeps its name and its conversation', async () => {
		const first = await send({ phone_number: NUMBER, customer_name: 'First' });
		const second = await send({ phone_number: NUMBER, customer_name: 'Second' });
		expect(second.conversation_id).toBe(first.conversation_id);
		expect(tenant.store.customers.byDisplayId('chatapp', String(NUMBER))?.name).toBe('First');
	});

	test('customer_id wins over phone_number', async () => {
		const message = await send({ customer_id: 101, phone_number: NUMBER });
		expect(tenant.store.conversations.find(message.conversation_id)).toMatchObject({ customer_id: 101 });
		expect(tenant.store.customers.byDisplayId('chatapp', String(NUMBER))).toBeUndefined();
	});

	test('phone_number is required only without customer_id', async () => {
		expect(await refuse({})).toEqual({ phone_number: [expect.any(String)] });
		await send({ customer_id: 101 });
	});

	test.each([12, 1.5, -4915112345678, 1e20, '4915112345678'])(
		'phone_number %p is refused: a number in E.164 format',
		async (phone_number) => {
			expect(await refuse({ phone_number })).toEqual({ phone_number: [expect.any(String)] });
		},
	);

	test('an unknown customer, agent, template or language is refused by field, and nothing is created', async () => {
		expect(await refuse({ customer_id: 999 })).toHaveProperty('customer_id');
		expect(await refuse({ phone_number: NUMBER, agent_id: 999 })).toHaveProperty('agent_id');
		expect(await refuse({ phone_number: NUMBER, template_name: 'nothing' })).toHaveProperty('template_name');
		expect(await refuse({ phone_number: NUMBER, template_language: 'de' })).toEqual({
			template_language: ['The template exists in en_US only.'],
		});
		expect(tenant.store.customers.byDisplayId('chatapp', String(NUMBER))).toBeUndefined();
	});

	test('header, body and buttons are filled in as the customer sees them', async () => {
		const template = templateOf(
			await send({
				phone_number: NUMBER,
				template_name: 'order_shipped',
				template_components: [header, body('Tara', 'A-7', 'Monday'), button],
			}),
		);
		expect(template).toMatchObject({
			name: 'order_shipped',
			language: 'en_US',
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
		const template = templateOf(
			await send({
				phone_number: NUMBER,
				template_name: 'welcome',
				template_components: [
					{ type: 'header', parameters: [named('first_name', 'Tara')] },
					{ type: 'body', parameters: [named('shop_name', 'Sunset'), named('first_name', 'Tara')] },
					{
						type: 'button',
						sub_type: 'copy_code',
						index: 0,
						parameters: [{ type: 'coupon_code', coupon_code: 'SUN10' }],
					},
				],
			}),
		);
		expect(template).toMatchObject({
			header: { type: 'text', text: 'Welcome, Tara' },
			body: { text: expect.stringContaining('Hi Tara, thank you for joining Sunset.') },
			buttons: [{ type: 'copy_code', code: 'SUN10' }],
		});
	});

	test('a variable without a value is refused, and the answer names it', async () => {
		const errors = await refuse({
			phone_number: NUMBER,
			template_name: 'order_shipped',
			template_components: [header, body('Tara', 'A-7')],
		});
		expect(errors.template_components).toEqual([
			'The body needs a value for {{3}}.',
			'The URL of button 0 needs a value for {{1}}.',
		]);
	});

	test('placeholders are replaced in components as they are, without delimiters', async () => {
		const template = templateOf(
			await send({
				phone_number: NUMBER,
				template_name: 'order_shipped',
				template_components: [header, body('%name%', 'order NR', '[day], [day]'), button],
				placeholders: { '%name%': 'Tara $&', NR: 7, '[day]': 'Monday', '': 'never' },
			}),
		);
		expect(template.body).toEqual({
			text: 'Good news, Tara $&! Your order order 7 is on its way and should arrive on Monday, Monday.',
		});
	});

	test('assignments go to conversation and profile', async () => {
		const { data: tags } = await tenant.must<Data<Fields[]>>('GET', '/tags');
		const { data: groups } = await tenant.must<Data<Fields[]>>('GET', '/groups');
		const message = await send({
			customer_id: 102,
			agent_id: 12,
			assign_bot_id: 5,
			assign_user_id: 2,
			assign_folder_id: 9,
			assign_tag_id: tags[0].id,
			assign_group_id: groups[0].id,
		});
		expect(tenant.store.conversations.find(message.conversation_id)).toMatchObject({
			agent_id: 12,
			bot_id: 5,
			user_id: 2,
			folder_id: 9,
		});
		expect(await tenant.must('GET', '/profiles/103/tags')).toMatchObject({
			data: [{ id: tags[0].id }, {}],
		});
		expect(await tenant.must('GET', '/profiles/103/groups')).toMatchObject({
			data: [{ id: groups[0].id }],
		});
	});

	test('assignments to a user, tag or group that does not exist are refused together', async () => {
		const ids = {
			assign_user_id: 999,
			assign_tag_id: 999,
			assign_group_id: 999,
			assign_bot_id: 0,
			assign_folder_id: -1,
		};
		expect(Object.keys(await refuse({ customer_id: 101, ...ids })).sort()).toEqual(Object.keys(ids).sort());
	});

	test('the default bot of the agent takes a new conversation', async () => {
		await tenant.must('PATCH', '/agents/11', { bot_id: 77 });
		const message = await send({ phone_number: NUMBER, agent_id: 11 });
		expect(tenant.store.conversations.find(message.conversation_id)).toMatchObject({ bot_id: 77 });
	});

	test('a user who is no admin is attached to the customer it creates', async () => {
		await send({ phone_number: NUMBER }, tenant.userToken);
		expect(await tenant.must('GET', '/customers', undefined, tenant.userToken)).toMatchObject({
			data: { length: 2 },
		});
	});
});
