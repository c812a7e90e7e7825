import { PIN_FAILURES_ALLOWED, PIN_LOCKOUT_SECONDS } from '../../sandbox/choices.mts';
import { type Data, type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

const newUser = (fields: object = {}) =>
	tenant.must<Fields>('POST', '/users', { name: 'Noa New', email: 'noa@tenant.example', ...fields });

describe('users', () => {
	test('a created user is answered bare, a read or changed one in data', async () => {
		const user = await newUser({ external_id: 'x-1', external_group: null });
		expect(user).toMatchObject({
			name: 'Noa New',
			is_admin: false,
			external_id: 'x-1',
			external_group: null,
		});
		expect(await tenant.must('GET', `/users/${user.id}`)).toEqual({ data: user });
		expect(await tenant.must('PATCH', `/users/${user.id}`, { name: 'Noa Newer' })).toMatchObject({
			data: { id: user.id, name: 'Noa Newer', email: 'noa@tenant.example', external_id: 'x-1' },
		});
	});

	test('an e-mail is unique on create, whatever its case', async () => {
		await newUser();
		expect(await tenant.ask('POST', '/users', { name: 'Other', email: 'NOA@tenant.example' })).toMatchObject({
			status: 422,
			body: { errors: { email: ['The email has already been taken.'] } },
		});
	});

	test('an e-mail is unique on update, but a user may keep its own', async () => {
		const user = await newUser();
		const answer = await tenant.ask('PATCH', `/users/${user.id}`, { email: 'sam@tenant.example' });
		expect(answer).toMatchObject({ status: 422, body: { errors: { email: [expect.any(String)] } } });
		await tenant.must('PATCH', `/users/${user.id}`, { email: 'noa@tenant.example' });
	});

	test('is_admin is settable on create only', async () => {
		const admin = await newUser({ is_admin: true });
		expect(admin.is_admin).toBe(true);
		expect(await tenant.must('PATCH', `/users/${admin.id}`, { is_admin: false })).toMatchObject({
			data: { is_admin: true },
		});
	});

	test('the last admin cannot be deleted, another one can', async () => {
		const { data: me } = await tenant.must<Data<Fields>>('GET', '/me');
		expect((await tenant.ask('DELETE', `/users/${me.id}`)).status).toBe(409);
		const second = await newUser({ is_admin: true });
		expect(await tenant.must('DELETE', `/users/${second.id}`)).toEqual({ data: [] });
		expect((await tenant.ask('DELETE', `/users/${me.id}`)).status).toBe(409);
	});

	test('a deleted user is gone and detached', async () => {
		const user = await newUser();
		await tenant.must('POST', '/customers/101/users', { user_ids: [user.id] });
		await tenant.must('DELETE', `/users/${user.id}`);
		expect((await tenant.ask('GET', `/users/${user.id}`)).status).toBe(404);
		expect(await tenant.must('GET', '/customers/101/users')).toEqual({ data: [] });
	});
});

describe('PIN', () => {
	test.each([12345, 1234567, -123456, 0, 123456.5, '123456'])(
		'a PIN of %p is refused: exactly six digits',
		async (pin) => {
			expect(await tenant.ask('POST', '/users', { name: 'N', email: 'n@tenant.example', pin })).toMatchObject(
				{
					status: 422,
					body: { errors: { pin: expect.any(Array) } },
				},
			);
		},
	);

	test('a PIN is write-only: no answer ever holds it', async () => {
		const user = await newUser({ pin: 987654 });
		const answers = [
			user,
			await tenant.must('GET', `/users/${user.id}`),
			await tenant.must('PATCH', `/users/${user.id}`, { pin: 987653 }),
			await tenant.must('GET', '/users'),
		];
		expect(JSON.stringify(answers)).not.toMatch(/98765|"pin"/);
	});

	const verify = (id: number, pin: number | string) => tenant.ask('POST', `/user/${id}/verify-pin`, { pin });

	test('verify-pin tells whether a PIN is right', async () => {
		const user = await newUser({ pin: 123456 });
		expect(await verify(user.id, 123456)).toMatchObject({ status: 200, body: { data: { valid: true } } });
		expect(await verify(user.id, 123457)).toMatchObject({ status: 200, body: { data: { valid: false } } });
	});

	test('a PIN that begins with 0 is written as text', async () => {
		const user = await newUser({ pin: '012345' });
		expect((await verify(user.id, '012345')).body).toEqual({ data: { valid: true } });
		expect((await verify(user.id, 12345)).body).toEqual({ data: { valid: false } });
	});

	test('a user without a PIN, or with a cleared one, has no right PIN', async () => {
		const user = await newUser({ pin: 123456 });
		await tenant.must('PATCH', `/users/${user.id}`, { pin: null });
		expect(await verify(user.id, 123456)).toMatchObject({ status: 200, body: { data: { valid: false } } });
	});

	test('failed verify-pin attempts are limited: 429 with Retry-After, even for the right PIN, until the time is over', async () => {
		const user = await newUser({ pin: 123456 });
		for (let attempt = 0; attempt < PIN_FAILURES_ALLOWED; attempt++) {
			expect((await verify(user.id, 111111)).status).toBe(200);
		}
		const locked = await verify(user.id, 123456);
		expect(locked.status).toBe(429);
		expect(Number(locked.headers['retry-after'])).toBeGreaterThan(PIN_LOCKOUT_SECONDS - 5);
		expect(Number(locked.headers['retry-after'])).toBeLessThanOrEqual(PIN_LOCKOUT_SECONDS);
		await tenant.control('POST', '/clock', { advance: { seconds: PIN_LOCKOUT_SECONDS } });
		expect(await verify(user.id, 123456)).toMatchObject({ status: 200, body: { data: { valid: true } } });
	});

	test('a right PIN resets the count of failed attempts', async () => {
		const user = await newUser({ pin: 123456 });
		for (let round = 0; round < 3; round++) {
			for (let attempt = 0; attempt < PIN_FAILURES_ALLOWED - 1; attempt++) await verify(user.id, 111111);
			expect((await verify(user.id, 123456)).status).toBe(200);
		}
	});
});
