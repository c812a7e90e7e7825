import { execFile } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';

import type { INode, INodeParameters, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';
import type { FastifyReply } from 'fastify';

import { editorOf } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { byId, TestTenant } from '../../engine/tenant.mts';
import { nodeDescription } from '../../matrix/shownParameters.mts';

/** Fields that no project has seen, for every request that takes them from the description. */
const DESCRIPTION = `
openapi: 3.0.3
servers: [{url: https://tenant.example/third-party/v1}]
paths:
  /settings/general:
    patch: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/General'}}}}}
  /settings/crm:
    patch: {requestBody: {content: {application/json: {schema: {properties: {crm_key: {type: string}}}}}}}
  /settings/third-party:
    patch: {requestBody: {content: {application/json: {schema: {properties: {webhook_ids: {type: array}}}}}}}
  /tags:
    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Tag'}}}}}
  /tags/{tag}:
    patch: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Tag'}}}}}
  /groups:
    post: {requestBody: {content: {application/json: {schema: {properties: {lead: {type: integer}}}}}}}
  /groups/{id}:
    patch: {requestBody: {content: {application/json: {schema: {properties: {lead: {type: integer}}}}}}}
  /templates:
    post: {requestBody: {content: {application/json: {schema: {required: [family], properties: {family: {type: string}}}}}}}
  /profiles/{id}:
    patch: {requestBody: {content: {application/json: {schema: {properties: {name: {type: string}, shoe_size: {type: number}}}}}}}
  /customers/bulk-import:
    post: {requestBody: {content: {application/json: {schema: {properties: {customers: {type: array, items: {properties: {
      profile: {properties: {email: {type: string}, shoe_size: {type: number}, is_vip: {type: boolean}}}}}}}}}}}}
  /conversations/{id}/messages:
    post: {requestBody: {content: {application/json: {schema: {properties: {type: {
      oneOf: [{const: hologram, title: Hologram (3D)}, {const: text, title: Plain Text}, {enum: [riddle]}]}}}}}}}
components:
  schemas:
    General:
      properties:
        id: {type: integer, readOnly: true}
        greeting: {type: string}
        seats: {type: integer, nullable: true}
        ratio: {type: number}
        is_open: {type: boolean}
        founded_on: {type: string, format: date}
        closes_at: {type: string, format: date-time}
        days: {type: array, items: {type: string}}
        theme: {type: object}
        tier: {type: string, enum: [gold, silver]}
        level: {type: integer, enum: [1, 2]}
        anything: {}
        a.b c: {type: integer}
        toString: {type: string}
    Tag: {allOf: [{properties: {title: {type: string}}}, {properties: {colour: {enum: [red, green]}}}]}
`;

const tenant = TestTenant.inEachTest({ description: DESCRIPTION });
const odd = OddTenant.inEachTest();

const answers = (text: string) => async (_request: unknown, reply: FastifyReply) =>
	await reply.type('text/yaml').send(text);

/** Credentials that no test has used before: their description is not kept. */
let accounts = 0;
const freshCredentials = () => ({ ...odd.credentials, accessToken: `token-${accounts++}` });

async function fieldsFor(
	parameters: INodeParameters,
	credentials = tenant.credentials,
	method = 'getTenantFields',
	settings: Partial<INode> = {},
): Promise<ResourceMapperFields> {
	const { methods, context } = await editorOf({ parameters, credentials, settings });
	const found = await methods.resourceMapping?.[method].call(context);
	if (!found) throw new Error(`There is no ${method}`);
	return found;
}

const SETTINGS = { resource: 'settings', operation: 'update', category: 'general' };
const CREATE_GROUP = { resource: 'group', operation: 'create' };
const CREATE_TAG = { resource: 'tag', operation: 'create', title: 'Fresh' };

const names = ({ fields }: ResourceMapperFields) => fields.map(({ id }) => id);

describe('fields that the tenant describes', () => {
	it.each([
		[{ ...SETTINGS, category: 'crm' }, ['crm_key', 'provider', 'sync_profiles', 'base_url']],
		[{ ...SETTINGS, category: 'thirdParty' }, ['webhook_ids', 'analytics_enabled', 'analytics_id']],
		[{ resource: 'tag', operation: 'create' }, ['colour']],
		[{ resource: 'tag', operation: 'update' }, ['colour']],
		[{ resource: 'group', operation: 'create' }, ['lead']],
		[{ resource: 'group', operation: 'update' }, ['lead']],
		[{ resource: 'template', operation: 'create' }, ['family']],
		[{ resource: 'profile', operation: 'update' }, ['name', 'shoe_size']],
	])('are offered for %j', async (parameters, expected) => {
		expect(names(await fieldsFor(parameters))).toEqual(expected);
	});

	it('are columns of a bulk import, behind those of the interface', async () => {
		const { fields } = await fieldsFor(
			{ resource: 'customer', operation: 'bulkImport' },
			tenant.credentials,
			'getImportColumns',
		);
		expect(fields.map(({ id }) => id)).toEqual([
			...['displayId', 'name', 'email', 'marketingOptIn', 'tags', 'dateOfBirth', 'address'],
			...['custom1', 'custom2', 'custom3', 'custom4', 'custom5', 'channel', 'shoe_size', 'is_vip'],
		]);
		expect(fields.slice(-2)).toMatchObject([
			{ type: 'number', required: false, removed: true },
			{ type: 'boolean', required: false, removed: true },
		]);
	});

	describe('under the name of a parameter', () => {
		const CREATE_TEMPLATE = { resource: 'template', operation: 'create' };
		const schema = { 'application/json': { schema: { properties: { name: {}, components: {}, lead: {} } } } };
		const described = async (tenantFields?: object) => {
			const post = { requestBody: { content: schema } };
			odd.answer(answers(JSON.stringify({ paths: { '/templates': { post } } })));
			const parameters = { ...CREATE_TEMPLATE, ...(tenantFields && { tenantFields }) };
			return names(await fieldsFor(parameters as INodeParameters, freshCredentials()));
		};

		it('are not offered again', async () => {
			expect(await described()).toEqual(['lead']);
		});

		it('stay where a workflow has mapped them before', async () => {
			const mapping = { mappingMode: 'defineBelow', value: { name: 'fresh', components: null } };
			expect(await described(mapping)).toEqual(['name', 'lead']);
			expect(await described({ mappingMode: 'autoMapInputData', value: null })).toEqual([
				'name',
				'components',
				'lead',
			]);
		});
	});

	it('are offered without a category too, which n8n leaves out where it is the default', async () => {
		expect(names(await fieldsFor({ resource: 'settings', operation: 'update' }))).toContain('greeting');
	});
});

describe('a node without a credential, as a new one is', () => {
	const asked = async (parameters: INodeParameters, method?: string) => {
		tenant.sandbox.clearRequests();
		const found = await fieldsFor(parameters, tenant.credentials, method, { credentials: undefined });
		expect(tenant.sent()).toEqual([]);
		return found;
	};

	it('has the fixed columns of a bulk import', async () => {
		const { fields } = await asked({ resource: 'customer', operation: 'bulkImport' }, 'getImportColumns');
		expect(fields.map(({ id }) => id)).toEqual([
			...['displayId', 'name', 'email', 'marketingOptIn', 'tags', 'dateOfBirth', 'address'],
			...['custom1', 'custom2', 'custom3', 'custom4', 'custom5', 'channel'],
		]);
	});

	it.each([SETTINGS, CREATE_TAG, CREATE_GROUP, { resource: 'profile', operation: 'update' }])(
		'has a notice in place of fields for %j',
		async (parameters) => {
			expect(await asked(parameters)).toEqual({
				fields: [],
				emptyFieldsNotice:
					'Choose a credential and open the node again, and the fields of your tenant appear here.',
			});
		},
	);

	it('keeps what is mapped', async () => {
		const schema = [{ id: 'colour', displayName: 'Colour' }];
		const tenantFields = { mappingMode: 'defineBelow', value: { colour: 'red' }, schema };
		expect((await asked({ ...CREATE_TAG, tenantFields } as never)).fields).toEqual(schema);
	});

	it.each([
		[{ tenantDomain: 'tenant.example/login' }, 'The tenant domain contains a path'],
		[{ accessToken: ' ' }, 'The access token is empty'],
	])('with a credential that is unusable (%j) has the reason and the columns', async (more, reason) => {
		const credentials = { ...odd.credentials, ...more };
		expect((await fieldsFor(CREATE_TAG, credentials)).emptyFieldsNotice).toContain(reason);
		const columns = await fieldsFor(
			{ resource: 'customer', operation: 'bulkImport' },
			credentials,
			'getImportColumns',
		);
		expect(columns.fields).toHaveLength(13);
	});
});

describe('a form without fields', () => {
	it('has only its notice, without an error of n8n', async () => {
		const { properties } = await nodeDescription();
		const forms = properties.filter(({ name }) => name === 'tenantFields');
		expect(forms.length).toBeGreaterThan(4);
		for (const { typeOptions } of forms) expect(typeOptions?.resourceMapper?.hideNoDataError).toBe(true);
	});
});

describe('settings', () => {
	/** What the odd tenant has and describes. */
	const has = (settings: object | number, description = 'paths: {}') =>
		odd.answer(async (request, reply) => {
			if (request.url.endsWith('/openapi')) return await answers(description)(request, reply);
			return typeof settings === 'number'
				? await reply.code(settings).send({ message: 'No' })
				: { data: settings };
		});

	const CURRENT = {
		company_name: 'Parcels',
		seats: 5,
		is_open: false,
		days: ['mon'],
		theme: { colour: 'red' },
		closed_on: null,
	};

	it.each([
		['general', 'general'],
		['crm', 'crm'],
		['thirdParty', 'third-party'],
	])('of %s are those that Get returns, with the types of their values', async (category, path) => {
		has(CURRENT);
		const { fields } = await fieldsFor({ ...SETTINGS, category }, freshCredentials());
		expect(odd.asked).toContain(`GET /third-party/v1/settings/${path}`);
		expect(fields.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
			['company_name', 'Company Name', 'string'],
			['seats', 'Seats', 'number'],
			['is_open', 'Is Open', 'boolean'],
			['days', 'Days', 'array'],
			['theme', 'Theme', 'object'],
			['closed_on', 'Closed On', 'string'],
		]);
	});

	it('go out with these types', async () => {
		has(CURRENT);
		const { fields } = await fieldsFor(SETTINGS, freshCredentials());
		const value = { seats: '7', is_open: '={{ "yes" }}', days: '["tue"]', closed_on: '={{ null }}' };
		const tenantFields = { mappingMode: 'defineBelow', value, schema: fields };
		tenant.sandbox.clearRequests();
		await tenant.run({ ...SETTINGS, tenantFields } as never);
		expect(tenant.sent().map(({ body }) => body)).toEqual([
			'{"seats":7,"is_open":true,"days":["tue"],"closed_on":null}',
		]);
	});

	it('stand behind those that the description names, which knows more of them', async () => {
		has(CURRENT, DESCRIPTION);
		const { fields } = await fieldsFor(SETTINGS, freshCredentials());
		expect(names({ fields }).slice(-3)).toEqual(['toString', 'company_name', 'closed_on']);
		expect(fields.find(({ id }) => id === 'seats')).toMatchObject({ jsonType: 'integer', nullable: true });
	});

	it('that cannot be read are told of, and what is mapped stays', async () => {
		has(403);
		const credentials = freshCredentials();
		expect((await fieldsFor(SETTINGS, credentials)).emptyFieldsNotice).toBe(
			'The fields of your tenant are not listed, since its settings cannot be read: No. Fields that you know can be sent with Other Fields.',
		);
		const schema = [{ id: 'locale', displayName: 'Locale' }];
		const tenantFields = { mappingMode: 'defineBelow', value: { locale: 'de' }, schema };
		expect((await fieldsFor({ ...SETTINGS, tenantFields } as never, credentials)).fields).toEqual(schema);
	});

	it('that are many, or have names that no form takes, are listed as far as a person can look', async () => {
		has(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`s${index}`, index])));
		const { fields } = await fieldsFor(SETTINGS, freshCredentials());
		expect(fields).toHaveLength(200);
		expect(fields.at(-1)?.displayName).toBe('S199 (further fields are not listed: use Other Fields)');
		has({ '__proto__ ': 1, 'a"b': 1, ['x'.repeat(101)]: 1, fine: 1 });
		expect(names(await fieldsFor(SETTINGS, freshCredentials()))).toEqual(['__proto__ ', 'fine']);
	});
});

