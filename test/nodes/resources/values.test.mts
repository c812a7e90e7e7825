import { byId, TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

const PROFILE = 500001;

async function bodyOf(parameters: Record<string, unknown>): Promise<unknown> {
	const { error } = await tenant.run(parameters as Parameters<TestTenant['run']>[0]);
	expect(error && `${error.message} ${error.description}`).toBeUndefined();
	return JSON.parse(tenant.sent().at(-1)?.body ?? 'null');
}

describe('what goes out', () => {
	const update = { resource: 'profile', operation: 'update', profileId: byId(PROFILE) };

	it('null clears a field, an empty field is not sent', async () => {
		const body = await bodyOf({
			...update,
			updateFields: { email: '={{ null }}', dateOfBirth: '={{ null }}', address: '', custom1: 'x' },
		});
		expect(body).toEqual({ email: null, date_of_birth: null, custom_1: 'x' });
	});

	it.each([
		['={{ "17.05.1990" }}', '1990-05-17'],
		['={{ DateTime.fromISO("1990-05-17T12:00:00") }}', '1990-05-17'],
		['1990-05-17T00:00:00.000Z', '1990-05-17'],
	])('the date %s', async (dateOfBirth, expected) => {
		expect(await bodyOf({ ...update, updateFields: { dateOfBirth } })).toEqual({ date_of_birth: expected });
	});

	it('names the field and the item of a wrong date', async () => {
		const { items } = await tenant.run(
			{ ...update, updateFields: { dateOfBirth: '={{ $json.born }}' } },
			{
				items: [{ json: { born: '1990-01-01' } }, { json: { born: 'soon' } }],
				onError: 'continueRegularOutput',
			},
		);
		expect(items[1]).toMatchObject({
			json: { error: 'Date of Birth "soon" is not a date' },
			pairedItem: { item: 1 },
		});
	});

	it('free fields keep the type that an expression gives, and win over JSON', async () => {
		const body = await bodyOf({
			resource: 'settings',
			operation: 'update',
			category: 'general',
			fields: {
				field: [
					{ name: 'locale', value: 'de' },
					{ name: 'seats', value: '={{ 5 }}' },
					{ name: 'logo', value: '={{ null }}' },
				],
			},
			fieldsJson: '{ "locale": "en", "flags": { "beta": true } }',
		});
		expect(body).toEqual({ locale: 'de', flags: { beta: true }, seats: 5, logo: null });
	});

	it('sets of groups and users', async () => {
		await bodyOf({
			resource: 'profile',
			operation: 'setGroups',
			profileId: byId(PROFILE),
			groupIds: '={{ [] }}',
			ifEmpty: 'removeAll',
		});
		expect(tenant.sent().at(-1)?.body).toBe('{"groups":[]}');
		const { data } = await tenant.ask<{ data: Array<{ id: number }> }>('/groups');
		await bodyOf({
			resource: 'profile',
			operation: 'setGroups',
			profileId: byId(PROFILE),
			groupIds: `={{ "${data.map(({ id }) => id).join(', ')}" }}`,
		});
		expect(tenant.sent().at(-1)?.body).toBe(JSON.stringify({ groups: data.map(({ id }) => ({ id })) }));
	});

	it('refuses what is no ID in a set, before anything is sent', async () => {
		const { error } = await tenant.run({
			resource: 'customer',
			operation: 'setUsers',
			customerId: byId(101),
			userIds: '={{ "3, Sam" }}',
		});
		expect(error?.message).toBe('User Names or IDs contains "Sam", which is not an ID');
		expect(tenant.sent()).toEqual([]);
	});
});

describe('sets that are changed', () => {
	const ids = async (path: string) =>
		(await tenant.ask<{ data: Array<{ id: number }> }>(path)).data.map(({ id }) => id).sort((a, b) => a - b);

	it('addTags keeps what is attached, also when many items work on the same profile', async () => {
		const all = await ids('/tags');
		await tenant.tell(`/profiles/${PROFILE}/tags`, { tags: [] });
		const { items, error } = await tenant.run(
			{ resource: 'profile', operation: 'addTags', profileId: byId(PROFILE), tags: '={{ $json.tag }}' },
			{ items: ['VIP', 'Newsletter', 'Returns', 'Fresh', 'Fresh'].map((tag) => ({ json: { tag } })) },
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => (json.tags as unknown[]).length)).toEqual([1, 2, 3, 4, 4]);
		expect(await ids(`/profiles/${PROFILE}/tags`)).toHaveLength(all.length + 1);
	});

	it('addUsers and removeUsers change the set and leave the rest', async () => {
		const [, second, third] = await ids('/users');
		const run = async (operation: string, userIds: number[]) =>
			await tenant.run({ resource: 'customer', operation, customerId: byId(101), userIds });
		await run('setUsers', [second]);
		expect((await run('addUsers', [third])).items[0].json).toMatchObject({ customer_id: 101 });
		expect(await ids('/customers/101/users')).toEqual([second, third]);
		await run('removeUsers', [second]);
		expect(await ids('/customers/101/users')).toEqual([third]);
	});

	it('addGroups adds', async () => {
		const all = await ids('/groups');
		await tenant.tell(`/profiles/${PROFILE}/groups`, { groups: [{ id: all[0] }] });
		await tenant.run({
			resource: 'profile',
			operation: 'addGroups',
			profileId: byId(PROFILE),
			groupIds: [all[1]],
		});
		expect(await ids(`/profiles/${PROFILE}/groups`)).toEqual(all);
	});
});

