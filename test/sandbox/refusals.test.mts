import { useTenant } from './tenant.mts';

const tenant = useTenant();

const customer = (fields: object) => ({
	channel: 'chatapp',
	display_id: '4915112345678',
	name: 'C',
	...fields,
});
const plain = { template_name: 'opening_hours', template_language: 'en_US' };
const assigned = { assign_user_id: 999, assign_tag_id: 999, assign_group_id: 999, assign_bot_id: 0 };

const number = (display_id: string) => customer({ display_id });
const pin = (value: unknown) => ({ name: 'N', email: 'n@tenant.example', pin: value });
const template = (fields: object) => ({ name: 'x', language: 'de', ...fields });
const sent = (fields: object) => ({ ...plain, customer_id: 101, ...fields });
const phone = (phone_number?: unknown) => ({ ...plain, phone_number });

/** What is asked for, by the field that the answer is about. */
const REFUSED: Record<string, Array<[body: unknown, ...fields: string[]]>> = {
	'POST /customers': [
		...['sms', 'Chatapp', ''].map((channel): [unknown, string] => [customer({ channel }), 'channel']),
		...['+4915112345678', '49 151 12345678', '0151123456', '', 'abc', '1234567890123456', '491700000001'].map(
			(text): [unknown, string] => [number(text), 'display_id'],
		),
		[customer({ name: ' ' }), 'name'],
	],
	'POST /customers/bulk-delete': [[{ ids: [101, 999] }, 'ids']],
	'POST /customers/101/users': [[{ user_ids: [3, 999] }, 'user_ids']],
	'POST /customers/bulk-import': [
		[{ duplicates: 'skip', customers: [customer({}), number('+49')] }, 'customers.1.display_id'],
	],
	...Object.fromEntries(
		['name', 'name:up', 'name:asc,', 'password:asc', 'id:asc;drop'].map((order) => [
			`GET /profiles?order_by=${order}`,
			[[undefined, 'order_by']],
		]),
	),
	'GET /profiles?per_page=0': [[undefined, 'per_page']],
	'GET /profiles?per_page=many': [[undefined, 'per_page']],
	'PATCH /profiles/MIRA': [
		[{ email: 'broken', custom_2: 'x' }, 'email'],
		[{ date_of_birth: '31.02.1990' }, 'date_of_birth'],
		[{ name: '' }, 'name'],
		[{ custom_1: 5 }, 'custom_1'],
	],
	'POST /profiles/MIRA/marketing-opt-in': [[{ opt_in: 'true' }, 'opt_in']],
	'POST /profiles/MIRA/tags': [
		[{ tags: [{ id: 999 }] }, 'tags.0.id'],
		[{ tags: [{ title: 'Fine' }, {}] }, 'tags.1.title'],
	],
	'POST /profiles/MIRA/groups': [[{ groups: [{ id: 999 }] }, 'groups']],
	'POST /users': [
		[{ name: 'Other', email: 'SAM@tenant.example' }, 'email'],
		...[12345, 1234567, -123456, 0, 123456.5, '12345'].map((value): [unknown, string] => [pin(value), 'pin']),
	],
	'PATCH /users/3': [[{ email: 'sam@tenant.example' }, 'email']],
	'PATCH /agents/11': [[{ proxy_email: 'nobody' }, 'proxy_email']],
	'POST /media': [[{ type: 'document', internal_uuid: 'nothing' }, 'internal_uuid']],
	'POST /templates': [
		[template({ name: 'welcome', language: 'en_US' }), 'name'],
		[template({ name: '' }), 'name'],
		[template({ language: 'klingon' }), 'language'],
		[template({ components: [{ text: 'no type' }] }), 'components'],
	],
	'POST /chatapp/send-template': [
		...[undefined, 12, 1.5, -4915112345678, 1e20, '4915112345678'].map((value): [unknown, string] => [
			phone(value),
			'phone_number',
		]),
		[sent({ customer_id: 999 }), 'customer_id'],
		[sent({ agent_id: 999 }), 'agent_id'],
		[sent({ template_name: 'no' }), 'template_name'],
		[sent({ template_language: 'de' }), 'template_language'],
		[sent(assigned), ...Object.keys(assigned)],
	],
	'POST /conversations/2001/messages': [
		[{}, 'type'],
		[{ type: 'toString' }, 'type'],
		[{ type: 'text', text: { content: '' } }, 'text.content'],
		[{ type: 'location', location: { latitude: '1' } }, 'location'],
		[{ type: 'contact', contact: {} }, 'contact.name.formatted_name'],
		[{ type: 'image' }, 'file'],
		[{ type: 'image', file: { url: 'ftp://a.example/a.jpg' } }, 'file.url'],
		[{ type: 'image', file: { internal_uuid: 'x' } }, 'file.internal_uuid'],
	],
};

