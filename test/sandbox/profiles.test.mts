import { type Data, type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

let [mira, jonas] = ['', ''];
beforeEach(() => {
	[mira, jonas] = [101, 102].map((id) => `/profiles/${tenant.store.profiles.ofCustomer(id)?.id}`);
});

const namesOf = async (query: string) =>
	(await tenant.must<Data<Fields[]>>('GET', `/profiles${query}`)).data.map(({ name }) => name);
const read = async (path: string) => (await tenant.must<Data<Fields[]>>('GET', path)).data;
const titles = async (path: string) => (await read(path)).map(({ title }) => title);

describe('listing profiles', () => {
	test.each([
		['search=MIRA', ['Mira Example']],
		['search=jonas@mail', ['Jonas Sample']],
		['search=900003', ['Test Tester']],
		['search=%25', []],
		['search=', ['Mira Example', 'Jonas Sample', 'Test Tester']],
		['channel=sms', []],
		['per_page=2', ['Mira Example', 'Jonas Sample']],
		['order_by=name:asc', ['Jonas Sample', 'Mira Example', 'Test Tester']],
		['order_by=date_of_birth:desc,id:desc', ['Mira Example', 'Test Tester', 'Jonas Sample']],
	])('%s gives %j', async (query, names) => {
		expect(await namesOf(`?${query}`)).toEqual(names);
	});
});

test('profiles show their tags, in lists and alone, as titles or not at all', async () => {
	const tags = tenant.store.tags.of('profile', Number(mira.split('/')[2]));
	for (const [choice, expected] of [
		['records', tags],
		['titles', 'Newsletter,VIP'],
		['hidden', undefined],
	] as const) {
		tenant.tenant.choices.profileTags = choice;
		const { data } = await tenant.must<Data<Fields>>('GET', mira);
		expect([data.tags, (await read('/profiles'))[0].tags]).toEqual([expected, expected]);
	}
});

test('PATCH changes the given fields, clears those that are null, and leaves the others', async () => {
	const change = { email: 'new@mail.example', address: null, date_of_birth: '24.12.1999', custom_2: 'two' };
	const { data } = await tenant.must<Data<Fields>>('PATCH', mira, { ...change, name: 'Mira Married' });
	const others = { date_of_birth: '1999-12-24', custom_1: 'Prefers mornings', name: 'Mira Married' };
	expect(data).toMatchObject({ ...change, ...others });
	expect(await tenant.must('GET', mira)).toEqual({ data });
	expect(await tenant.must('GET', '/customers/101')).toMatchObject({ data: { name: 'Mira Married' } });
});

describe('marketing consent', () => {
	const types = async () => (await read(`${jonas}/activities`)).map(({ type }) => type);
	const set = (opt_in: boolean) => tenant.must('POST', `${jonas}/marketing-opt-in`, { opt_in });
	const consent = async () => (await tenant.must<Data<Fields>>('GET', `${jonas}/marketing-opt-in`)).data;

	test('opted out, opt out again: no change and no activity', async () => {
		await set(false);
		expect(await types()).toEqual(['first_contact']);
		const never = { is_opted_in: false, latest_opt_in_at: null, latest_opt_out_at: null };
		expect(await consent()).toMatchObject(never);
	});

	test('opt in, in again, out, and in within the same millisecond: each change is an activity, and the last counts', async () => {
		expect(await set(true)).toMatchObject({ data: { marketing_opt_in: 1 } });
		const first = await consent();
		expect(first).toMatchObject({ is_opted_in: true, latest_opt_in_at: expect.any(String) });
		tenant.clock.advance({ hours: 1 });
		await set(true);
		expect(await consent()).toEqual(first);
		expect(await set(false)).toMatchObject({ data: { marketing_opt_in: 0 } });
		expect(await consent()).toMatchObject({ is_opted_in: false, latest_opt_out_at: expect.any(String) });
		await set(true);
		expect(await consent()).toMatchObject({ is_opted_in: true });
		const [optIn, optOut] = ['marketing_opt_in', 'marketing_opt_out'];
		expect(await types()).toEqual([optIn, optOut, optIn, 'first_contact']);
	});

	test('marketing_opt_in written to the profile is the same consent', async () => {
		await tenant.must('PATCH', jonas, { marketing_opt_in: 1 });
		expect(await consent()).toMatchObject({ is_opted_in: true });
		await tenant.must('PATCH', jonas, { marketing_opt_in: null });
		expect(await consent()).toMatchObject({ is_opted_in: false });
	});

	test('an activity is read under its own profile alone', async () => {
		const [activity] = await read(`${mira}/activities`);
		expect(await tenant.must('GET', `${mira}/activities/${activity.id}`)).toEqual({ data: activity });
		expect((await tenant.ask('GET', `${jonas}/activities/${activity.id}`)).status).toBe(404);
	});
});

describe('tags and groups of a profile', () => {
	test('an id attaches that tag, a title without id or with null id creates one, tags not listed are detached', async () => {
		expect(await titles(`${mira}/tags`)).toEqual(['Newsletter', 'VIP']);
		const tags = [
			{ id: tenant.store.tags.byTitle('Returns')?.id },
			{ id: null, title: 'beta' },
			{ title: 'VIP' },
		];
		await tenant.must('POST', `${mira}/tags`, { tags });
		expect(await titles(`${mira}/tags`)).toEqual(['beta', 'Returns', 'VIP']);
		expect((await titles('/tags')).filter((title) => title === 'VIP')).toHaveLength(2);
		expect(await tenant.must('POST', `${mira}/tags`, { tags: [] })).toEqual({ data: [] });
	});

	test('one tag is detached, and a tag that is not attached is not found', async () => {
		const [first, second] = await read(`${mira}/tags`);
		expect(await tenant.must('DELETE', `${mira}/tags/${first.id}`)).toEqual({ data: [second] });
		expect((await tenant.ask('DELETE', `${mira}/tags/${first.id}`)).status).toBe(404);
	});

	test('the set of groups is synced, and a profile leaves one group', async () => {
		const [regulars, wholesale] = await read('/groups');
		expect(await read(`${mira}/groups`)).toEqual([regulars]);
		const groups = [{ id: wholesale.id }, { id: regulars.id }];
		expect(await tenant.must('POST', `${mira}/groups`, { groups })).toEqual({ data: [regulars, wholesale] });
		expect(await tenant.must('DELETE', `${mira}/groups/${regulars.id}`)).toEqual({ data: [wholesale] });
		expect((await tenant.ask('DELETE', `${mira}/groups/${regulars.id}`)).status).toBe(404);
	});
});
