import { type Fields, useTenant } from './tenant.mts';

const tenant = useTenant();

const customer = (fields: object) => ({
	channel: 'chatapp',
	display_id: '4915112345678',
	name: 'C',
	...fields,
});
const plain = { template_name: 'opening_hours', template_language: 'en_US' };
const assigned = { assign_user_id: 999, assign_tag_id: 999, assign_group_id: 999, assign_bot_id: 0 };

/** What is asked for, and the field that the answer is about. */
const REFUSED: Array<[request: string, body: unknown, field: string]> = [
	...['sms', 'Chatapp', ''].map((channel): [string, unknown, string] => [
		'POST /customers',
		customer({ channel }),
		'channel',
	]),
	...['+4915112345678', '49 151 12345678', '015112345678', '', 'abc', '1234567890123456', '491700000001'].map(
		(display_id): [string, unknown, string] => ['POST /customers', customer({ display_id }), 'display_id'],
	),
	['POST /customers', customer({ name: ' ' }), 'name'],
	['POST /customers/bulk-delete', { ids: [101, 999] }, 'ids'],
	['POST /customers/101/users', { user_ids: [3, 999] }, 'user_ids'],
	[
		'POST /customers/bulk-import',
		{ duplicates: 'skip', customers: [customer({}), customer({ display_id: '+49' })] },
		'customers.1.display_id',
	],
	...['name', 'name:up', 'name:asc,', 'password:asc', 'id:asc;drop'].map(
		(order): [string, unknown, string] => [
			`GET /profiles?order_by=${encodeURIComponent(order)}`,
			undefined,
			'order_by',
		],
	),
	['GET /profiles?per_page=0', undefined, 'per_page'],
	['GET /profiles?per_page=many', undefined, 'per_page'],
	['PATCH /profiles/MIRA', { email: 'broken' }, 'email'],
	['PATCH /profiles/MIRA', { date_of_birth: '31.02.1990' }, 'date_of_birth'],
	['PATCH /profiles/MIRA', { name: '' }, 'name'],
	['PATCH /profiles/MIRA', { custom_1: 5 }, 'custom_1'],
	['POST /profiles/MIRA/marketing-opt-in', { opt_in: 'true' }, 'opt_in'],
	['POST /profiles/MIRA/tags', { tags: [{ id: 999 }] }, 'tags.0.id'],
	['POST /profiles/MIRA/tags', { tags: [{ title: 'Fine' }, {}] }, 'tags.1.title'],
	['POST /profiles/MIRA/groups', { groups: [{ id: 999 }] }, 'groups'],
	['POST /users', { name: 'Other', email: 'SAM@tenant.example' }, 'email'],
	['PATCH /users/3', { email: 'sam@tenant.example' }, 'email'],
	...[12345, 1234567, -123456, 0, 123456.5, '12345'].map((pin): [string, unknown, string] => [
		'POST /users',
		{ name: 'N', email: 'n@tenant.example', pin },
		'pin',
	]),
	['PATCH /agents/11', { proxy_email: 'nobody' }, 'proxy_email'],
	['POST /media', { type: 'document', internal_uuid: 'nothing' }, 'internal_uuid'],
	['POST /templates', { name: 'welcome', language: 'en_US' }, 'name'],
	['POST /templates', { name: '', language: 'de' }, 'name'],
	['POST /templates', { name: 'x', language: 'klingon' }, 'language'],
	['POST /templates', { name: 'x', language: 'de', components: [{ text: 'no type' }] }, 'components'],
	...[undefined, 12, 1.5, -4915112345678, 1e20, '4915112345678'].map(
		(phone_number): [string, unknown, string] => [
			'POST /chatapp/send-template',
			{ ...plain, phone_number },
			'phone_number',
		],
	),
	['POST /chatapp/send-template', { ...plain, customer_id: 999 }, 'customer_id'],
	['POST /chatapp/send-template', { ...plain, customer_id: 101, agent_id: 999 }, 'agent_id'],
	['POST /chatapp/send-template', { ...plain, customer_id: 101, template_name: 'no' }, 'template_name'],
	[
		'POST /chatapp/send-template',
		{ ...plain, customer_id: 101, template_language: 'de' },
		'template_language',
	],
	...Object.keys(assigned).map((field): [string, unknown, string] => [
		'POST /chatapp/send-template',
		{ ...plain, customer_id: 101, ...assigned },
		field,
	]),
	['POST /conversations/2001/messages', {}, 'type'],
	['POST /conversations/2001/messages', { type: 'toString' }, 'type'],
	['POST /conversations/2001/messages', { type: 'text', text: { content: '' } }, 'text.content'],
	['POST /conversations/2001/messages', { type: 'location', location: { latitude: '1' } }, 'location'],
	['POST /conversations/2001/messages', { type: 'contact', contact: {} }, 'contact.name.formatted_name'],
	['POST /conversations/2001/messages', { type: 'image' }, 'file'],
	[
		'POST /conversations/2001/messages',
		{ type: 'image', file: { url: 'ftp://a.example/a.jpg' } },
		'file.url',
	],
	[
		'POST /conversations/2001/messages',
		{ type: 'image', file: { internal_uuid: 'x' } },
		'file.internal_uuid',
	],
];

test.each(REFUSED)('%s with %j is refused for %s, and changes nothing', async (request, body, field) => {
	const [method, path] = request.split(' ');
	const mira = tenant.store.profiles.ofCustomer(101)?.id;
	const before = JSON.stringify(Object.values(tenant.store.tables).map((table) => table.all()));
	const { status, body: answer } = await tenant.ask(method, path.replace('MIRA', String(mira)), body);
	expect([status, Object.keys((answer as { errors: object }).errors)]).toEqual([
		422,
		expect.arrayContaining([field]),
	]);
	expect((answer as Fields).message).toEqual(expect.any(String));
	expect(JSON.stringify(Object.values(tenant.store.tables).map((table) => table.all()))).toBe(before);
});

test.each([9999, 'abc', '1.5', '0x7d1'])('conversation %p is not found', async (conversation) => {
	const message = { type: 'text', text: { content: 'Hello' } };
	expect((await tenant.ask('POST', `/conversations/${conversation}/messages`, message)).status).toBe(404);
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
		['/faults', { kind: 'redirect', location: '/\r\na: b' }, 'location', 'a text that a header can hold'],
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
