import { PIN_FAILURES_ALLOWED, PIN_LOCKOUT_SECONDS } from '../../sandbox/choices.mts';
import { type Data, type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

const newUser = (fields: object = {}) =>
	tenant.must<Fields>('POST', '/users', { name: 'Noa New', email: 'noa@tenant.example', ...fields });

describe('users', () => {
	test('a created user is answered bare, a read or changed one in data; is_admin is settable on create only', async () => {
		const user = await newUser({ external_id: 'x-1', is_admin: true });
		const named = { name: 'Noa New', external_id: 'x-1', external_group: null };
		expect(user).toMatchObject({ ...named, is_admin: true });
		expect(await tenant.must('GET', `/users/${user.id}`)).toEqual({ data: user });
		const change = { name: 'Noa Newer', email: 'noa@tenant.example', is_admin: false };
		expect(await tenant.must('PATCH', `/users/${user.id}`, change)).toMatchObject({
			data: { ...user, name: 'Noa Newer', updated_at: expect.any(String) },
		});
	});

	test('the last admin cannot be deleted, another one can', async () => {
		const { id } = await newUser({ is_admin: true });
		expect(await tenant.must('DELETE', '/users/1')).toEqual({ data: [] });
		const { data } = await tenant.must<Data<Fields[]>>('GET', '/users', undefined, tenant.userToken);
		expect(data.at(-1)?.id).toBe(id);
		expect((await tenant.ask('DELETE', `/users/${id}`, undefined, tenant.userToken)).status).toBe(409);
	});

	test('a deleted user is gone, detached, and assigned to nothing', async () => {
		tenant.store.conversations.assign(2001, { user_id: 2 });
		await tenant.must('DELETE', '/users/2');
		expect((await tenant.ask('GET', '/users/2')).status).toBe(404);
		expect(await tenant.must('GET', '/customers/101/users')).toEqual({ data: [] });
		expect(tenant.store.conversations.find(2001)?.user_id).toBeNull();
	});
});

describe('PIN', () => {
	const verify = (id: number, pin: number | string) => tenant.ask('POST', `/user/${id}/verify-pin`, { pin });
	const validity = async (id: number, pin: number | string) =>
		((await verify(id, pin)).body as Data<{ valid: boolean }>).data.valid;

	test('it is write-only: no answer ever holds it', async () => {
		const user = await newUser({ pin: 987654 });
		const changed = await tenant.must('PATCH', `/users/${user.id}`, { pin: 987653 });
		expect(JSON.stringify([user, changed, await tenant.must('GET', '/users')])).not.toMatch(/98765|"pin"/);
	});

	test('verify-pin tells whether it is right; one that begins with 0 is written as text', async () => {
		const { id } = await newUser({ pin: 123456 });
		expect([await validity(id, 123456), await validity(id, 123457)]).toEqual([true, false]);
		await tenant.must('PATCH', `/users/${id}`, { pin: '012345' });
		expect([await validity(id, '012345'), await validity(id, 12345)]).toEqual([true, false]);
		await tenant.must('PATCH', `/users/${id}`, { pin: null });
		expect(await validity(id, 123456)).toBe(false);
	});

	test('failed attempts are limited: 429 with Retry-After, even for the right one, until the time is over', async () => {
		const { id } = await newUser({ pin: 123456 });
		for (let round = 0; round < 2; round++) {
			for (let attempt = 1; attempt < PIN_FAILURES_ALLOWED; attempt++) await verify(id, 111111);
			// A right one resets the count.
			if (round === 0) expect(await validity(id, 123456)).toBe(true);
		}
		expect((await verify(id, 111111)).status).toBe(200);
		const locked = await verify(id, 123456);
		expect([locked.status, Number(locked.headers['retry-after'])]).toEqual([429, PIN_LOCKOUT_SECONDS]);
		tenant.clock.advance({ seconds: PIN_LOCKOUT_SECONDS });
		expect(await validity(id, 123456)).toBe(true);
	});
});
