import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../engine/agentTool.mts';
import { type NodeRunOptions, runNode } from '../engine/engine.mts';
import { leaksOfRun } from '../engine/leaks.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId } from '../engine/tenant.mts';

const tenant = OddTenant.inEachTest();

const TAKEN = 'This one belongs to somebody else.';
const SHORT = 'At least three characters are needed.';

const refuse = (body: unknown, status = 422, type = 'application/json'): void =>
	tenant.answer(
		async (_request, reply) =>
			await reply
				.code(status)
				.type(type)
				.send(typeof body === 'string' ? body : JSON.stringify(body)),
	);

const newUser: INodeParameters = {
	...{ resource: 'user', operation: 'create', name: 'Jo', email: 'jo@mail.example', isAdmin: false },
	additionalFields: { externalId: 'x1', externalGroup: 'g', pin: '123456' },
};

async function run(parameters: INodeParameters = newUser, options: Partial<NodeRunOptions> = {}) {
	return await runNode({ credentials: tenant.credentials, ...options, parameters });
}

/** All that a person reads of the error: headline and details. */
async function toldBy(parameters: INodeParameters = newUser): Promise<string> {
	const { error } = await run(parameters);
	if (!error) throw new Error('The run did not fail');
	return `${error.message}\n${error.description ?? ''}`;
}

const times = (text: string, part: string) => text.split(part).length - 1;

/** The usual bodies that name two fields, one of them of two words. */
const BODIES: Record<string, unknown> = {
	Laravel: { message: `${TAKEN} (and 1 more error)`, errors: { email: [TAKEN], external_id: [SHORT] } },
	'Laravel with another message': {
		message: 'The given data was invalid.',
		errors: { email: [TAKEN], external_id: [SHORT] },
	},
	'errors by field as texts': { errors: { email: TAKEN, external_id: SHORT } },
	'the fields alone': { email: [TAKEN], external_id: [SHORT] },
	'RFC 9457': {
		type: 'https://example.com/invalid',
		title: 'Your request is not valid.',
		status: 422,
		errors: [
			{ detail: TAKEN, pointer: '#/email' },
			{ detail: SHORT, pointer: '#/external_id' },
		],
	},
	'RFC 7807 with invalid-params': {
		type: 'about:blank',
		title: 'Your request is not valid.',
		'invalid-params': [
			{ name: 'email', reason: TAKEN },
			{ name: 'external_id', reason: SHORT },
		],
	},
	'JSON:API': {
		errors: [
			{
				status: '422',
				title: 'Invalid Attribute',
				detail: TAKEN,
				source: { pointer: '/data/attributes/email' },
			},
			{
				status: '422',
				title: 'Invalid Attribute',
				detail: SHORT,
				source: { pointer: '/data/attributes/external_id' },
			},
		],
	},
	'JSON:API with parameters': {
		errors: [
			{ detail: TAKEN, source: { parameter: 'email' } },
			{ detail: SHORT, source: { parameter: 'external_id' } },
		],
	},
	'a list of fields and messages': {
		errors: [
			{ field: 'email', message: TAKEN },
			{ field: 'external_id', message: SHORT },
		],
	},
	'a list alone': [
		{ field: 'email', message: TAKEN },
		{ field: 'external_id', message: SHORT },
	],
	'error with details': {
		error: {
			code: 'invalid',
			message: 'Invalid',
			details: [
				{ field: 'email', message: TAKEN },
				{ field: 'external_id', message: SHORT },
			],
		},
	},
	FastAPI: {
		detail: [
			{ loc: ['body', 'email'], msg: TAKEN, type: 'value_error' },
			{ loc: ['body', 'external_id'], msg: SHORT, type: 'value_error' },
		],
	},
	Symfony: {
		title: 'Validation Failed',
		violations: [
			{ propertyPath: 'email', title: TAKEN },
			{ propertyPath: 'external_id', title: SHORT },
		],
	},
	'Symfony with messages': {
		violations: [
			{ propertyPath: 'email', message: TAKEN },
			{ propertyPath: 'external_id', message: SHORT },
		],
	},
	'errors in data': { data: { errors: { email: [TAKEN], external_id: [SHORT] } } },
	'errors with objects': { errors: { email: [{ message: TAKEN }], external_id: [{ message: SHORT }] } },
};

