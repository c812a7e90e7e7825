import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IDataObject, ResourceMapperFields } from 'n8n-workflow';

import { editorOf, runNode } from '../engine/engine.mts';
import { leaksIn } from '../engine/leaks.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId } from '../engine/tenant.mts';

const tenant = OddTenant.inEachTest();

/** The forms whose fields the tenant describes. */
const FORMS: IDataObject[] = [
	{ resource: 'tag', operation: 'create' },
	{ resource: 'tag', operation: 'update', tagId: byId(1) },
	{ resource: 'group', operation: 'create' },
	{ resource: 'group', operation: 'update', groupId: byId(1) },
	{ resource: 'template', operation: 'create' },
	{ resource: 'settings', operation: 'update', category: 'general' },
	{ resource: 'settings', operation: 'update', category: 'thirdParty' },
	{ resource: 'settings', operation: 'update', category: 'crm' },
	{ resource: 'profile', operation: 'update', profileId: byId(1) },
];

type Answer = (request: FastifyRequest, reply: FastifyReply) => unknown;

const text =
	(body: string, type = 'text/yaml', status = 200): Answer =>
	(_request, reply) =>
		reply.code(status).type(type).send(body);

const json = (body: unknown, status = 200) => text(JSON.stringify(body), 'application/json', status);

const described = (schema: unknown) => ({
	openapi: '3.0.0',
	paths: Object.fromEntries(
		['/tags', '/tags/{id}', '/groups', '/groups/{id}', '/templates', '/profiles/{id}'].map((path) => [
			path,
			Object.fromEntries(
				['post', 'patch'].map((method) => [
					method,
					{ requestBody: { content: { 'application/json': { schema } } } },
				]),
			),
		]),
	),
	components: {
		schemas: {
			Again: { $ref: '#/components/schemas/Again' },
			Tree: { type: 'object', properties: { tree: { $ref: '#/components/schemas/Tree' } } },
			Both: { allOf: [{ $ref: '#/components/schemas/Both' }, { $ref: '#/components/schemas/Both' }] },
		},
	},
});

const deep = (levels: number, inner: unknown = 1): unknown => {
	let value = inner;
	for (let level = 0; level < levels; level++) value = { a: value };
	return value;
};

