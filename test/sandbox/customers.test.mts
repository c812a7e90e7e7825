import { type Data, type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

const NUMBER = '4915112345678';
const create = (fields: object = {}) =>
	tenant.must<Fields>('POST', '/customers', {
		channel: 'chatapp',
		display_id: NUMBER,
		name: 'Carla Case',
		...fields,
	});
const profileOf = async (name: string) =>
	(await tenant.must<Data<Fields[]>>('GET', `/profiles?search=${encodeURIComponent(name)}`)).data;

describe('creating customers', () => {
	test('a customer and its profile are created together, with the same name and the number from display_id', async () => {
		const customer = await create();
		expect(customer).toMatchObject({ channel: 'chatapp', display_id: NUMBER, name: 'Carla Case' });
		expect(await tenant.must('GET', `/customers/${customer.id}`)).toEqual({ data: customer });
		expect(await profileOf(NUMBER)).toMatchObject([{ name: 'Carla Case', phone_number: NUMBER }]);
	});

	test.each(['sms', 'webchat', 'Chatapp', ''])(
		'a customer can only be created for chatapp, not for "%s"',
		async (channel) => {
			const answer = await tenant.ask('POST', '/customers', { channel, display_id: NUMBER, name: 'C' });
			expect(answer).toMatchObject({ status: 422, body: { errors: { channel: expect.any(Array) } } });
		},
	);

	test.each([
		'+4915112345678',
		'49 151 12345678',
		'49-151-12345678',
		'015112345678',
		'(49)15112345678',
		'',
		'abc',
		'1234567890123456',
	])('display_id "%s" is refused: digits only, international', async (display_id) => {
		const answer = await tenant.ask('POST', '/customers', { channel: 'chatapp', display_id, name: 'C' });
		expect(answer).toMatchObject({ status: 422, body: { errors: { display_id: expect.any(Array) } } });
	});

	test('display_id is unique per channel', async () => {
		await create();
		const answer = await tenant.ask('POST', '/customers', {
			channel: 'chatapp',
			display_id: NUMBER,
			name: 'Other',
		});
		expect(answer).toMatchObject({
			status: 422,
			body: { errors: { display_id: ['The display id has already been taken.'] } },
		});
	});

	test('of two simultaneous creations with one number exactly one succeeds', async () => {
		const both = await Promise.all(
			['A', 'B', 'C', 'D'].map((name) =>
				tenant.ask('POST', '/customers', { channel: 'chatapp', display_id: NUMBER, name }),
			),
		);
		expect(both.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
	});

	test('customers are listed by channel', async () => {
		expect(await tenant.must('GET', '/customers?channel=chatapp')).toMatchObject({ data: { length: 3 } });
		expect(await tenant.must('GET', '/customers?channel=sms')).toMatchObject({ data: [] });
	});
});

describe('deleting customers', () => {
	test('a deletion takes profile, conversation, messages, activities and attachments along', async () => {
		const [mira] = await profileOf('Mira');
		const conversation = tenant.store.conversations.ofCustomer(101);
		expect(await tenant.must('DELETE', '/customers/101')).toEqual({ data: [] });
		expect((await tenant.ask('GET', '/customers/101')).status).toBe(404);
		expect((await tenant.ask('GET', `/profiles/${mira.id}`)).status).toBe(404);
		expect(
			(await tenant.ask('POST', `/conversations/${conversation?.id}/messages`, { type: 'text' })).status,
		).toBe(404);
		const rows = (table: string) => tenant.store.database.all(`SELECT * FROM ${table}`).length;
		expect(['messages', 'conversations', 'customer_users'].map(rows)).toEqual([0, 0, 0]);
		expect(tenant.store.profiles.activities(mira.id).total).toBe(0);
		expect(tenant.store.tags.of('profile', mira.id)).toEqual([]);
	});

	test('a deletion lands in the deletion log', async () => {
		await tenant.must('DELETE', '/customers/101');
		expect(await tenant.control('GET', '/deletions')).toMatchObject({
			data: [{ customer_id: 101, channel: 'chatapp', display_id: '491700000001', deleted_by: 1 }],
		});
	});

	test('the number of a deleted customer is free again, its id is not', async () => {
		const first = await create();
		await tenant.must('DELETE', `/customers/${first.id}`);
		expect((await create()).id).not.toBe(first.id);
	});

	test('bulk-delete deletes each as a single deletion would', async () => {
		expect(await tenant.must('POST', '/customers/bulk-delete', { ids: [101, 102] })).toEqual({ data: [] });
		expect(await tenant.must('GET', '/customers')).toMatchObject({ data: [{ id: 103 }] });
		expect(await profileOf('Mira')).toEqual([]);
		expect((await tenant.control<Data<unknown[]>>('GET', '/deletions')).data).toHaveLength(2);
	});

	test('bulk-delete with an unknown id deletes nothing', async () => {
		const answer = await tenant.ask('POST', '/customers/bulk-delete', { ids: [101, 999] });
		expect(answer).toMatchObject({ status: 422, body: { errors: { ids: ['There is no customer 999.'] } } });
		expect((await tenant.ask('GET', '/customers/101')).status).toBe(200);
	});
});

describe('users of a customer', () => {
	const users = async () =>
		(await tenant.must<Data<Fields[]>>('GET', '/customers/101/users')).data.map(({ id }) => id);

	test('the set is synced: missing users are detached, new ones attached', async () => {
		expect(await users()).toEqual([2]);
		expect(await tenant.must('POST', '/customers/101/users', { user_ids: [3] })).toMatchObject({
			data: [{ id: 3 }],
		});
		expect(await users()).toEqual([3]);
		await tenant.must('POST', '/customers/101/users', { user_ids: [2, 3, 3] });
		expect(await users()).toEqual([2, 3]);
		expect(await tenant.must('POST', '/customers/101/users', { user_ids: [] })).toEqual({ data: [] });
	});

	test('admins are not listed', async () => {
		expect(await tenant.must('POST', '/customers/101/users', { user_ids: [1, 2] })).toMatchObject({
			data: [{ id: 2 }],
		});
		expect(await users()).toEqual([2]);
	});

	test('an unknown user is refused and the set stays', async () => {
		expect((await tenant.ask('POST', '/customers/101/users', { user_ids: [3, 999] })).status).toBe(422);
		expect(await users()).toEqual([2]);
	});
});
