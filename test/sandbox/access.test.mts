import { operations } from './contract.mts';
import { ask, type Data, type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

describe('bearer authentication', () => {
	test('every endpoint refuses a request without a token, and an unknown one, before it looks at the body', async () => {
		for (const { method, path } of operations()) {
			const at = path.replace(/\{\w+\}/g, '1');
			expect([at, (await ask(`${tenant.baseUrl}${at}`, { method })).status]).toEqual([at, 401]);
			const body = method === 'GET' ? undefined : { nonsense: true };
			const answer = await tenant.ask(method, at, body, 'wrong');
			expect([at, answer.status, answer.headers['www-authenticate']]).toEqual([at, 401, 'Bearer']);
		}
	});

	test('/me tells who is behind the token; the token of a deleted user stops working', async () => {
		expect(await tenant.must('GET', '/me')).toMatchObject({
			data: { name: 'Ada Admin', roles: ['admin'], uses_personal_access_token: true },
		});
		const { data } = await tenant.must<Data<Fields>>('GET', '/me', undefined, tenant.userToken);
		expect(data).toMatchObject({ name: 'Sam Service', roles: ['agent'], uses_personal_access_token: false });
		await tenant.must('DELETE', `/users/${data.id}`);
		expect((await tenant.ask('GET', '/me', undefined, tenant.userToken)).status).toBe(401);
	});
});

describe('a user who is no admin', () => {
	const asUser = (method: string, path: string, body?: unknown) =>
		tenant.ask(method, path, body, tenant.userToken);
	const jonas = () => tenant.store.profiles.ofCustomer(102)?.id;

	test('sees only attached customers and their profiles', async () => {
		for (const list of ['/customers', '/profiles']) {
			expect((await asUser('GET', list)).body).toMatchObject({ data: [{ name: 'Mira Example' }] });
			expect(await tenant.must('GET', list)).toMatchObject({ data: { length: 3 } });
		}
		await tenant.must('POST', '/customers/102/users', { user_ids: [2] });
		expect((await asUser('GET', '/customers')).body).toMatchObject({ data: { length: 2 } });
	});

	test('cannot read, change, delete or message another customer, whose profile does not exist', async () => {
		const plain = { template_name: 'opening_hours', template_language: 'en_US' };
		for (const [method, path, body] of [
			['GET', '/customers/102'],
			['DELETE', '/customers/102'],
			['GET', '/customers/102/users'],
			['POST', '/customers/102/users', { user_ids: [] }],
			['POST', '/customers/bulk-delete', { ids: [102] }],
			['POST', '/chatapp/send-template', { customer_id: 102, ...plain }],
		] as const) {
			expect([path, (await asUser(method, path, body)).status]).toEqual([path, 403]);
		}
		for (const path of ['', '/tags', '/groups', '/activities', '/marketing-opt-in']) {
			expect([path, (await asUser('GET', `/profiles/${jonas()}${path}`)).status]).toEqual([path, 404]);
		}
		expect(tenant.store.customers.find(102)).toBeDefined();
	});

	test('can write into a conversation only while attached, and is attached to whom a template creates', async () => {
		const write = async () => {
			const message = { type: 'text', text: { content: 'Hello' } };
			return (await asUser('POST', '/conversations/2001/messages', message)).status;
		};
		expect(await write()).toBe(200);
		await tenant.must('POST', '/customers/101/users', { user_ids: [] });
		expect(await write()).toBe(403);
		const plain = { template_name: 'opening_hours', template_language: 'en_US' };
		await asUser('POST', '/chatapp/send-template', { phone_number: 4_915_112_345_678, ...plain });
		expect((await asUser('GET', '/customers')).body).toMatchObject({ data: [{ id: 104 }] });
	});
});