it.each(Object.entries(BODIES))(
	"a refusal as %s is told once, with the editor's names of the fields",
	async (_name, body) => {
		for (const status of [422, 400]) {
			refuse(body, status);
			const told = await toldBy();
			expect([times(told, TAKEN), times(told, SHORT)]).toEqual([1, 1]);
			expect(told).toMatch(new RegExp(`Email\\W{1,3}${TAKEN}`));
			expect(told).toMatch(new RegExp(`External ID\\W{1,3}${SHORT}`));
			expect(told).not.toMatch(/external_id|\/email|attributes|\[object|undefined|\{"|more error/);
		}
	},
);

it.each<[string, unknown]>([
	['the message of the only field', { message: TAKEN, errors: { email: [TAKEN] } }],
	['the same for two fields', { message: TAKEN, errors: { email: [TAKEN], name: [TAKEN] } }],
	['the same twice for a field', { errors: { email: [TAKEN, TAKEN] } }],
	['detail and title', { title: TAKEN, detail: TAKEN }],
	['message and error', { message: TAKEN, error: TAKEN }],
	['a list of texts', { errors: [TAKEN] }],
	['a text', { errors: TAKEN }],
])('a body with %s does not repeat itself without need', async (_name, body) => {
	refuse(body);
	expect(times(await toldBy(), TAKEN)).toBeLessThanOrEqual(2);
	refuse({ message: TAKEN, errors: { email: [TAKEN] } });
	expect(times(await toldBy(), TAKEN)).toBe(1);
});

describe('The field of', () => {
	it.each<[string, INodeParameters, string, RegExp]>([
		[
			'a new customer',
			{
				resource: 'customer',
				operation: 'create',
				channel: 'chatapp',
				displayId: '+49 171 1234567',
				name: 'Jo',
			},
			'display_id',
			/Phone Number/,
		],
		[
			'a row',
			{
				resource: 'customer',
				operation: 'upsert',
				channel: 'chatapp',
				displayId: '+49 171 1234567',
				name: 'Jo',
			},
			'customers.0.display_id',
			/Phone Number/,
		],
		[
			'a profile in a row',
			{
				resource: 'customer',
				operation: 'upsert',
				channel: 'chatapp',
				displayId: '+49 171 1234567',
				name: 'Jo',
				additionalFields: { email: 'a@mail.example' },
			},
			'customers.0.profile.email',
			/Email/,
		],
		['a tag', { resource: 'tag', operation: 'create', title: 'VIP' }, 'title', /Title/],
		['a group', { resource: 'group', operation: 'create', name: 'VIP' }, 'name', /Name/],
		[
			'a new template',
			{ resource: 'template', operation: 'create', name: 'a', language: 'de' },
			'language',
			/Language/,
		],
		[
			'a message',
			{ resource: 'message', operation: 'send', conversationId: '3', messageType: 'text', text: 'Hi' },
			'text.content',
			/Text/,
		],
		[
			'an agent',
			{
				resource: 'agent',
				operation: 'update',
				agentId: byId(1),
				updateFields: { proxyEmail: 'a@mail.example' },
			},
			'proxy_email',
			/Proxy Email/,
		],
		[
			'a template to send',
			{
				resource: 'message',
				operation: 'sendTemplate',
				recipient: 'phoneNumber',
				phoneNumber: '+49 171 1234567',
				agentId: byId(1),
				templateName: byId('a'),
				templateLanguage: 'en',
				variablesMode: 'json',
				templateComponents: '[]',
			},
			'template_name',
			/Template/,
		],
	])('%s has its name', async (_name, parameters, field, shown) => {
		refuse({ message: 'The given data was invalid.', errors: { [field]: [TAKEN] } });
		const told = await toldBy(parameters);
		expect(told).toMatch(shown);
		expect(times(told, TAKEN)).toBe(1);
	});

	it.each(['score', 'constructor', 'toString', '', '0', 'a.b.c.d', '*', 'customers.*.x'])(
		'%j that no parameter has is told as it is',
		async (field) => {
			refuse({ errors: { [field]: [TAKEN] } });
			const told = await toldBy();
			expect(times(told, TAKEN)).toBe(1);
			expect(told).toContain(field);
			expect(told).not.toMatch(/native code|\[object/);
		},
	);

	it('__proto__ does no harm', async () => {
		refuse(`{"errors":{"__proto__":["${TAKEN}"],"email":["${SHORT}"]}}`);
		expect(times(await toldBy(), SHORT)).toBe(1);
		expect(({} as IDataObject)[0]).toBeUndefined();
	});
});

describe('A customer who exists already', () => {
	const newCustomer: INodeParameters = {
		...{ resource: 'customer', operation: 'create', channel: 'chatapp' },
		...{ displayId: '+49 171 1234567', name: 'Jo' },
	};

	it.each<[string, number, unknown]>([
		['Laravel', 422, { message: 'x', errors: { display_id: ['The display id has already been taken.'] } }],
		['JSON:API', 422, { errors: [{ detail: 'Taken', source: { pointer: '/data/attributes/display_id' } }] }],
		['RFC 9457', 422, { title: 'No', errors: [{ detail: 'must be unique', pointer: '#/display_id' }] }],
		['a conflict', 409, { message: 'Customer exists' }],
		['a conflict without a body', 409, ''],
	])('told as %s leads to Create or Update', async (_name, status, body) => {
		refuse(body, status);
		expect(await toldBy(newCustomer)).toContain('Create or Update');
	});

	it.each<[string, INodeParameters, number, unknown]>([
		['another status', newCustomer, 403, { message: 'No' }],
		['another operation', newUser, 422, { errors: { email: ['has already been taken'] } }],
		['a server error', newCustomer, 500, { message: 'Oops' }],
	])('is not supposed for %s', async (_name, parameters, status, body) => {
		refuse(body, status);
		expect(await toldBy({ ...parameters, requestLimits: { maximumTries: 1 } })).not.toContain(
			'Create or Update',
		);
	});

	it('is told to a model too', async () => {
		refuse({ errors: { display_id: ['taken'] } });
		const call = await agentTool({ credentials: tenant.credentials, parameters: newCustomer });
		const told = JSON.stringify(await call({}).catch((error: unknown) => String(error)));
		expect(told).not.toContain(String(tenant.credentials.accessToken));
	});
});

describe('A hostile refusal', () => {
	it.each<[string, unknown]>([
		[
			'10,000 fields',
			{ errors: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, [TAKEN]])) },
		],
		[
			'10,000 entries',
			{ errors: Array.from({ length: 10_000 }, () => ({ field: 'email', message: TAKEN })) },
		],
		['a message of 5 MB', { message: 'x'.repeat(5_000_000) }],
		['a field of 1 MB', { errors: { ['x'.repeat(1_000_000)]: [TAKEN] } }],
		['100,000 levels', `{"errors":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`],
		['100,000 lists', `{"errors":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
		['nulls', { message: null, errors: null, detail: null, title: null }],
		['null entries', { errors: [null, null], 'invalid-params': null }],
		['numbers', { message: 5, errors: { email: [5, true, null] } }],
		['empty fields', { errors: { email: [], name: {} } }],
		['records for messages', { message: { en: TAKEN }, errors: { email: { en: TAKEN } } }],
		['null', 'null'],
		['a text', '"no"'],
		['nothing', ''],
		['a page', '<html><body>422</body></html>'],
		['control characters', { message: 'a\u0000b\u001b[31mc' }],
	])('with %s gives an error of bounded length', async (_name, body) => {
		refuse(body);
		const started = process.cpuUsage();
		const told = await toldBy();
		expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
		expect(told).toMatch(/\w/);
		expect(told.length).toBeLessThan(10_000);
		expect(told).not.toMatch(/\[object|undefined/);
	});

	it('keeps the token to itself', async () => {
		const secret = String(tenant.credentials.accessToken);
		for (const body of Object.values(BODIES)) {
			refuse(JSON.stringify(body).replaceAll(TAKEN, `Token ${secret}`).replaceAll('external_id', secret));
			const result = await run(newUser, { onError: 'continueRegularOutput' });
			expect(leaksOfRun(result, secret)).toEqual([]);
		}
	});

	it('goes to each item of its own', async () => {
		let requests = 0;
		tenant.answer(async (_request, reply) =>
			++requests % 2 === 0
				? { id: requests }
				: await reply.code(422).send({ message: 'x', errors: { email: [TAKEN] } }),
		);
		const { items } = await run(newUser, {
			onError: 'continueRegularOutput',
			items: Array.from({ length: 4 }, () => ({ json: {} })),
		});
		expect(items.filter(({ json }) => JSON.stringify(json).includes(TAKEN))).toHaveLength(2);
	});
});
