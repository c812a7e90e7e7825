import { ask, startTenant, useTenant } from './tenant.mts';

const tenant = useTenant();

const refused = async (method: string, path: string) => {
	const { status, body } = await ask(tenant.url + path, {
		method,
		headers: { authorization: `Bearer ${tenant.token}` },
	});
	return [status, (body as { message: string }).message];
};
describe('a request that no endpoint answers', () => {
	test.each([
		['POST', '/customer', 'POST /customers'],
		['POST', '/customers/', 'POST /customers'],
		['GET', '/profiles/7/tag', 'GET /profiles/{profileId}/tags'],
		['POST', '/users/7/verify-pin', 'POST /user/{id}/verify-pin'],
		['POST', '/chatapp/send_template', 'POST /chatapp/send-template'],
		['PUT', '/tags/41', 'GET /tags/{id} or PATCH /tags/{id} or DELETE /tags/{id}'],
		['GET', '/support/channel?x=1', 'GET /support/channels'],
		['GET', '/customers/', 'GET /customers'],
	])('%s %s is answered with what was meant: %s', async (method, path, meant) => {
		const shown = path.split('?')[0];
		expect(await refused(method, `/third-party/v1${path}`)).toEqual([
			404,
			`No such endpoint: ${method} ${shown}. Did you mean ${meant}?`,
		]);
	});

	test.each([
		['/customers', 'GET /third-party/v1/customers'],
		['/api/v1/customers', 'GET /third-party/v1/customers'],
		['/third-party/customers/101', 'GET /third-party/v1/customers/{id}'],
		['/sandbox/fault', 'GET /sandbox/faults'],
		['/sandbox/snapshot', 'GET /sandbox/snapshots'],
	])('%s outside of the interface is answered with the whole path', async (path, meant) => {
		expect(await refused('GET', path)).toEqual([
			404,
			`No such endpoint: GET ${path}. Did you mean ${meant}?`,
		]);
	});

	test('is told so, whatever is wrong with its body', async () => {
		const answer = await ask(`${tenant.url}/third-party/v1/customer`, {
			method: 'POST',
			headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
			body: '{"name":',
		});
		expect(answer).toMatchObject({
			status: 404,
			body: { message: 'No such endpoint: POST /customer. Did you mean POST /customers?' },
		});
	});

	test('is refused in the form of the variant', async () => {
		const other = await startTenant({ choices: { errors: 'problem' } });
		expect(await other.ask('GET', '/customer')).toMatchObject({
			status: 404,
			headers: { 'content-type': 'application/problem+json' },
			body: { status: 404, detail: 'No such endpoint: GET /customer. Did you mean GET /customers?' },
		});
		await other.close();
	});

	test('nothing is guessed where nothing is close', async () => {
		expect(await refused('GET', '/third-party/v1/nowhere')).toEqual([404, 'No such endpoint: GET /nowhere.']);
		const long = `/${'x'.repeat(10_000)}`;
		expect(await refused('GET', long)).toEqual([404, `No such endpoint: GET ${long.slice(0, 200)}.`]);
	});

	test('a record that is not there is still not found, and a missing token still refused', async () => {
		expect(await refused('GET', '/third-party/v1/tags/9999')).toEqual([404, 'Tag not found.']);
		expect((await ask(`${tenant.url}/third-party/v1/tags`)).status).toBe(401);
	});
});