const ANSWERS: Array<[string, Answer]> = [
	['401', json({ message: 'Unauthenticated.' }, 401)],
	['403', json({ message: 'This action is unauthorized.' }, 403)],
	['404', json({ message: 'Not found' }, 404)],
	['404 without a body', text('', 'text/plain', 404)],
	['a redirect', (_request, reply) => reply.code(302).header('location', 'http://127.0.0.1:2/').send()],
	['a page', text('<!doctype html><title>Log in</title>', 'text/html')],
	['nothing', text('')],
	['204', (_request, reply) => reply.code(204).send()],
	['null', json(null)],
	['a list', json([])],
	['a number', json(5)],
	['true', json(true)],
	['{}', json({})],
	['data: null', json({ data: null })],
	['data: a text', json({ data: 'x' })],
	['data: a list', json({ data: [{ a: 1 }] })],
	['broken JSON', text('{"openapi": "3.0.0", ', 'application/json')],
	['broken YAML', text('openapi: 3.0.0\npaths:\n\t- x: [\n')],
	['bytes', text('\u0000\u0001\u0002 \ufffd')],
	['no paths', json({ openapi: '3.0.0' })],
	['paths: null', json({ openapi: '3.0.0', paths: null })],
	['paths: a list', json({ openapi: '3.0.0', paths: [null, 5] })],
	['no schema', json(described(undefined))],
	['schema: null', json(described(null))],
	['schema: true', json(described(true))],
	['a schema of a text', json(described({ type: 'string' }))],
	['properties: null', json(described({ type: 'object', properties: null }))],
	['properties: a list', json(described({ type: 'object', properties: ['a', null] }))],
	['odd properties', json(described({ type: 'object', properties: { a: null, b: 5, c: [], d: 'x' } }))],
	['a reference to itself', json(described({ $ref: '#/components/schemas/Again' }))],
	['a tree without end', json(described({ $ref: '#/components/schemas/Tree' }))],
	['two parts that are themselves', json(described({ $ref: '#/components/schemas/Both' }))],
	['a reference to nowhere', json(described({ $ref: '#/components/schemas/Nobody' }))],
	['a reference outside', json(described({ $ref: 'http://127.0.0.1:2/x.yaml#/a' }))],
	['a reference that is no text', json(described({ $ref: { a: 1 } }))],
	[
		'hostile names',
		text(
			JSON.stringify(described({ type: 'object', properties: {} })).replaceAll(
				'"properties":{}',
				'"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"=x":{"type":"string"},"a\\"]":{"type":"string"}}',
			),
			'application/json',
		),
	],
	['3,000 levels', json(described(deep(3000)))],
	['100,000 levels', text('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000), 'application/json')],
	['6 MB', text(`openapi: 3.0.0\n# ${'x'.repeat(6_000_000)}`)],
	['a required that is no list', json(described({ type: 'object', properties: { a: {} }, required: 5 }))],
	['an enum that is no list', json(described({ type: 'object', properties: { a: { enum: 'x' } } }))],
	['an enum of odd values', json(described({ type: 'object', properties: { a: { enum: [null, {}, []] } } }))],
	['the token', (request, reply) => reply.code(403).send({ message: String(request.headers.authorization) })],
];

/** Answers that are asked for again, so that they take their time. */
const SLOW: typeof ANSWERS = [
	['500 with a page', text('<h1>Oops</h1>', 'text/html', 500)],
	['a broken connection', (request) => (request.raw.socket.destroy(), null)],
];

async function fieldsOf(
	method: string,
	parameters: IDataObject,
	credentials: IDataObject | undefined = tenant.credentials as IDataObject,
	settings = {},
): Promise<ResourceMapperFields> {
	const { methods, context } = await editorOf({
		credentials: credentials as never,
		parameters: parameters as never,
		settings,
	});
	const answer = await methods.resourceMapping?.[method].call(context);
	if (!answer) throw new Error(`${method} answers nothing`);
	return answer;
}

/** A form that a person can use: fields with names, or a sentence that says why there are none. */
function expectQuiet({ fields, emptyFieldsNotice }: ResourceMapperFields): void {
	expect(Array.isArray(fields)).toBe(true);
	for (const { id, displayName } of fields) {
		expect(id).toMatch(/\S/);
		expect(displayName).toMatch(/\S/);
	}
	if (fields.length === 0) expect(emptyFieldsNotice).toMatch(/\w+ \w+ \w+.*[.!]/s);
	expect(emptyFieldsNotice ?? '').not.toMatch(/undefined|\[object|NaN|TypeError|Cannot read|at \/|stack/);
	expect((emptyFieldsNotice ?? '').length).toBeLessThan(1000);
}

it.each<[string, Answer, IDataObject[]]>([
	// Each answer to three forms, among them one of settings; together they have each form many times.
	...ANSWERS.map(([name, answer], index): [string, Answer, IDataObject[]] => [
		name,
		answer,
		[FORMS[index % 5], FORMS[5 + (index % 3)], FORMS[8]],
	]),
	...SLOW.map(([name, answer]): [string, Answer, IDataObject[]] => [name, answer, FORMS.slice(5, 6)]),
])('a tenant that answers %s makes no form red', async (_name, answer, forms) => {
	for (const [index, form] of forms.entries()) {
		const secret = `quiet-token-${index}-${tenant.credentials.accessToken as string}`;
		tenant.credentials.accessToken = secret;
		tenant.answer(answer);
		const shown = await fieldsOf('getTenantFields', form);
		expectQuiet(shown);
		expect(leaksIn(shown, secret)).toEqual([]);
		expect(({} as IDataObject).type).toBeUndefined();
	}
	const columns = await fieldsOf('getImportColumns', { resource: 'customer', operation: 'bulkImport' });
	expectQuiet(columns);
	expect(columns.fields.map(({ id }) => id)).toEqual(expect.arrayContaining(['displayId', 'name']));
});

it.each([
	...ANSWERS.slice(
		0,
		ANSWERS.findIndex(([name]) => name === 'no paths'),
	),
	...ANSWERS.filter(([name]) => ['100,000 levels', '6 MB', 'the token'].includes(name)),
	...SLOW,
])('a tenant that answers %s about templates makes no form of variables red', async (_name, answer) => {
	tenant.answer(answer);
	const shown = await fieldsOf('getTemplateVariables', {
		...{ resource: 'message', operation: 'sendTemplate', variablesMode: 'form' },
		...{ templateName: byId('a'), templateLanguage: 'en' },
	});
	expectQuiet(shown);
	expect(leaksIn(shown, String(tenant.credentials.accessToken))).toEqual([]);
});

describe('Before a credential is attached', () => {
	const bare = { credentials: {} };

	it('Bulk Import has the columns of the interface', async () => {
		const parameters = { resource: 'customer', operation: 'bulkImport' };
		const { fields } = await fieldsOf('getImportColumns', parameters, {}, bare);
		tenant.answer(json({ message: 'no' }, 403));
		const attached = await fieldsOf('getImportColumns', parameters);
		expect(fields.map(({ id }) => id)).toEqual(attached.fields.map(({ id }) => id));
		expect(fields.length).toBeGreaterThan(8);
		expect(tenant.asked.length).toBeGreaterThan(0);
	});

	it.each(FORMS)('%j says that a credential is missing', async (form) => {
		const shown = await fieldsOf('getTenantFields', form, {}, bare);
		expectQuiet(shown);
		expect(shown.fields).toEqual([]);
		expect(shown.emptyFieldsNotice).toMatch(/credential/i);
	});

	it('the variables of a template say so too', async () => {
		const shown = await fieldsOf(
			'getTemplateVariables',
			{ resource: 'message', operation: 'sendTemplate', templateName: byId('a'), templateLanguage: 'en' },
			{},
			bare,
		);
		expectQuiet(shown);
		expect(shown.emptyFieldsNotice).toMatch(/credential|template/i);
	});

	it('the variables of a saved workflow stay', async () => {
		const variables = { mappingMode: 'defineBelow', value: { body_1: 'Jo' }, schema: [{ id: 'body_1' }] };
		const parameters = { resource: 'message', operation: 'sendTemplate', templateName: byId('a'), variables };
		const { fields } = await fieldsOf('getTemplateVariables', parameters, {}, bare);
		expect(fields).toEqual(variables.schema);
		// n8n keeps the values where the form cannot be read; an empty form would drop them.
		tenant.answer(json({ message: 'No' }, 403));
		await expect(fieldsOf('getTemplateVariables', parameters)).rejects.toThrow('No');
	});

	it.each<[string, IDataObject]>([
		['an empty domain', { tenantDomain: '', accessToken: 'token-123456' }],
		['a domain with a path', { tenantDomain: 'acme.example/x', accessToken: 'token-123456' }],
		['a domain that is no text', { tenantDomain: 5, accessToken: 'token-123456' }],
		['no token', { tenantDomain: 'acme.invalid', accessToken: '' }],
		['nothing in it', {}],
	])('nor is a form red with a credential that has %s', async (_name, credentials) => {
		for (const form of FORMS) expectQuiet(await fieldsOf('getTenantFields', form, credentials));
		const { fields } = await fieldsOf(
			'getImportColumns',
			{ resource: 'customer', operation: 'bulkImport' },
			credentials,
		);
		expect(fields.map(({ id }) => id)).toContain('displayId');
	});

	it.each<[string, IDataObject]>([
		['nothing is chosen', {}],
		['no template is chosen', { templateName: { __rl: true, mode: 'list', value: '' } }],
		['the template is an expression', { templateName: byId('={{ $json.x }}'), templateLanguage: 'en' }],
		['the template is null', { templateName: null }],
		['the template is a number', { templateName: byId(5), templateLanguage: 'en' }],
		['there is no language', { templateName: byId('a') }],
		['the language is an expression', { templateName: byId('a'), templateLanguage: '={{ $json.x }}' }],
	])('the variables are not red where %s', async (_name, parameters) => {
		tenant.answer(json({ data: [{ name: 'b', language: 'de', components: [] }] }));
		expectQuiet(
			await fieldsOf('getTemplateVariables', {
				...{ resource: 'message', operation: 'sendTemplate', variablesMode: 'form' },
				...parameters,
			}),
		);
	});
});

describe('The form of Setting: Update', () => {
	const CATEGORIES = { general: 'general', thirdParty: 'third-party', crm: 'crm' };

	/** Answers the settings so, and the description with a refusal unless given. */
	const settings = (data: unknown, description: Answer = json({ message: 'no' }, 403)): void =>
		tenant.answer((request, reply) => {
			const { url } = request;
			if (url.includes('/support/openapi')) return description(request, reply);
			return json({ data })(request, reply);
		});

	const form = async (category = 'general') =>
		await fieldsOf('getTenantFields', { resource: 'settings', operation: 'update', category });

	it.each(Object.entries(CATEGORIES))('lists what Setting: Get returns for %s', async (category, path) => {
		settings({ [`of_${category}`]: 'x', sound: true, limit: 5 });
		const { fields } = await form(category);
		expect(fields.map(({ id }) => id)).toEqual(expect.arrayContaining([`of_${category}`, 'sound', 'limit']));
		expect(fields.find(({ id }) => id === 'sound')?.type).toBe('boolean');
		expect(fields.find(({ id }) => id === 'limit')?.type).toBe('number');
		expect(tenant.asked).toContain(`GET /third-party/v1/settings/${path}`);
		expect(tenant.asked.filter((asked) => !asked.startsWith('GET '))).toEqual([]);
	});

	it.each<[string, unknown]>([
		['null', null],
		['a list', [{ a: 1 }]],
		['empty', {}],
		['a text', 'x'],
		['a number', 7],
		['deep', deep(3000)],
		['full of odd names', JSON.parse('{"__proto__":1,"constructor":2,"":3,"=x":4,"a\\"]":5,"toString":6}')],
		['nulls', { a: null, b: null }],
		[
			'of 5,000 members',
			Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`s${index}`, index])),
		],
		['with a name of 1 MB', { ['x'.repeat(1_000_000)]: 1 }],
		['with a value of 3 MB', { a: 'x'.repeat(3_000_000) }],
	])('is quiet where the settings are %s', async (_name, data) => {
		settings(data);
		const shown = await form();
		expectQuiet(shown);
		expect(shown.fields.length).toBeLessThanOrEqual(201);
		expect(JSON.stringify(shown).length).toBeLessThan(200_000);
	});

	it('has what is described and what is returned, each once', async () => {
		settings(
			{ sound: true, more: 1 },
			json({
				openapi: '3.0.0',
				paths: {
					'/settings/general': {
						patch: {
							requestBody: {
								content: {
									'application/json': {
										schema: {
											type: 'object',
											properties: { sound: { type: 'boolean' }, described: { type: 'string' } },
										},
									},
								},
							},
						},
					},
				},
			}),
		);
		const { fields } = await form();
		expect(fields.map(({ id }) => id).sort()).toEqual(['described', 'more', 'sound']);
	});

	it('has what is described where the settings are refused', async () => {
		tenant.answer((request, reply) =>
			request.url.includes('/support/openapi')
				? json({
						openapi: '3.0.0',
						paths: {
							'/settings/general': {
								patch: {
									requestBody: {
										content: {
											'application/json': { schema: { properties: { described: { type: 'string' } } } },
										},
									},
								},
							},
						},
					})(request, reply)
				: json({ message: 'no' }, 403)(request, reply),
		);
		expect((await form()).fields.map(({ id }) => id)).toEqual(['described']);
	});

	it('sends a value with the type that it is returned with', async () => {
		settings({ sound: true, limit: 5, title: 'x', opening: { mo: '9' }, list: [1] });
		const { fields } = await form();
		const bodies: unknown[] = [];
		tenant.answer(({ body }) => {
			bodies.push(body);
			return { data: body };
		});
		const { error } = await runNode({
			credentials: tenant.credentials,
			parameters: {
				...{ resource: 'settings', operation: 'update', category: 'general' },
				tenantFields: {
					mappingMode: 'defineBelow',
					value: { sound: false, limit: '7', title: '8', opening: '{"tu":"10"}', list: '[2]' },
					schema: fields,
				} as never,
			},
		});
		expect(error).toBeUndefined();
		expect(bodies).toEqual([{ sound: false, limit: 7, title: '8', opening: { tu: '10' }, list: [2] }]);
	});
});
