import { type Data, type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

const MIRA = '491700000001';
const NEW = '4915112345678';

const bulkImport = async (duplicates: string, ...customers: object[]) =>
	(
		await tenant.must<Data<Record<string, number>>>('POST', '/customers/bulk-import', {
			duplicates,
			customers: customers.map((fields) => ({
				channel: 'chatapp',
				display_id: NEW,
				name: 'Ines Import',
				...fields,
			})),
		})
	).data;
const profileOf = async (number: string) =>
	(await tenant.must<Data<Fields[]>>('GET', `/profiles?search=${number}`)).data[0];
const tagsOf = async (number: string) =>
	(await tenant.must<Data<Fields[]>>('GET', `/profiles/${(await profileOf(number)).id}/tags`)).data;

const counts = (created_count: number, updated_count: number, skipped_count: number) => ({
	created_count,
	updated_count,
	skipped_count,
});

describe('bulk import', () => {
	test('a customer that does not exist is created with its profile', async () => {
		expect(
			await bulkImport('skip', {
				profile: { email: 'ines@mail.example', address: 'Road 1', custom_5: 'five' },
			}),
		).toEqual(counts(1, 0, 0));
		expect(await profileOf(NEW)).toMatchObject({
			name: 'Ines Import',
			phone_number: NEW,
			email: 'ines@mail.example',
			address: 'Road 1',
			custom_5: 'five',
		});
	});

	test('override updates an existing customer and counts it', async () => {
		expect(
			await bulkImport('override', { display_id: MIRA, name: 'Mira Renamed', profile: { custom_1: 'new' } }),
		).toEqual(counts(0, 1, 0));
		expect(await profileOf(MIRA)).toMatchObject({
			name: 'Mira Renamed',
			custom_1: 'new',
			email: 'mira@mail.example',
		});
		expect(await tenant.must('GET', '/customers/101')).toMatchObject({ data: { name: 'Mira Renamed' } });
	});

	test('skip leaves an existing customer as it is and counts it', async () => {
		const before = await profileOf(MIRA);
		expect(
			await bulkImport('skip', { display_id: MIRA, name: 'Changed', profile: { custom_1: 'new' } }),
		).toEqual(counts(0, 0, 1));
		expect(await profileOf(MIRA)).toEqual(before);
	});

	test('created, updated and skipped are counted side by side, also for duplicates within one import', async () => {
		expect(await bulkImport('override', {}, { display_id: MIRA }, { name: 'Again' })).toEqual(
			counts(1, 2, 0),
		);
		expect(await bulkImport('skip', {}, { display_id: '4915100000009' })).toEqual(counts(1, 0, 1));
	});

	test.each(['nobody', 'a@b', 'a b@mail.example', '@mail.example', ''])(
		'invalid e-mail "%s" is skipped in silence',
		async (email) => {
			expect(await bulkImport('skip', { profile: { email, address: 'kept' } })).toEqual(counts(1, 0, 0));
			expect(await profileOf(NEW)).toMatchObject({ email: null, address: 'kept' });
		},
	);

	test.each(['31.02.1990', '1990-13-01', '1990/01/01', '1.2.1990', 'yesterday', '1990-02-29'])(
		'invalid date of birth "%s" is skipped in silence',
		async (date_of_birth) => {
			expect(await bulkImport('skip', { profile: { date_of_birth } })).toEqual(counts(1, 0, 0));
			expect(await profileOf(NEW)).toMatchObject({ date_of_birth: null });
		},
	);

	test('an invalid e-mail does not remove the one an existing profile has', async () => {
		await bulkImport('override', { display_id: MIRA, profile: { email: 'broken', date_of_birth: 'broken' } });
		expect(await profileOf(MIRA)).toMatchObject({ email: 'mira@mail.example', date_of_birth: '1990-04-12' });
	});

	test('both date formats are accepted', async () => {
		await bulkImport(
			'skip',
			{ profile: { date_of_birth: '1988-02-29' } },
			{ display_id: '4915100000009', profile: { date_of_birth: '29.02.1988' } },
		);
		expect(await profileOf(NEW)).toMatchObject({ date_of_birth: '1988-02-29' });
		expect(await profileOf('4915100000009')).toMatchObject({ date_of_birth: '1988-02-29' });
	});

	test('tags are created on the fly, existing titles are used', async () => {
		await bulkImport('skip', { profile: { tags: ' VIP, Fresh ,, Fresh' } });
		expect((await tagsOf(NEW)).map(({ title }) => title)).toEqual(['Fresh', 'VIP']);
		const { data } = await tenant.must<Data<Fields[]>>('GET', '/tags');
		expect(data.filter(({ title }) => title === 'VIP')).toHaveLength(1);
		expect(data.filter(({ title }) => title === 'Fresh')).toHaveLength(1);
	});

	test('marketing_opt_in 1 gives consent, with an activity', async () => {
		await bulkImport('skip', { profile: { marketing_opt_in: 1 } });
		const { id } = await profileOf(NEW);
		expect(await tenant.must('GET', `/profiles/${id}/marketing-opt-in`)).toMatchObject({
			data: { is_opted_in: true },
		});
		expect(await tenant.must('GET', `/profiles/${id}/activities`)).toMatchObject({
			data: [{ type: 'marketing_opt_in' }],
		});
	});

	test('null clears a field of an existing profile', async () => {
		await bulkImport('override', { display_id: MIRA, profile: { email: null, address: null } });
		expect(await profileOf(MIRA)).toMatchObject({ email: null, address: null });
	});

	test('a number that is none refuses the whole import and names its place', async () => {
		const answer = await tenant.ask('POST', '/customers/bulk-import', {
			duplicates: 'skip',
			customers: [
				{ channel: 'chatapp', display_id: NEW, name: 'Fine' },
				{ channel: 'chatapp', display_id: '+49', name: 'Not' },
			],
		});
		expect(answer).toMatchObject({
			status: 422,
			body: { errors: { 'customers.1.display_id': expect.any(Array) } },
		});
		expect(await profileOf(NEW)).toBeUndefined();
	});

	test('a user who is no admin overrides only attached customers', async () => {
		const answer = await tenant.must<Data<object>>(
			'POST',
			'/customers/bulk-import',
			{
				duplicates: 'override',
				customers: [MIRA, '491700000002', NEW].map((display_id) => ({
					channel: 'chatapp',
					display_id,
					name: 'By Sam',
				})),
			},
			tenant.userToken,
		);
		expect(answer.data).toEqual(counts(1, 1, 1));
		expect(await profileOf('491700000002')).toMatchObject({ name: 'Jonas Sample' });
	});
});
