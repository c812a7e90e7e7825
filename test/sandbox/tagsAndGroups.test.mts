import { type Data, type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

describe('tags', () => {
	test('tags are sorted by title, upper and lower case alike', async () => {
		for (const title of ['zebra', 'Apple', 'apple pie', 'Ünder'])
			await tenant.must('POST', '/tags', { title });
		const { data } = await tenant.must<Data<Fields[]>>('GET', '/tags');
		expect(data.map(({ title }) => title)).toEqual([
			'Apple',
			'apple pie',
			'Newsletter',
			'Returns',
			'VIP',
			'zebra',
			'Ünder',
		]);
	});

	test('a tag is created and changed bare, read in data, and deleted with an empty array', async () => {
		const tag = await tenant.must<Fields>('POST', '/tags', { title: 'Fresh' });
		expect(tag).toMatchObject({ id: expect.any(Number), title: 'Fresh' });
		expect(await tenant.must('PATCH', `/tags/${tag.id}`, { title: 'Stale' })).toMatchObject({
			id: tag.id,
			title: 'Stale',
		});
		expect(await tenant.must('GET', `/tags/${tag.id}`)).toMatchObject({ data: { title: 'Stale' } });
		expect(await tenant.must('DELETE', `/tags/${tag.id}`)).toEqual({ data: [] });
		expect((await tenant.ask('GET', `/tags/${tag.id}`)).status).toBe(404);
	});

	test('a deleted tag is detached everywhere', async () => {
		const { data } = await tenant.must<Data<Fields[]>>('GET', '/profiles/102/tags');
		await tenant.must('DELETE', `/tags/${data[0].id}`);
		expect(await tenant.must('GET', '/profiles/102/tags')).toEqual({ data: [data[1]] });
	});
});

describe('groups', () => {
	test('a group is created and changed bare, keeps every member it is given, and is deleted with an empty array', async () => {
		const group = await tenant.must<Fields>('POST', '/groups', { name: 'Testers', colour: 'green', id: 5 });
		expect(group).toMatchObject({ id: expect.any(Number), name: 'Testers', colour: 'green' });
		expect(group.id).not.toBe(5);
		expect(await tenant.must('PATCH', `/groups/${group.id}`, { colour: null })).toMatchObject({
			name: 'Testers',
			colour: null,
		});
		expect(await tenant.must('GET', `/groups/${group.id}`)).toMatchObject({ data: { name: 'Testers' } });
		expect(await tenant.must('DELETE', `/groups/${group.id}`)).toEqual({ data: [] });
		expect((await tenant.ask('GET', `/groups/${group.id}`)).status).toBe(404);
	});

	test('the profiles of a group are listed, for other users only the attached ones', async () => {
		const { data: groups } = await tenant.must<Data<Fields[]>>('GET', '/groups');
		const [regulars, wholesale] = groups;
		await tenant.must('POST', '/profiles/103/groups', { groups: [{ id: regulars.id }] });
		expect(await tenant.must('GET', `/groups/${regulars.id}/profiles`)).toMatchObject({
			data: [{ id: 102 }, { id: 103 }],
		});
		expect(await tenant.must('GET', `/groups/${wholesale.id}/profiles`)).toEqual({ data: [] });
		expect(
			await tenant.must('GET', `/groups/${regulars.id}/profiles`, undefined, tenant.userToken),
		).toMatchObject({
			data: [{ id: 102 }],
		});
	});
});