describe('what comes out', () => {
	it('a delete gives the ID', async () => {
		const { items } = await tenant.run({
			resource: 'customer',
			operation: 'delete',
			customerId: byId(' 101 '),
		});
		expect(items).toEqual([{ json: { id: 101, deleted: true }, pairedItem: { item: 0 } }]);
	});

	it('an upsert says what it did', async () => {
		const upsert = { resource: 'customer', operation: 'upsert', displayId: '+49 171 1234567', name: 'New' };
		const created = await tenant.run(upsert);
		const updated = await tenant.run({ ...upsert, additionalFields: { email: 'new@mail.example' } });
		expect([created, updated].map(({ items }) => items[0].json)).toEqual([
			{ display_id: '491711234567', created_count: 1, updated_count: 0, skipped_count: 0 },
			{ display_id: '491711234567', created_count: 0, updated_count: 1, skipped_count: 0 },
		]);
	});

	it('a bulk import is one request for all items, linked to them all', async () => {
		const items = Array.from({ length: 12 }, (_, index) => ({
			json: { displayId: `+49 171 12345${String(index).padStart(2, '0')}`, name: `N ${index}`, email: '' },
		}));
		const run = await tenant.run(
			{
				resource: 'customer',
				operation: 'bulkImport',
				columns: { mappingMode: 'autoMapInputData', value: null },
			},
			{ items },
		);
		expect(run.error).toBeUndefined();
		expect(run.items).toEqual([
			{
				json: { created_count: 12, updated_count: 0, skipped_count: 0 },
				pairedItem: items.map((_, item) => ({ item })),
			},
		]);
		expect(tenant.sent()).toHaveLength(1);
	});

	it('a downloaded file carries its bytes, name and MIME type', async () => {
		const content = Buffer.from(`%PDF-1.4\n${'hello '.repeat(20)}`);
		const uuid = await tenant.upload('document', 'application/pdf', 'terms.pdf', content);
		const { items, error } = await tenant.run({
			resource: 'file',
			operation: 'download',
			fileUuid: uuid,
			binaryPropertyName: 'file',
		});
		expect(error).toBeUndefined();
		expect(items[0]).toMatchObject({
			json: { internal_uuid: uuid },
			binary: { file: { mimeType: 'application/pdf', fileName: `${uuid}.pdf` } },
			pairedItem: { item: 0 },
		});
		expect(await tenant.bytesOf(items[0], 'file')).toEqual(content);
	});

	it('a downloaded file gets the name that is given, and the MIME type that belongs to it', async () => {
		const uuid = await tenant.upload('document', 'text/csv', 'rows.csv', Buffer.from('a,b'));
		const { items } = await tenant.run({
			resource: 'file',
			operation: 'download',
			fileUuid: uuid,
			options: { fileName: 'rows.csv' },
		});
		expect(items[0].binary?.data).toMatchObject({ fileName: 'rows.csv', mimeType: 'text/csv' });
	});

	it('a file that is not there says so in the words of the service, although a stream was expected', async () => {
		const { error } = await tenant.run({
			resource: 'file',
			operation: 'download',
			fileUuid: '6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90',
		});
		expect(error).toMatchObject({ httpCode: '404' });
		expect(error?.description).toContain('The record does not exist (HTTP 404)');
	});
});
