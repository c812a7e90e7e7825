import { operations } from './contract.mts';
import { ask, type Data, type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

const endpoints = operations().map(({ method, path }) => ({ method, path: path.replace(/\{\w+\}/g, '1') }));

describe('bearer authentication', () => {
	test('every endpoint refuses a request without a token', async () => {
		for (const { method, path } of endpoints) {
			const answer = await ask(`${tenant.url}/third-party/v1${path}`, { method });
			expect([method, path, answer.status]).toEqual([method, path, 401]);
		}
	});

	test('every endpoint refuses an unknown token', async () => {
		for (const { method, path } of endpoints) {
			const answer = await tenant.ask(method, path, undefined, 'wrong');
			expect([method, path, answer.status]).toEqual([method, path, 401]);
		}
	});

	test('a token counts before the body is looked at, and the answer asks for Bearer', async () => {
		const answer = await tenant.ask('POST', '/customers', { nonsense: true }, 'wrong');
		expect(answer).toMatchObject({ status: 401, body: { message: expect.any(String) } });
		expect(answer.headers['www-authenticate']).toBe('Bearer');
	});

	test('the token of a deleted user stops working', async () => {
		const { data } = await tenant.must<Data<Fields>>('GET', '/me', undefined, tenant.userToken);
		await tenant.must('DELETE', `/users/${data.id}`);
		expect((await tenant.ask('GET', '/me', undefined, tenant.userToken)).status).toBe(401);
	});

	test('/me tells who is behind the token, with roles, permissions and the kind of token', async () => {
		expect(await tenant.must('GET', '/me')).toEqual({
			data: {
				id: expect.any(Number),
				name: 'Ada Admin',
				email: 'ada@tenant.example',
				roles: ['admin'],
				permissions: expect.arrayContaining([expect.any(String)]),
				uses_personal_access_token: true,
			},
		});
		expect(await tenant.must('GET', '/me', undefined, tenant.userToken)).toMatchObject({
			data: { name: 'Sam Service', roles: ['agent'], uses_personal_access_token: false },
		});
	});
});

describe('who sees which customers', () => {
	const list = async (path: string, token: string) =>
		(await tenant.must<Data<Fields[]>>('GET', path, undefined, token)).data;

	test('an admin sees every customer and profile', async () => {
		expect(await list('/customers', tenant.token)).toHaveLength(3);
		expect(await list('/profiles', tenant.token)).toHaveLength(3);
	});

	test('another user sees only attached customers and their profiles', async () => {
		expect(await list('/customers', tenant.userToken)).toMatchObject([{ name: 'Mira Example' }]);
		expect(await list('/profiles', tenant.userToken)).toMatchObject([{ name: 'Mira Example' }]);
	});

	test('another user cannot read, change or delete a customer that is not attached', async () => {
		const [, jonas] = await list('/customers', tenant.token);
		for (const [method, path, body] of [
			['GET', `/customers/${jonas.id}`],
			['DELETE', `/customers/${jonas.id}`],
			['GET', `/customers/${jonas.id}/users`],
			['POST', `/customers/${jonas.id}/users`, { user_ids: [] }],
			['POST', '/customers/bulk-delete', { ids: [jonas.id] }],
			[
				'POST',
				'/chatapp/send-template',
				{ customer_id: jonas.id, template_name: 'opening_hours', template_language: 'en_US' },
			],
		] as const) {
			expect([path, (await tenant.ask(method, path, body, tenant.userToken)).status]).toEqual([path, 403]);
		}
		expect((await tenant.ask('GET', `/customers/${jonas.id}`)).status).toBe(200);
	});

	test('for another user the profile of a customer that is not attached does not exist', async () => {
		const [, jonas] = await list('/profiles', tenant.token);
		for (const path of ['', '/tags', '/groups', '/activities', '/marketing-opt-in']) {
			const answer = await tenant.ask('GET', `/profiles/${jonas.id}${path}`, undefined, tenant.userToken);
			expect([path, answer.status]).toEqual([path, 404]);
		}
	});

	test('another user can write into a conversation only while attached', async () => {
		const [mira] = await list('/customers', tenant.token);
		const conversation = tenant.store.conversations.ofCustomer(mira.id);
		const write = () =>
			tenant.ask(
				'POST',
				`/conversations/${conversation?.id}/messages`,
				{ type: 'text', text: { content: 'Hello' } },
				tenant.userToken,
			);
		expect((await write()).status).toBe(200);
		await tenant.must('POST', `/customers/${mira.id}/users`, { user_ids: [] });
		expect((await write()).status).toBe(403);
	});

	test('attaching a user opens the customer to that user', async () => {
		const [, jonas] = await list('/customers', tenant.token);
		const { data: sam } = await tenant.must<Data<Fields>>('GET', '/me', undefined, tenant.userToken);
		await tenant.must('POST', `/customers/${jonas.id}/users`, { user_ids: [sam.id] });
		expect(await list('/customers', tenant.userToken)).toHaveLength(2);
	});
});