test.each(Object.keys(REFUSED))('%s is refused by field, and changes nothing', async (request) => {
	const [method, path] = request
		.replace('MIRA', String(tenant.store.profiles.ofCustomer(101)?.id))
		.split(' ');
	const records = () => Object.values(tenant.store.tables).map((table) => table.all());
	const before = JSON.stringify(records());
	for (const [body, ...fields] of REFUSED[request]) {
		const { status, body: answer } = await tenant.ask(method, path, body);
		const errors = { errors: Object.fromEntries(fields.map((field) => [field, expect.any(Array)])) };
		expect([body, status, answer]).toMatchObject([body, 422, { message: expect.any(String), ...errors }]);
	}
	expect(JSON.stringify(records())).toBe(before);
});

describe('control plane', () => {
	test.each([
		['/seed', { profiles: 0 }, 'profiles', 'The profiles must be >= 1.'],
		['/seed', [], 'body', 'The body must be an object.'],
		['/seed', { profiles: '5' }, 'profiles', 'The profiles must be a whole number.'],
		['/faults', { kind: 'html', retryAfter: '5' }, 'retryAfter', 'The retryAfter must be a number.'],
		['/faults', { kind: 'html', 5: 1 }, '5', 'The 5 is not known.'],
		['/faults', { kind: 'html', operationId: 'listTag' }, 'operationId', 'The operationId is none of'],
		['/faults', { kind: 'html', path: '/third-party/v1/tags' }, 'path', 'a path below /third-party/v1'],
		['/faults', { kind: 'latency', ms: 2 ** 31 }, 'ms', 'The ms must be <= 2147483647.'],
		[
			'/faults',
			{ kind: 'response', headers: { a: '/\r\na: b' } },
			'headers.a',
			'a text that a header can hold',
		],
		['/clock', { advance: { days: null } }, 'advance.days', 'The days must be a number.'],
		['/clock', { advance: { days: 365 * 9_000 } }, 'advance', 'from the year 1 to the year 9999'],
		['/clock', { set: '9999-12-31T23:59:59Z' }, 'set', 'from the year 1 to the year 9999'],
		['/clock', { set: 'tomorrow' }, 'set', 'The set must be a time such as 2031-05-06T07:08:09Z.'],
		['/webhooks', { url: 'nowhere' }, 'url', 'The url must be an http or https URL.'],
		['/webhooks', { url: 'http://a/', basicAuth: { user: 'a' } }, 'basicAuth.password', 'The password is'],
		['/messages/30002/status', { status: 'read' }, 'id', 'The message is of a customer.'],
		['/messages/30001/status', { status: 'gone' }, 'status', 'The status must be one of created, sent'],
	])('%s with %j is refused for %s in words for people', async (path, body, field, text) => {
		const { status, body: answer } = await tenant.askControl('POST', path, body);
		const { message, errors } = answer as { message: string; errors: object };
		expect([status, Object.keys(errors)]).toEqual([422, [field]]);
		expect(message).toContain(text);
		expect(await tenant.control('GET', '')).toMatchObject({ ahead_ms: 0, faults: 0, webhooks: 0 });
	});
});
