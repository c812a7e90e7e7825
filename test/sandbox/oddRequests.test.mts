import { connect } from 'node:net';
import { once } from 'node:events';
import { ask, useTenant } from './tenant.mts';

const tenant = useTenant();

const post = (path: string, contentType: string | undefined, body: string | undefined) =>
	ask(`${tenant.url}/third-party/v1${path}`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${tenant.token}`,
			...(contentType !== undefined && { 'content-type': contentType }),
		},
		body,
	});

/** Sends bytes as they are and reads the whole answer. */
async function raw(text: string): Promise<string> {
	const socket = connect(Number(new URL(tenant.url).port), '127.0.0.1').setEncoding('utf8');
	let answer = '';
	socket.on('data', (part: string) => (answer += part));
	socket.end(text);
	await once(socket, 'close');
	return answer;
}

describe('odd requests', () => {
	test.each([
		['application/json', '{"title":'],
		['application/json', '{"title":"x","__proto__":{}}'],
		['application/json', ''],
		['application/json', 'null'],
		['application/json', '[]'],
		['application/json', `{"title":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
		['text/plain', '{"title":"x"}'],
		['application/x-www-form-urlencoded', 'title=x'],
		['multipart/form-data; boundary=x', '--x--'],
		[undefined, undefined],
	])('a body of type %s that is no JSON object is refused with 422', async (contentType, body) => {
		const answer = await post('/tags', contentType, body);
		expect(answer).toMatchObject({ status: 422, body: { message: expect.any(String) } });
	});

	test('JSON with a charset is JSON', async () => {
		expect((await post('/tags', 'application/json; charset=utf-8', '{"title":"x"}')).status).toBe(200);
	});

	test.each([
		['multipart/form-data', 'nothing'],
		['multipart/form-data; boundary=x', ''],
		['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="type"\r\n\r\nima'],
		[
			'multipart/form-data; boundary=x',
			'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ncut',
		],
		['multipart/form-data; boundary=x', '--x\r\nnonsense\r\n\r\n--x--\r\n'],
	])('a broken form (%s) is refused with 422', async (contentType, body) => {
		const answer = await post('/files/temporary-upload', contentType, body);
		expect(answer).toMatchObject({ status: 422, body: { message: expect.any(String) } });
	});

	test('an operation without a body does not look at one', async () => {
		for (const contentType of ['application/json', 'text/plain', 'application/octet-stream']) {
			expect((await post('/me/notifications/read', contentType, '{broken')).status).toBe(200);
		}
	});

	test('a strange or missing host still gets an answer', async () => {
		const line = `GET /third-party/v1/customers HTTP/1.0\r\nAuthorization: Bearer ${tenant.token}\r\n`;
		expect(await raw(`${line}\r\n`)).toMatch(/^HTTP\/1\.1 200/);
		expect(await raw(`${line}Host: a b <c>\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403/);
	});

	test.each(['/%', '/%E0%A4%A', `/tags/${'9'.repeat(500)}`, '/tags/1e3', '/tags/-1', '/tags/1.5', '/TAGS'])(
		'path %s is answered with 4xx',
		async (path) => {
			const answer = await ask(`${tenant.url}/third-party/v1${path}`, {
				headers: { authorization: `Bearer ${tenant.token}` },
			});
			expect([400, 404, 414]).toContain(answer.status);
			expect(answer.body).toHaveProperty('message');
		},
	);
});
