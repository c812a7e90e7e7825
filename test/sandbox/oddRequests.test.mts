import { type ContractOperation, contractBreach, operations, type Schema } from './contract.mts';
import type { TableName } from '../../sandbox/store/store.mts';
import { idsIn } from './knownIds.mts';
import { ask, useTenant } from './tenant.mts';

const tenant = useTenant();

const post = (path: string, contentType: string | undefined, body: string | undefined) =>
	ask(`${tenant.baseUrl}${path}`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${tenant.token}`,
			...(contentType !== undefined && { 'content-type': contentType }),
		},
		body,
	});

const DEEP = `{"title":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
const FORM = 'multipart/form-data; boundary=x';
const PART = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ncut';

test.each<Array<string | undefined>>([
	...['{"title":', '{"title":"x","__proto__":{}}', '', 'null', '[]', DEEP].map((body) => [
		'/tags',
		'application/json',
		body,
	]),
	['/tags', 'text/plain', '{"title":"x"}'],
	['/tags', 'application/x-www-form-urlencoded', 'title=x'],
	['/tags', FORM, '--x--'],
	['/tags', undefined, undefined],
	['/files/temporary-upload', 'multipart/form-data', 'nothing'],
	...['', PART, '--x\r\nnonsense\r\n\r\n--x--\r\n'].map((body) => ['/files/temporary-upload', FORM, body]),
])(
	'to %s, a body of type %s that cannot be read is refused with 422',
	async (path = '', contentType, body) => {
		const answer = await post(path, contentType, body);
		expect(answer).toMatchObject({ status: 422, body: { message: expect.any(String) } });
	},
);

test('JSON with a charset is JSON, and an operation without a body does not look at one', async () => {
	expect((await post('/tags', 'application/json; charset=utf-8', '{"title":"x"}')).status).toBe(200);
	for (const contentType of ['application/json', 'text/plain', 'application/octet-stream']) {
		expect((await post('/me/notifications/read', contentType, '{broken')).status).toBe(200);
	}
});

test.each(['/%', '/%E0%A4%A', `/tags/${'9'.repeat(500)}`, '/tags/1e3', '/tags/-1', '/tags/1.5', '/TAGS'])(
	'path %s is answered with 4xx',
	async (path) => {
		const { status, body } = await tenant.ask('GET', path);
		expect([400, 404, 414]).toContain(status);
		expect(body).toHaveProperty('message');
	},
);

/** The id of a record that a member or a part of a path names: `tags`, `tag_id`, `assign_user_id`, `user_ids`. */
function idOf(name: string): number | string | undefined {
	const word = name.replace(/_ids?$/, '').replace(/.*_/, '');
	const table = [word, `${word}s`].find((one) => one in tenant.store.tables);
	return table === undefined ? undefined : idsIn(tenant.store, table as TableName)[0];
}

/** A value that the tenant takes: an example of the contract, or the id of a record that there is. */
function fitting({ enum: values, examples, properties = {}, items, type }: Schema, name: string): unknown {
	if (values ?? examples) return (values ?? examples)?.[0];
	if (items) return [fitting(items, name)];
	const members = Object.entries(properties).map(([own, part]) => [
		own,
		fitting(part, own === 'id' ? name : own),
	]);
	if (type === 'object') return Object.fromEntries(members);
	return idOf(name) ?? (type === 'boolean' ? true : type === 'integer' ? 1 : 'Noa');
}

const ODD = [null, true, 0, -1, 2 ** 53, 1e300, '', '\u0000', 'x'.repeat(5000), [], [null], {}, { id: {} }];

/** Requests to an operation: one that fits, one for each odd value of each member of body and query, and odd bodies. */
function requestsTo({ path, parameters, requestBody }: ContractOperation) {
	const filled = path.replace(/(\w+)\/\{\w+\}/g, (_, name: string) => `${name}/${idOf(name)}`);
	const schema = requestBody?.content['application/json']?.schema;
	const body = schema && (fitting(schema, '') as Record<string, unknown>);
	const names = parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : []));
	return [
		{ path: filled, body },
		...ODD.flatMap((odd) => [
			...Object.keys(schema?.properties ?? {}).map((name) => ({
				path: filled,
				body: { ...body, [name]: odd },
			})),
			...[...names, 'page', 'cursor'].map((name) => ({
				path: `${filled}?${new URLSearchParams({ [name]: String(odd) }).toString()}`,
				body,
			})),
			...(schema ? [{ path: filled, body: odd }] : []),
		]),
	];
}

const WITH_JSON = operations().filter(({ requestBody }) => !requestBody?.content['multipart/form-data']);

test.each(WITH_JSON.map((operation) => [operation.operationId, operation] as const))(
	'%s answers nothing with 5xx, whatever is asked, and everything as the contract has it',
	async (name, operation) => {
		for (const { path, body } of requestsTo(operation)) {
			const answer = await tenant.ask(operation.method, path, operation.method === 'GET' ? undefined : body);
			const breach = contractBreach(operation, answer) ?? '';
			expect([path, body, answer.status < 500, breach]).toEqual([path, body, true, '']);
			if (operation.method === 'DELETE' || name.startsWith('bulk')) await tenant.reset();
		}
	},
);
