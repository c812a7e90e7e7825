import { type Data, type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

const MIRA = '491700000001';
const NEW = '4915112345678';
const create = (fields: object = {}) =>
	tenant.must<Fields>('POST', '/customers', {
		channel: 'chatapp',
		display_id: NEW,
		name: 'Carla',
		...fields,
	});
const profileOf = async (number: string) =>
	(await tenant.must<Data<Fields[]>>('GET', `/profiles?search=${number}`)).data[0];

describe('customers', () => {
	test('a customer and its profile are created together, with the same name and the number from display_id', async () => {
		const customer = await create();
		expect(customer).toMatchObject({ channel: 'chatapp', display_id: NEW, name: 'Carla' });
		expect(await tenant.must('GET', `/customers/${customer.id}`)).toEqual({ data: customer });
		expect(await profileOf(NEW)).toMatchObject({ name: 'Carla', phone_number: NEW, email: null });
	});

	test('of two simultaneous creations with one number exactly one succeeds', async () => {
		const body = { channel: 'chatapp', display_id: NEW, name: 'C' };
		const all = await Promise.all([1, 2, 3, 4].map(() => tenant.ask('POST', '/customers', body)));
		expect(all.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
	});

	test('a deletion takes everything of the customer along; the number is free again, the id is not', async () => {
		const { tables } = tenant.store;
		expect(await tenant.must('DELETE', '/customers/101')).toEqual({ data: [] });
		expect((await tenant.ask('GET', '/customers/101')).status).toBe(404);
		for (const name of ['conversations', 'messages', 'customer_users', 'profile_groups'] as const) {
			expect([name, tables[name].all()]).toEqual([name, []]);
		}
		expect([tables.profiles.all().length, tables.activities.all().length]).toEqual([2, 2]);
		expect((await create({ display_id: MIRA })).id).toBe(104);
	});

	test('bulk-delete deletes each as a single deletion would', async () => {
		expect(await tenant.must('POST', '/customers/bulk-delete', { ids: [101, 102] })).toEqual({ data: [] });
		expect(await tenant.must('GET', '/customers?channel=chatapp')).toMatchObject({ data: [{ id: 103 }] });
		expect(await tenant.must('GET', '/customers?channel=sms')).toMatchObject({ data: [] });
		expect(tenant.store.counts()).toMatchObject({ profiles: 1, conversations: 0 });
	});

	test('the users of a customer are synced; admins are not listed', async () => {
		const sync = async (user_ids: number[]) =>
			(await tenant.must<Data<Fields[]>>('POST', '/customers/101/users', { user_ids })).data.map(
				({ id }) => id,
			);
		expect(await tenant.must('GET', '/customers/101/users')).toMatchObject({ data: [{ id: 2 }] });
		expect([await sync([3]), await sync([1, 3, 2, 3]), await sync([])]).toEqual([[3], [2, 3], []]);
	});
});

describe('bulk import', () => {
	const bulkImport = async (duplicates: string, customers: object[], token?: string) => {
		const all = customers.map((fields) => ({ channel: 'chatapp', display_id: NEW, name: 'Ines', ...fields }));
		const body = { duplicates, customers: all };
		const { data } = await tenant.must<Data<object>>('POST', '/customers/bulk-import', body, token);
		return Object.values(data);
	};

	test('a customer that does not exist is created with its profile, consent and tags', async () => {
		const profile = {
			email: 'i@mail.example',
			address: 'Road 1',
			custom_5: 'five',
			date_of_birth: '29.02.1988',
		};
		const more = { marketing_opt_in: 1, tags: ' VIP, Fresh ,, Fresh' };
		expect(await bulkImport('skip', [{ profile: { ...profile, ...more } }])).toEqual([1, 0, 0]);
		const { id, ...read } = await profileOf(NEW);
		const written = { ...profile, date_of_birth: '1988-02-29', marketing_opt_in: 1 };
		expect(read).toMatchObject({ name: 'Ines', phone_number: NEW, ...written });
		expect(tenant.store.tags.of('profile', id).map(({ title }) => title)).toEqual(['Fresh', 'VIP']);
		expect(tenant.store.tags.list().map(({ title }) => title)).toEqual([
			'Fresh',
			'Newsletter',
			'Returns',
			'VIP',
		]);
		expect(tenant.store.profiles.activities(id).records).toMatchObject([{ type: 'marketing_opt_in' }]);
	});

	test('override updates an existing customer, null clears, what is left out stays; skip leaves it as it is', async () => {
		const profile = { custom_1: 'new', email: null, date_of_birth: 'broken' };
		expect(await bulkImport('override', [{ display_id: MIRA, profile }])).toEqual([0, 1, 0]);
		const changed = await profileOf(MIRA);
		const stays = { address: 'Lindenweg 3, Musterstadt', date_of_birth: '1990-04-12' };
		expect(changed).toMatchObject({ name: 'Ines', custom_1: 'new', email: null, ...stays });
		expect(tenant.store.customers.find(101)?.name).toBe('Ines');
		expect(await bulkImport('skip', [{ display_id: MIRA, name: 'Other' }])).toEqual([0, 0, 1]);
		expect(await profileOf(MIRA)).toEqual(changed);
	});

	test('created, updated and skipped are counted side by side, also for duplicates within one import', async () => {
		expect(await bulkImport('override', [{}, { display_id: MIRA }, { name: 'Again' }])).toEqual([1, 2, 0]);
		expect(await bulkImport('skip', [{}, { display_id: '4915100000009' }])).toEqual([1, 0, 1]);
	});

	test('an invalid e-mail or date of birth is skipped in silence', async () => {
		const emails = ['nobody', 'a@b', 'a b@mail.example', '@mail.example', ''];
		const dates = ['31.02.1990', '1990-13-01', '1990/01/01', '1.2.1990', 'yesterday', '1990-02-29'];
		const profiles = [
			...emails.map((email) => ({ email })),
			...dates.map((date_of_birth) => ({ date_of_birth })),
		];
		const rows = profiles.map((profile, index) => ({ display_id: `${4915100000000 + index}`, profile }));
		expect(await bulkImport('skip', rows)).toEqual([11, 0, 0]);
		for (const { display_id } of rows) {
			expect(await profileOf(display_id)).toMatchObject({ email: null, date_of_birth: null });
		}
	});

	test('a user who is no admin overrides only attached customers', async () => {
		const rows = [MIRA, '491700000002', NEW].map((display_id) => ({ display_id, name: 'By Sam' }));
		expect(await bulkImport('override', rows, tenant.userToken)).toEqual([1, 1, 1]);
		expect(await profileOf('491700000002')).toMatchObject({ name: 'Jonas Sample' });
	});
});
