import { type Data, type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

const MIRA = 102;
const JONAS = 103;
const list = async (query: string) => (await tenant.must<Data<Fields[]>>('GET', `/profiles${query}`)).data;
const names = async (query: string) => (await list(query)).map(({ name }) => name);

describe('listing profiles', () => {
	test('search finds parts of name, e-mail and phone number, in any case', async () => {
		expect(await names('?search=MIRA')).toEqual(['Mira Example']);
		expect(await names('?search=jonas@mail')).toEqual(['Jonas Sample']);
		expect(await names('?search=900003')).toEqual(['Test Tester']);
		expect(await names('?search=%25')).toEqual([]);
		expect(await names('?search=')).toHaveLength(3);
	});

	test('order_by sorts by several fields in both directions', async () => {
		expect(await names('?order_by=name:asc')).toEqual(['Jonas Sample', 'Mira Example', 'Test Tester']);
		expect(await names('?order_by=name:desc')).toEqual(['Test Tester', 'Mira Example', 'Jonas Sample']);
		expect(await names('?order_by=date_of_birth:desc,id:desc')).toEqual([
			'Mira Example',
			'Test Tester',
			'Jonas Sample',
		]);
	});

	test.each(['name', 'name:up', 'name:asc,', 'password:asc', 'id:asc;drop'])(
		'order_by "%s" is refused',
		async (order) => {
			expect((await tenant.ask('GET', `/profiles?order_by=${encodeURIComponent(order)}`)).status).toBe(422);
		},
	);

	test('per_page chooses the size of a page', async () => {
		expect(await list('?per_page=2')).toHaveLength(2);
		expect((await tenant.ask('GET', '/profiles?per_page=0')).status).toBe(422);
		expect((await tenant.ask('GET', '/profiles?per_page=many')).status).toBe(422);
	});

	test('channel keeps only profiles of that channel', async () => {
		expect(await list('?channel=chatapp')).toHaveLength(3);
		expect(await list('?channel=sms')).toEqual([]);
	});
});

describe('changing profiles', () => {
	test('PATCH changes the given fields, clears those that are null, and leaves the others', async () => {
		const { data } = await tenant.must<Data<Fields>>('PATCH', `/profiles/${MIRA}`, {
			email: 'new@mail.example',
			address: null,
			date_of_birth: '24.12.1999',
			custom_2: 'two',
		});
		expect(data).toMatchObject({
			email: 'new@mail.example',
			address: null,
			date_of_birth: '1999-12-24',
			custom_1: 'Prefers mornings',
			custom_2: 'two',
		});
		expect(await tenant.must('GET', `/profiles/${MIRA}`)).toEqual({ data });
	});

	test('the name is the name of customer and profile', async () => {
		await tenant.must('PATCH', `/profiles/${MIRA}`, { name: 'Mira Married' });
		expect(await tenant.must('GET', '/customers/101')).toMatchObject({ data: { name: 'Mira Married' } });
	});

	test.each([{ email: 'broken' }, { date_of_birth: '31.02.1990' }, { name: '' }, { custom_1: 5 }])(
		'PATCH refuses %p',
		async (fields) => {
			const answer = await tenant.ask('PATCH', `/profiles/${MIRA}`, fields);
			expect(answer).toMatchObject({
				status: 422,
				body: { errors: { [Object.keys(fields)[0]]: expect.any(Array) } },
			});
		},
	);
});

describe('marketing consent', () => {
	const types = async (id: number) =>
		(await tenant.must<Data<Fields[]>>('GET', `/profiles/${id}/activities`)).data.map(({ type }) => type);
	const set = (opt_in: boolean) =>
		tenant.must<Data<Fields>>('POST', `/profiles/${JONAS}/marketing-opt-in`, { opt_in });
	const get = async () =>
		(await tenant.must<Data<Fields>>('GET', `/profiles/${JONAS}/marketing-opt-in`)).data;

	test('opted out, opt in: opted in, with an activity', async () => {
		expect(await set(true)).toMatchObject({ data: { id: JONAS, marketing_opt_in: 1 } });
		expect(await types(JONAS)).toEqual(['marketing_opt_in', 'first_contact']);
		expect(await get()).toMatchObject({
			id: JONAS,
			is_opted_in: true,
			latest_opt_in_at: expect.any(String),
			latest_opt_out_at: null,
		});
	});

	test('opted in, opt in again: no change and no activity', async () => {
		await set(true);
		const before = await get();
		await tenant.control('POST', '/clock', { advance: { hours: 1 } });
		await set(true);
		expect(await get()).toEqual(before);
		expect(await types(JONAS)).toEqual(['marketing_opt_in', 'first_contact']);
	});

	test('opted in, opt out: opted out, with an activity', async () => {
		await set(true);
		expect(await set(false)).toMatchObject({ data: { marketing_opt_in: 0 } });
		expect(await types(JONAS)).toEqual(['marketing_opt_out', 'marketing_opt_in', 'first_contact']);
		expect(await get()).toMatchObject({
			is_opted_in: false,
			latest_opt_in_at: expect.any(String),
			latest_opt_out_at: expect.any(String),
		});
	});

	test('opted out, opt out again: no change and no activity', async () => {
		await set(false);
		expect(await types(JONAS)).toEqual(['first_contact']);
		expect(await get()).toMatchObject({
			is_opted_in: false,
			latest_opt_in_at: null,
			latest_opt_out_at: null,
		});
	});

	test('opting in again after an opt-out counts, even within the same millisecond', async () => {
		await set(true);
		await set(false);
		await set(true);
		expect(await get()).toMatchObject({ is_opted_in: true });
	});

	test('marketing_opt_in written to the profile is the same consent', async () => {
		await tenant.must('PATCH', `/profiles/${JONAS}`, { marketing_opt_in: 1 });
		expect(await get()).toMatchObject({ is_opted_in: true });
		await tenant.must('PATCH', `/profiles/${JONAS}`, { marketing_opt_in: null });
		expect(await get()).toMatchObject({ is_opted_in: false });
		expect(await types(JONAS)).toEqual(['marketing_opt_out', 'marketing_opt_in', 'first_contact']);
	});

	test('opt_in must be a boolean', async () => {
		expect((await tenant.ask('POST', `/profiles/${JONAS}/marketing-opt-in`, { opt_in: 'true' })).status).toBe(
			422,
		);
	});
});

describe('activities', () => {
	test('activities are listed and read one by one', async () => {
		const { data } = await tenant.must<Data<Fields[]>>('GET', `/profiles/${MIRA}/activities`);
		expect(data.map(({ type }) => type)).toEqual(['marketing_opt_in', 'first_contact']);
		expect(await tenant.must('GET', `/profiles/${MIRA}/activities/${data[0].id}`)).toEqual({ data: data[0] });
	});

	test('an activity is found only under its own profile', async () => {
		const { data } = await tenant.must<Data<Fields[]>>('GET', `/profiles/${MIRA}/activities`);
		expect((await tenant.ask('GET', `/profiles/${JONAS}/activities/${data[0].id}`)).status).toBe(404);
	});
});

describe('tags of a profile', () => {
	const titles = async () =>
		(await tenant.must<Data<Fields[]>>('GET', `/profiles/${MIRA}/tags`)).data.map(({ title }) => title);
	const sync = (tags: object[]) => tenant.ask('POST', `/profiles/${MIRA}/tags`, { tags });

	test('an id attaches that tag, a title without id or with null id creates one, tags not listed are detached', async () => {
		expect(await titles()).toEqual(['Newsletter', 'VIP']);
		const { data: all } = await tenant.must<Data<Fields[]>>('GET', '/tags');
		const returns = all.find(({ title }) => title === 'Returns');
		const { status, body } = await sync([
			{ id: returns?.id },
			{ id: null, title: 'beta' },
			{ title: 'Alpha' },
		]);
		expect(status).toBe(200);
		expect(body).toMatchObject({
			data: [{ title: 'Alpha' }, { title: 'beta' }, { id: returns?.id, title: 'Returns' }],
		});
		expect(await titles()).toEqual(['Alpha', 'beta', 'Returns']);
	});

	test('a title without id always creates a tag, also one that exists', async () => {
		await sync([{ id: null, title: 'VIP' }]);
		const { data } = await tenant.must<Data<Fields[]>>('GET', '/tags');
		expect(data.filter(({ title }) => title === 'VIP')).toHaveLength(2);
	});

	test('an empty list detaches all', async () => {
		expect(await sync([])).toMatchObject({ status: 200, body: { data: [] } });
		expect(await titles()).toEqual([]);
	});

	test('an unknown id or an element without id and title is refused and the set stays', async () => {
		expect(await sync([{ id: 999 }])).toMatchObject({
			status: 422,
			body: { errors: { 'tags.0.id': expect.any(Array) } },
		});
		expect((await sync([{ title: 'Fine' }, {}])).status).toBe(422);
		expect(await titles()).toEqual(['Newsletter', 'VIP']);
	});

	test('one tag is detached, and a tag that is not attached is not found', async () => {
		const { data } = await tenant.must<Data<Fields[]>>('GET', `/profiles/${MIRA}/tags`);
		expect(await tenant.must('DELETE', `/profiles/${MIRA}/tags/${data[0].id}`)).toEqual({ data: [data[1]] });
		expect((await tenant.ask('DELETE', `/profiles/${MIRA}/tags/${data[0].id}`)).status).toBe(404);
	});
});

describe('groups of a profile', () => {
	const sync = (groups: object[]) => tenant.ask('POST', `/profiles/${MIRA}/groups`, { groups });

	test('the set of groups is synced', async () => {
		const { data: all } = await tenant.must<Data<Fields[]>>('GET', '/groups');
		expect(await tenant.must('GET', `/profiles/${MIRA}/groups`)).toEqual({ data: [all[0]] });
		expect(await sync([{ id: all[1].id }])).toMatchObject({ status: 200, body: { data: [all[1]] } });
		expect(await sync([{ id: all[1].id }, { id: all[0].id }])).toMatchObject({ body: { data: all } });
		expect(await sync([])).toMatchObject({ body: { data: [] } });
	});

	test('an unknown group is refused and the set stays', async () => {
		expect((await sync([{ id: 999 }])).status).toBe(422);
		expect(await tenant.must('GET', `/profiles/${MIRA}/groups`)).toMatchObject({
			data: [{ name: 'Regulars' }],
		});
	});

	test('a profile leaves one group, and one it is not in is not found', async () => {
		const { data } = await tenant.must<Data<Fields[]>>('GET', `/profiles/${MIRA}/groups`);
		expect(await tenant.must('DELETE', `/profiles/${MIRA}/groups/${data[0].id}`)).toEqual({ data: [] });
		expect((await tenant.ask('DELETE', `/profiles/${MIRA}/groups/${data[0].id}`)).status).toBe(404);
	});
});