describe('mapped fields', () => {
	/** What the editor keeps when these values are mapped. */
	async function mapped(parameters: INodeParameters, value: Record<string, unknown>) {
		const { fields } = await fieldsFor(parameters);
		return {
			...parameters,
			tenantFields: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: fields },
		} as unknown as INodeParameters;
	}

	async function sentBody(parameters: INodeParameters, byRoutingEngine: boolean, json = {}): Promise<string> {
		tenant.sandbox.clearRequests();
		const { error } = await tenant.run(parameters, { byRoutingEngine, items: [{ json }] });
		expect(error && `${error.message}\n${error.description}`).toBeUndefined();
		const [request, ...others] = tenant.sent();
		expect(others).toEqual([]);
		return request.body;
	}

	it.each([false, true])(
		'go out under their own names with their JSON types (routing engine: %s)',
		async (engine) => {
			const parameters = await mapped(SETTINGS, {
				greeting: '={{ 5 }}',
				seats: '12',
				ratio: '={{ $json.ratio }}',
				is_open: 'true',
				founded_on: '={{ "17.05.1990" }}',
				closes_at: '2026-03-01T18:00:00.000Z',
				days: '["mon", "tue"]',
				theme: '={{ { colour: $json.colour } }}',
				tier: 'gold',
				level: 2,
				anything: '={{ [1, null] }}',
				'a.b c': '={{ $json["a.b c"] }}',
				toString: 'own',
			});
			expect(await sentBody(parameters, engine, { ratio: '0.5', colour: 'red', 'a.b c': '7' })).toBe(
				JSON.stringify({
					greeting: '5',
					seats: 12,
					ratio: 0.5,
					is_open: true,
					founded_on: '1990-05-17',
					closes_at: '2026-03-01T18:00:00.000Z',
					days: ['mon', 'tue'],
					theme: { colour: 'red' },
					tier: 'gold',
					level: 2,
					anything: [1, null],
					'a.b c': 7,
					toString: 'own',
				}),
			);
		},
	);

	it('null clears a field, and an empty text one that takes text; one that was only added is not sent', async () => {
		const parameters = await mapped(SETTINGS, {
			greeting: '',
			seats: '={{ null }}',
			ratio: '={{ $json.missing ?? "" }}',
			tier: null,
			is_open: false,
		});
		expect(await sentBody(parameters, false)).toBe('{"greeting":"","seats":null,"is_open":false}');
	});

	it('one that the input does not have is an error in an update', async () => {
		const { error } = await tenant.run(await mapped(SETTINGS, { ratio: '={{ $json.missing }}' }));
		expect(error?.message).toBe('Ratio has no value');
		expect(tenant.sent().filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	it('a day from the calendar is that day, a time without a zone is one of the workflow', async () => {
		const parameters = await mapped(SETTINGS, {
			founded_on: '2026-03-01T00:00:00',
			closes_at: '2026-03-01T18:00:00',
		});
		const body = JSON.parse(await sentBody(parameters, false)) as Record<string, string>;
		expect(body.founded_on).toBe('2026-03-01');
		expect(body.closes_at).toMatch(/^2026-03-01T18:00:00\.000([+-]\d\d:\d\d|Z)$/);
	});

	it.each([
		['seats', '={{ "many" }}', 'Seats "many" is not a number'],
		['seats', '={{ "9007199254740993" }}', 'Seats "9007199254740993" has more digits than a number keeps'],
		['is_open', '={{ "maybe" }}', 'Is Open "maybe" is neither true nor false'],
		['founded_on', '={{ "31.02.1990" }}', 'Founded On "31.02.1990" is not a date'],
		['days', '={{ { mon: 1 } }}', 'Days is not a JSON array'],
		['theme', '={{ "[" }}', 'Theme is not valid JSON: '],
	])('a value that %s cannot have is refused: %s', async (field, value, message) => {
		const { error } = await tenant.run(await mapped(SETTINGS, { [field]: value }));
		expect(error?.message).toContain(message);
		expect(error?.description).toMatch(/^(Enter|Use|Send) /);
		expect(tenant.sent().filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	it('a value that the description does not list goes out, the tenant decides', async () => {
		expect(await sentBody(await mapped(SETTINGS, { tier: '={{ "bronze" }}' }), false)).toBe(
			'{"tier":"bronze"}',
		);
	});

	it('stand beside the parameters that were there before, and Other Fields win', async () => {
		const tag = await mapped({ ...CREATE_TAG, fieldsJson: '{"icon": "star"}' }, { colour: 'red' });
		expect(await sentBody(tag, false)).toBe('{"title":"Fresh","colour":"red","icon":"star"}');
		const profile = await mapped(
			{
				resource: 'profile',
				operation: 'update',
				profileId: byId(500001),
				updateFields: { custom1: 'x' },
				fields: { field: [{ name: 'shoe_size', value: '={{ 44 }}' }] },
			},
			{ name: 'Nora', shoe_size: 43 },
		);
		expect(await sentBody(profile, false)).toBe('{"custom_1":"x","name":"Nora","shoe_size":44}');
	});

	it('are taken from the input by their names', async () => {
		const { fields } = await fieldsFor(SETTINGS);
		const auto = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: fields };
		const parameters = { ...SETTINGS, tenantFields: auto } as unknown as INodeParameters;
		expect(await sentBody(parameters, false, { seats: '3', greeting: 'Hi', unknown: 1, id: 5 })).toBe(
			'{"greeting":"Hi","seats":3}',
		);
		const unseen = await tenant.run({
			...SETTINGS,
			tenantFields: { mappingMode: 'autoMapInputData', value: null },
		});
		expect(unseen.error?.message).toBe(
			'Tenant Fields are to be taken from the input, but which they are is not known',
		);
	});

	it('that were mapped without the editor go out as they are', async () => {
		const parameters = {
			...SETTINGS,
			tenantFields: { mappingMode: 'defineBelow', value: { seats: 5, greeting: '={{ $json.greeting }}' } },
		};
		expect(await sentBody(parameters, false, { greeting: 'Hi' })).toBe('{"seats":5,"greeting":"Hi"}');
	});

	it('are columns of a bulk import', async () => {
		const { fields } = await fieldsFor(
			{ resource: 'customer', operation: 'bulkImport' },
			tenant.credentials,
			'getImportColumns',
		);
		const columns = (mapping: object) =>
			({
				resource: 'customer',
				operation: 'bulkImport',
				columns: { matchingColumns: [], schema: fields, ...mapping },
			}) as unknown as INodeParameters;
		const customer = { channel: 'chatapp', display_id: '491710000001', name: 'Nora' };
		const mappedByHand = columns({
			mappingMode: 'defineBelow',
			value: { displayId: '+49 171 0000001', name: 'Nora', shoe_size: '={{ $json.size }}', is_vip: true },
		});
		expect(await sentBody(mappedByHand, false, { size: '43' })).toBe(
			JSON.stringify({
				duplicates: 'override',
				customers: [{ ...customer, profile: { shoe_size: 43, is_vip: true } }],
			}),
		);
		const auto = columns({ mappingMode: 'autoMapInputData', value: null });
		const json = { displayId: '491710000001', name: 'Nora', shoe_size: 'big', email: 'n@mail.example' };
		tenant.sandbox.clearRequests();
		const { items } = await tenant.run(auto, { items: [{ json }] });
		expect(JSON.parse(tenant.sent()[0].body)).toMatchObject({
			customers: [{ ...customer, profile: { email: 'n@mail.example' } }],
		});
		expect(items[0].json.findings).toMatchObject([
			{ problem: 'Shoe Size "big" is not a number', done: 'value skipped' },
		]);
	});
});

describe('types of messages', () => {
	async function typesFor(credentials = tenant.credentials, filter?: string) {
		const { methods, context } = await editorOf({
			parameters: { resource: 'message', operation: 'send', messageType: 'custom' },
			credentials,
		});
		const found = await methods.listSearch?.searchMessageTypes.call(context, filter);
		return found?.results.map(({ name, value }) => (name === value ? value : [name, value]));
	}

	it('are those of the description and of the channels, each once', async () => {
		expect(await typesFor()).toEqual([
			...['audio', 'contact', 'document', ['Hologram (3D)', 'hologram'], 'image', 'location'],
			...[['Plain Text', 'text'], 'riddle', 'template', 'video'],
		]);
		expect(await typesFor(tenant.credentials, ' holo')).toEqual([['Hologram (3D)', 'hologram']]);
	});

	it.each([
		['the description only', '/support/openapi', DESCRIPTION, ['hologram', 'text', 'riddle']],
		['the channels only', '/support/channels', '{"data": [{"message_type": ["riddle"]}, {}]}', ['riddle']],
		['neither', '/nowhere', '', ['audio', 'contact', 'document', 'image', 'location', 'text', 'video']],
	])('where the tenant lists them in %s', async (_where, path, text, expected) => {
		odd.answer(async (request, reply) =>
			request.url.endsWith(path) ? await reply.send(text) : await reply.code(403).send({}),
		);
		expect((await typesFor(freshCredentials()))?.map((type) => [type].flat().at(-1))).toEqual(expected);
	});

	it('go out with the body that belongs to them', async () => {
		await tenant.run({
			resource: 'message',
			operation: 'send',
			conversationId: '2001',
			messageType: 'custom',
			customType: { __rl: true, mode: 'list', value: 'hologram' },
			customBody: '{ "hologram": { "depth": 3 } }',
		});
		expect(tenant.sent().map(({ body }) => body)).toEqual(['{"type":"hologram","hologram":{"depth":3}}']);
	});
});

describe('reading the description', () => {
	it('needs a parser, which n8n does not load at its start', async () => {
		const node = path.resolve(
			import.meta.dirname,
			'../../../dist/nodes/CustomerMessaging/CustomerMessaging.node.js',
		);
		const script = `require(${JSON.stringify(node)}); console.log(Object.keys(require.cache).join('\\n'));`;
		const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
		const loaded = stdout.split('\n').filter((file) => file.includes('CustomerMessaging'));
		// The nodes share parts, which are neither the reader nor its parser.
		expect(loaded.filter((file) => !/\/CustomerMessaging\/part-\w+\.js$/.test(file))).toEqual([node]);
	});

	it('is one request for many that ask, also at once', async () => {
		odd.answer(answers(DESCRIPTION));
		const credentials = freshCredentials();
		await Promise.all([fieldsFor(CREATE_GROUP, credentials), fieldsFor(CREATE_TAG, credentials)]);
		await fieldsFor({ resource: 'customer', operation: 'bulkImport' }, credentials, 'getImportColumns');
		expect(odd.asked).toEqual(['GET /third-party/v1/support/openapi']);
	});

	it('is kept apart for every tenant and token', async () => {
		odd.answer(async (request, reply) => {
			const field = String(request.headers.authorization).replace(/\W/g, '_');
			return await reply.send({
				paths: {
					'/tags': {
						post: {
							requestBody: {
								content: { 'application/json': { schema: { properties: { [field]: {} } } } },
							},
						},
					},
				},
			});
		});
		const [first, second] = [freshCredentials(), freshCredentials()];
		for (let round = 0; round < 2; round++) {
			for (const credentials of [first, second]) {
				expect(names(await fieldsFor(CREATE_TAG, credentials))).toEqual([
					`Bearer_${credentials.accessToken.replace('-', '_')}`,
				]);
			}
		}
		expect(odd.asked).toHaveLength(2);
		expect(names(await fieldsFor(CREATE_TAG))).toEqual(['colour']);
	});

	const saved = [{ id: 'colour', displayName: 'Colour', type: 'string' }] as ResourceMapperField[];

	it.each([
		['is missing', 404, '{"message":"Not found"}', 'cannot be read: Not found'],
		['is forbidden', 403, '', 'cannot be read: The user behind the access token may not do this (HTTP 403)'],
		['fails', 500, '', 'cannot be read: The service had an internal problem (HTTP 500)'],
		['is a page', 200, '<!doctype html><html></html>', 'is not OpenAPI in YAML or JSON'],
		['is no YAML', 200, '{[}', 'is not OpenAPI in YAML or JSON'],
		['is nested without end', 200, `paths: ${'['.repeat(100_000)}`, 'is not OpenAPI in YAML or JSON'],
	])('that %s: says so, and what is mapped stays', async (_what, status, text, problem) => {
		odd.answer(async (_request, reply) => await reply.code(status).send(text));
		const credentials = freshCredentials();
		const found = await fieldsFor(CREATE_TAG, credentials);
		expect(found).toEqual({
			fields: [],
			emptyFieldsNotice: `The fields of your tenant are not listed, since its description ${problem}. Fields that you know can be sent with Other Fields.`,
		});
		const mapping = { mappingMode: 'defineBelow', value: { colour: 'red' }, schema: saved };
		const opened = { ...CREATE_TAG, tenantFields: mapping } as unknown as INodeParameters;
		expect((await fieldsFor(opened, credentials)).fields).toEqual(saved);
		const columns = await fieldsFor(
			{ resource: 'customer', operation: 'bulkImport', columns: mapping } as unknown as INodeParameters,
			credentials,
			'getImportColumns',
		);
		expect(names(columns).slice(-2)).toEqual(['channel', 'colour']);
	});

	it('a message of the tenant is no HTML in the editor', async () => {
		odd.answer(async (_request, reply) => await reply.code(403).send({ message: 'No <b>way</b> & more' }));
		expect((await fieldsFor(CREATE_TAG, freshCredentials())).emptyFieldsNotice).toContain(
			'No &lt;b&gt;way&lt;/b&gt; &amp; more',
		);
	});

	it('that is larger than 5 MB ends there', async () => {
		let sent = 0;
		const chunk = Buffer.alloc(64 * 1024, '#\n');
		odd.answer(
			async (_request, reply) =>
				await reply.send(
					Readable.from(
						(function* () {
							for (; sent < 50 * 1024 * 1024; sent += chunk.length) yield chunk;
						})(),
					),
				),
		);
		expect((await fieldsFor(CREATE_TAG, freshCredentials())).emptyFieldsNotice).toContain('larger than 5 MB');
		expect(sent).toBeLessThan(30 * 1024 * 1024);
	});

	it.each(['within the answer', 'before the answer'])('that never ends, %s, is given up', async (when) => {
		let closed: Promise<unknown> = Promise.resolve();
		odd.answer(async (_request, reply) => {
			closed = once(reply.raw, 'close');
			if (when === 'within the answer') {
				reply.hijack();
				reply.raw.write('paths:\n');
			} else await closed;
		});
		const startedAt = Date.now();
		const { emptyFieldsNotice } = await fieldsFor(CREATE_TAG, freshCredentials());
		expect(emptyFieldsNotice).toContain('its description did not come within 10 seconds');
		expect(Date.now() - startedAt).toBeLessThan(20_000);
		await closed;
	});

	it('that breaks off is not taken for whole', async () => {
		odd.answer((_request, reply) => {
			reply.hijack();
			reply.raw.writeHead(200, { 'content-length': '1000' });
			reply.raw.write('paths:\n', () => reply.raw.destroy());
		});
		expect((await fieldsFor(CREATE_TAG, freshCredentials())).emptyFieldsNotice).toContain('broke off');
	});

	it('that names no fields, or more than can be listed, says so', async () => {
		odd.answer(answers('paths: {}'));
		const credentials = freshCredentials();
		for (const parameters of [CREATE_GROUP, CREATE_TAG, { resource: 'template', operation: 'create' }]) {
			expect((await fieldsFor(parameters, credentials)).emptyFieldsNotice).toBe(
				'Your tenant describes no further fields for this. Fields that you know can be sent with Other Fields.',
			);
		}
		const profile = await fieldsFor({ resource: 'profile', operation: 'update' }, credentials);
		expect(profile.emptyFieldsNotice).toBe(
			'Your tenant describes no fields for this. Fields that you know can be sent with Other Fields.',
		);
		const properties = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`p${index}`, {}]));
		const content = { 'application/json': { schema: { properties } } };
		odd.answer(answers(JSON.stringify({ paths: { '/tags': { post: { requestBody: { content } } } } })));
		const found = await fieldsFor(CREATE_TAG, freshCredentials());
		expect(found.fields).toHaveLength(200);
		expect(found.emptyFieldsNotice).toContain('100 fields that cannot be listed here');
	});

	it('is not tried where the category comes from an expression', async () => {
		const found = await fieldsFor({ ...SETTINGS, category: '={{ $json.category }}' }, freshCredentials());
		expect(found).toMatchObject({ fields: [], emptyFieldsNotice: expect.stringContaining('expression') });
		expect(odd.asked).toEqual([]);
	});
});
