import { type Data, type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

const profile = () => `/profiles/${tenant.store.profiles.ofCustomer(101)?.id}`;
const read = async (path: string) => (await tenant.must<Data<Fields[]>>('GET', path)).data;

test('tags are sorted by title, upper and lower case alike', async () => {
	for (const title of ['zebra', 'Apple', 'apple pie', 'Ünder']) await tenant.must('POST', '/tags', { title });
	const titles = ['Apple', 'apple pie', 'Newsletter', 'Returns', 'VIP', 'zebra', 'Ünder'];
	expect((await read('/tags')).map(({ title }) => title)).toEqual(titles);
});

test('a deleted tag is detached, and a deleted group left', async () => {
	const [first, second] = await read(`${profile()}/tags`);
	await tenant.must('DELETE', `/tags/${first.id}`);
	expect(await read(`${profile()}/tags`)).toEqual([second]);
	await tenant.must('DELETE', '/groups/61');
	expect(await read(`${profile()}/groups`)).toEqual([]);
});

test('the profiles of a group are listed, for other users only the attached ones', async () => {
	const [mira, jonas] = await read('/profiles');
	await tenant.must('POST', `/profiles/${jonas.id}/groups`, { groups: [{ id: 61 }] });
	expect(await read('/groups/61/profiles')).toMatchObject([{ id: mira.id }, { id: jonas.id }]);
	expect(await read('/groups/62/profiles')).toEqual([]);
	const own = await tenant.must('GET', '/groups/61/profiles', undefined, tenant.userToken);
	expect(own).toMatchObject({ data: [{ id: mira.id }] });
});

test.each(['general', 'third-party', 'crm'])(
	'%s settings are changed member by member, answered in data, and apart from the others',
	async (category) => {
		const [before, others] = [await read(`/settings/${category}`), await read('/settings/general')];
		const change = { own: 'value', other: { deep: [null] } };
		const { data } = await tenant.must<Data<object>>('PATCH', `/settings/${category}`, change);
		expect(data).toEqual({ ...before, ...change });
		expect(await read('/settings/general')).toEqual(category === 'general' ? data : others);
	},
);

test('notifications are marked as read, one or all, by their own user only', async () => {
	const [first, second] = (await read('/me/notifications')) as unknown as Array<{ uuid: string }>;
	const path = (uuid: string) => `/me/notifications/${uuid}/read`;
	expect((await tenant.ask('POST', path(first.uuid), undefined, tenant.userToken)).status).toBe(404);
	const marked = { ...first, read_at: expect.any(String) };
	expect(await tenant.must('POST', path(first.uuid))).toEqual({ data: marked });
	expect(await read('/me/notifications')).toEqual([marked, second]);
	const { data } = await tenant.must<Data<object[]>>('POST', '/me/notifications/read');
	expect(data).toEqual([marked, { ...second, read_at: expect.any(String) }]);
});

test('agents are listed by channel; default bot and proxy e-mail are set, and cleared by null', async () => {
	expect(await read('/agents?channel=chatapp')).toMatchObject([{ id: 11, name: 'Shop' }, { id: 12 }]);
	expect(await read('/agents?channel=sms')).toEqual([]);
	const change = { bot_id: 7, proxy_email: 'p@tenant.example' };
	expect(await tenant.must('PATCH', '/agents/11', change)).toMatchObject({
		data: { ...change, name: 'Shop' },
	});
	const cleared = await tenant.must('PATCH', '/agents/11', { bot_id: null });
	expect(cleared).toMatchObject({ data: { ...change, bot_id: null } });
});
