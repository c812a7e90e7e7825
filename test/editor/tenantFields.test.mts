import type { FastifyReply, FastifyRequest } from 'fastify';
import type {
	INode,
	INodeListSearchItems,
	INodeParameters,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { editorOf } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId, TestTenant } from '../engine/tenant.mts';
import { nodeDescription } from '../description/nodeDescription.mts';

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
    Tag: {allOf: [{properties: {title: {type: string}}}, {properties: {colour: {type: string, enum: [red, green]}}}]}
`;

const tenant = TestTenant.inEachTest({ description: DESCRIPTION });
// Some of its answers never end, or break off.
const odd = OddTenant.inEachTest({ isFar: true });

type Answer = (request: FastifyRequest, reply: FastifyReply) => unknown;

const text =
	(body: string, type = 'text/yaml', status = 200): Answer =>
	(_request, reply) =>
		reply.code(status).type(type).send(body);
const json = (body: unknown, status = 200) => text(JSON.stringify(body), 'application/json', status);

/** What the odd tenant describes, and its settings. */
const has = (description: Answer, settings: Answer = json({ message: 'No' }, 403)) =>
	odd.answer((request, reply) => (request.url.endsWith('/openapi') ? description : settings)(request, reply));

/** Credentials that no test has used before: their description is not kept. Each request is tried once. */
let accounts = 0;
const freshCredentials = () => ({
	...odd.credentials,
	accessToken: `fresh-token-${accounts++}`,
	advanced: { settings: { maximumTries: 1 } },
});

async function fieldsFor(
	parameters: INodeParameters,
	credentials: typeof tenant.credentials = tenant.credentials,
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
const CREATE_TEMPLATE = { resource: 'template', operation: 'create' };
const BULK_IMPORT = { resource: 'customer', operation: 'bulkImport' };

/** The forms whose fields the tenant describes, and those that it describes for each. */
const FORMS: Array<[INodeParameters, string[]]> = [
	[{ ...SETTINGS, category: 'crm' }, ['crm_key', 'provider', 'sync_profiles', 'base_url']],
	[{ ...SETTINGS, category: 'thirdParty' }, ['webhook_ids', 'analytics_enabled', 'analytics_id']],
	[{ resource: 'tag', operation: 'create' }, ['colour']],
	[{ resource: 'tag', operation: 'update' }, ['colour']],
	[CREATE_GROUP, ['lead']],
	[{ resource: 'group', operation: 'update' }, ['lead']],
	[CREATE_TEMPLATE, ['family']],
	[{ resource: 'profile', operation: 'update' }, ['shoe_size']],
];

const names = ({ fields }: ResourceMapperFields) => fields.map(({ id }) => id);

/** The entries of the list from which a field is chosen. */
async function listed(
	parameters: INodeParameters,
	credentials: typeof tenant.credentials = tenant.credentials,
	settings: Partial<INode> = {},
	typed = '',
): Promise<INodeListSearchItems[]> {
	const { methods, context } = await editorOf({ parameters, credentials, settings });
	return (await methods.listSearch?.searchTenantFields.call(context, typed))?.results ?? [];
}

/** The names of the fields that a form or a list offers, and what it says about those that are missing. */
async function offered(parameters: INodeParameters, ...more: [typeof tenant.credentials?, Partial<INode>?]) {
	if (parameters.resource === 'settings') {
		const [credentials, settings] = more;
		const found = await fieldsFor(parameters, credentials, 'getTenantFields', settings);
		const labels = found.fields.map(({ displayName }) => displayName);
		return { names: names(found), labels, notice: found.emptyFieldsNotice ?? '' };
	}
	const found = await listed(parameters, ...more).catch((error: Error) => error);
	const entries = found instanceof Error ? [{ name: found.message, value: '' }] : found;
	const fields = entries.filter(({ value }) => value !== '');
	return {
		names: fields.map(({ value }) => String(value).replace(/ \([a-z -]+\)$/, '')),
		labels: fields.map(({ name }) => name),
		notice: entries.find(({ value }) => value === '')?.name ?? '',
	};
}

/** A row of Other Fields whose name was chosen from the list. */
const chosen = (value: string, given: unknown, cachedResultName = 'Chosen') => ({
	name: { __rl: true, mode: 'list', value, cachedResultName },
	value: given,
});
const rows = (...field: object[]) => ({ field }) as unknown as INodeParameters;

/** A mapping as a workflow has stored it. */
const stored = (value: object | null, schema: object[] = [], mappingMode = 'defineBelow') =>
	({ mappingMode, value, schema }) as unknown as INodeParameters;

const MISSING = 'The fields of your account are not listed, since';
const WAY_OUT = 'Fields that you know can be sent with Other Fields.';

describe('fields that the tenant describes', () => {
	it.each(FORMS)('are offered for %j', async (parameters, expected) => {
		expect((await offered(parameters)).names).toEqual(expected);
	});

	it('are offered without a category too, which n8n leaves out where it is the default', async () => {
		expect(names(await fieldsFor({ resource: 'settings', operation: 'update' }))).toContain('greeting');
	});

	it('under the name of a parameter are not offered again', async () => {
		const schema = { 'application/json': { schema: { properties: { name: {}, components: {}, lead: {} } } } };
		has(json({ paths: { '/templates': { post: { requestBody: { content: schema } } } } }));
		expect((await offered(CREATE_TEMPLATE, freshCredentials())).names).toEqual(['components', 'lead']);
	});

	it('are found by their labels, their names and their types', async () => {
		const found = async (typed: string) =>
			(await listed(SETTINGS, tenant.credentials, {}, typed)).map(({ value }) => value);
		expect(await found('Founded ON')).toEqual(['founded_on (date)']);
		expect(await found('closes_at')).toEqual(['closes_at (date-time)']);
		expect(await found('array')).toContain('days (array)');
		expect(await found('nowhere')).toEqual([]);
	});

	it('are listed by their names alone', async () => {
		expect(await listed(CREATE_TAG)).toEqual([{ name: 'Colour', value: 'colour (string)' }]);
	});

	it('are none for a category from an expression, and nobody is asked', async () => {
		const found = await fieldsFor({ ...SETTINGS, category: '={{ $json.category }}' }, freshCredentials());
		expect(found).toEqual({
			fields: [],
			emptyFieldsNotice: `${MISSING} what is to be written comes from an expression. ${WAY_OUT}`,
		});
		expect(odd.asked).toEqual([]);
	});

	it('that are none say so', async () => {
		has(text('paths: {}'));
		for (const [parameters] of FORMS.slice(2)) {
			expect((await offered(parameters, freshCredentials())).notice).toBe(
				'The service describes no further fields for this.',
			);
		}
	});

	it('have a form with their notice alone, without an error of n8n', async () => {
		const { properties } = await nodeDescription();
		const forms = properties.filter(({ name, type }) => name === 'tenantFields' && type === 'resourceMapper');
		expect(forms).not.toEqual([]);
		for (const { typeOptions } of forms) expect(typeOptions?.resourceMapper?.hideNoDataError).toBe(true);
	});
});

describe('a node without a usable credential', () => {
	const bare = { credentials: undefined };

	it('keeps what is mapped', async () => {
		const schema = [{ id: 'locale', displayName: 'Locale' }];
		const tenantFields = stored({ locale: 'de' }, schema);
		const found = await fieldsFor({ ...SETTINGS, tenantFields }, tenant.credentials, undefined, bare);
		expect(found.fields).toEqual(schema);
	});

	it.each([
		[{ tenantDomain: 'tenant.example/login' }, 'The Tenant Domain contains a path'],
		[{ tenantDomain: '' }, 'The Tenant Domain is empty'],
		[{ accessToken: ' ' }, 'The access token is empty'],
	])('has the reason and the columns of the interface where it is %j', async (more, reason) => {
		const credentials = { ...odd.credentials, ...more };
		for (const [form] of FORMS) expect((await offered(form, credentials)).notice).toContain(reason);
		expect(names(await fieldsFor(BULK_IMPORT, credentials, 'getImportColumns'))).toEqual(COLUMNS);
	});
});

const COLUMNS = [
	...['displayId', 'name', 'email', 'marketingOptIn', 'tags', 'dateOfBirth', 'address'],
	...['custom1', 'custom2', 'custom3', 'custom4', 'custom5', 'channel'],
];

describe('the columns of a bulk import', () => {
	it('are those of the interface without a credential, and nobody is asked', async () => {
		const found = await fieldsFor(BULK_IMPORT, tenant.credentials, 'getImportColumns', {
			credentials: undefined,
		});
		expect(names(found)).toEqual(COLUMNS);
		expect(found).not.toHaveProperty('emptyFieldsNotice');
		expect(tenant.sent()).toEqual([]);
	});

	it('are then those that the tenant describes for profiles, which are shown when they are added', async () => {
		const found = await fieldsFor(BULK_IMPORT, tenant.credentials, 'getImportColumns');
		expect(names(found)).toEqual([...COLUMNS, 'shoe_size', 'is_vip']);
		expect(found.fields.slice(-2)).toMatchObject([
			{ type: 'number', required: false, removed: true },
			{ type: 'boolean', required: false, removed: true },
		]);
	});
});

describe('the settings of a form', () => {
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
	])('of %s are those that Get returns, with the types of their values', async (category, tail) => {
		has(text('paths: {}'), json({ data: CURRENT }));
		const { fields } = await fieldsFor({ ...SETTINGS, category }, freshCredentials());
		expect(odd.asked.sort()).toEqual([
			`GET /third-party/v1/settings/${tail}`,
			'GET /third-party/v1/support/openapi',
		]);
		expect(fields.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
			['company_name', 'Company Name', 'string'],
			['seats', 'Seats', 'number'],
			['is_open', 'Is Open', 'boolean'],
			['days', 'Days', 'array'],
			['theme', 'Theme', 'object'],
			['closed_on', 'Closed On', 'string'],
		]);
	});

	it('stay in the form while they are mapped, when the tenant leaves them out', async () => {
		const schema = ['gone', 'unused', 'seats'].map((id) => ({
			id,
			displayName: `My ${id}`,
			type: 'number',
			valueType: 'number',
		}));
		const update = { ...SETTINGS, tenantFields: stored({ gone: 7, unused: null, seats: 1 }, schema) };
		has(text('paths: {}'), json({ data: { seats: 5 } }));
		const { fields } = await fieldsFor(update, freshCredentials());
		expect(fields).toMatchObject([
			{ id: 'seats', displayName: 'Seats' },
			{ id: 'gone', displayName: 'My gone', valueType: 'number' },
		]);
		expect(fields).toHaveLength(2);
	});

	it('are called by their names alone in an error', async () => {
		has(text('paths: {}'), json({ data: { seats: 5 } }));
		const { fields } = await fieldsFor(SETTINGS, freshCredentials());
		const update = { ...SETTINGS, tenantFields: stored({ seats: '={{ "many" }}' }, fields) };
		const { error } = await tenant.run(update);
		expect(error?.message).toBe('Seats "many" is not a number');
	});

	it('go out with these types', async () => {
		has(text('paths: {}'), json({ data: CURRENT }));
		const { fields } = await fieldsFor(SETTINGS, freshCredentials());
		const value = {
			...{ seats: '7', is_open: '={{ "yes" }}', days: '["tue"]', theme: '{"colour":"blue"}' },
			...{ company_name: '8', closed_on: '={{ null }}' },
		};
		tenant.sandbox.clearRequests();
		const update = { ...SETTINGS, tenantFields: stored(value, fields) };
		await tenant.run(update);
		await tenant.run({ ...update, options: { emptyCells: 'clear' } });
		expect(tenant.sent().map(({ body }) => body)).toEqual([
			'{"company_name":"8","seats":7,"is_open":true,"days":["tue"],"theme":{"colour":"blue"}}',
			'{"company_name":"8","seats":7,"is_open":true,"days":["tue"],"theme":{"colour":"blue"},"closed_on":null}',
		]);
	});

	it('stand behind those that the description names, which knows more of them', async () => {
		has(text(DESCRIPTION), json({ data: CURRENT }));
		const { fields } = await fieldsFor(SETTINGS, freshCredentials());
		expect(names({ fields }).slice(-3)).toEqual(['toString', 'company_name', 'closed_on']);
		expect(fields.find(({ id }) => id === 'seats')).toMatchObject({ valueType: 'integer', nullable: true });
	});

	it('that cannot be read are told of; what is mapped and what is described stays', async () => {
		has(text('paths: {}'));
		const credentials = freshCredentials();
		expect((await fieldsFor(SETTINGS, credentials)).emptyFieldsNotice).toBe(
			`${MISSING} its settings cannot be read: No. ${WAY_OUT}`,
		);
		const schema = [{ id: 'locale', displayName: 'Locale' }];
		const tenantFields = stored({ locale: 'de' }, schema);
		expect((await fieldsFor({ ...SETTINGS, tenantFields }, credentials)).fields).toEqual(schema);
		has(text(DESCRIPTION));
		expect(names(await fieldsFor(SETTINGS, freshCredentials()))).toContain('greeting');
	});
});

/** What is given for the fields of the settings, and what is sent then. */
const VALUES: Record<string, [given: unknown, sent: unknown]> = {
	greeting: ['={{ 5 }}', '5'],
	seats: ['12', 12],
	ratio: ['={{ $json.ratio }}', 0.5],
	is_open: ['true', true],
	founded_on: ['={{ "17.05.1990" }}', '1990-05-17'],
	closes_at: ['2026-03-01T18:00:00.000Z', '2026-03-01T18:00:00.000Z'],
	days: ['["mon", "tue"]', ['mon', 'tue']],
	theme: ['={{ { colour: "red" } }}', { colour: 'red' }],
	tier: ['gold', 'gold'],
	level: ['2', 2],
	anything: ['={{ [1, null] }}', [1, null]],
	'a.b c': ['7', 7],
	['toString' as string]: ['own', 'own'],
};

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
			const given = Object.entries(VALUES).map(([name, [value]]) => [name, value]);
			const parameters = await mapped(SETTINGS, Object.fromEntries(given));
			const sent = Object.entries(VALUES).map(([name, [, value]]) => [name, value]);
			expect(await sentBody(parameters, engine, { ratio: '0.5' })).toBe(
				JSON.stringify(Object.fromEntries(sent)),
			);
		},
	);

	it('a value that the description does not list goes out, the tenant decides', async () => {
		expect(await sentBody(await mapped(SETTINGS, { tier: '={{ "bronze" }}' }), false)).toBe(
			'{"tier":"bronze"}',
		);
	});

	it('give way to Other Fields', async () => {
		const settings = await mapped(SETTINGS, { seats: 43, greeting: 'Hi' });
		const fields = rows({ name: 'seats', value: '={{ 44 }}' });
		expect(await sentBody({ ...settings, fields }, false)).toBe('{"greeting":"Hi","seats":44}');
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
			'Settings are to be mapped automatically, but the settings of your account are not known',
		);
	});

	it('that were mapped without the editor go out as they are', async () => {
		const parameters = {
			...SETTINGS,
			tenantFields: { mappingMode: 'defineBelow', value: { seats: 5, greeting: '={{ $json.greeting }}' } },
		};
		expect(await sentBody(parameters, false, { greeting: 'Hi' })).toBe('{"seats":5,"greeting":"Hi"}');
	});
});

describe('fields that are chosen from the list', () => {
	it.each([false, true])(
		'go out under their own names with their JSON types (routing engine: %s)',
		async (byRoutingEngine) => {
			const entries = await listed(SETTINGS);
			const fields = entries.flatMap(({ name, value }) => {
				const field = String(value).replace(/ \([a-z -]+\)$/, '');
				return Object.hasOwn(VALUES, field) ? [chosen(String(value), VALUES[field][0], name)] : [];
			});
			tenant.sandbox.clearRequests();
			const items = [{ json: { ratio: '0.5' } }];
			const parameters = { ...SETTINGS, fields: rows(...fields) };
			const { error } = await tenant.run(parameters, { byRoutingEngine, items });
			expect(error).toBeUndefined();
			const sent = Object.entries(VALUES).map(([name, [, value]]) => [name, value]);
			expect(tenant.sent().map(({ body }) => JSON.parse(body) as object)).toEqual([Object.fromEntries(sent)]);
		},
	);

	const bodyOf = async (parameters: INodeParameters) => {
		tenant.sandbox.clearRequests();
		const { error } = await tenant.run(parameters);
		return error?.message ?? tenant.sent().map(({ body }) => body);
	};

	it('stand beside the parameters of their own, and win over them', async () => {
		const fields = rows(chosen('colour (string)', 'red'));
		expect(await bodyOf({ ...CREATE_TAG, fields, options: { fieldsJson: '{"icon": "star"}' } })).toEqual([
			'{"title":"Fresh","colour":"red","icon":"star"}',
		]);
		const profile = { resource: 'profile', operation: 'update', profileId: byId(102) };
		const updateFields = { custom1: 'x', name: 'Nora' };
		const shoes = rows(chosen('shoe_size (number)', '44'), { name: 'custom_1', value: 'y' });
		expect(await bodyOf({ ...profile, updateFields, fields: shoes })).toEqual([
			'{"custom_1":"y","name":"Nora","shoe_size":44}',
		]);
		const group = { ...CREATE_GROUP, name: 'Regulars', fields: rows(chosen('lead (integer)', '7')) };
		expect(await bodyOf(group)).toEqual(['{"name":"Regulars","lead":7}']);
		const template = {
			...CREATE_TEMPLATE,
			name: 'a',
			language: 'de',
			fields: rows(chosen('name (any)', 'b')),
		};
		expect(await bodyOf(template)).toEqual(['{"name":"b","language":"de"}']);
	});

	it('one without a value is left out, or cleared as its type lets one where Empty Cells says so', async () => {
		const some = rows(
			...[chosen('greeting (string)', ''), chosen('seats (integer or null)', '')],
			...[chosen('ratio (number)', '={{ null }}'), chosen('days (array or null)', '={{ [] }}')],
			chosen('tier (string)', 'gold'),
		);
		expect(await bodyOf({ ...SETTINGS, fields: some })).toEqual(['{"tier":"gold"}']);
		expect(await bodyOf({ ...SETTINGS, fields: some, options: { emptyCells: 'clear' } })).toEqual([
			'{"greeting":"","seats":null,"days":null,"tier":"gold"}',
		]);
	});

	it.each([
		['seats (integer or null)', 'many', 'Other Fields: Chosen "many" is not a number'],
		['founded_on (date)', '31.02.1990', 'Other Fields: Chosen "31.02.1990" is not a date'],
		['theme (object)', '[', 'Other Fields: Chosen is not valid JSON: '],
		['', 'x', 'Other Fields (Name, row 1) is empty'],
	])('%s is refused with %s', async (key, value, message) => {
		expect(await bodyOf({ ...SETTINGS, fields: rows(chosen(key, value)) })).toContain(message);
		expect(tenant.sent()).toEqual([]);
	});

	it('may have a name that looks like a type, or come without a type', async () => {
		const fields = rows(
			...[chosen('size (number) (any)', '44'), chosen('note', 'x'), chosen('b (unknown)', 'y')],
			{ name: { __rl: true, mode: 'id', value: 'c' }, value: '={{ 5 }}' },
		);
		expect(await bodyOf({ ...SETTINGS, fields })).toEqual([
			'{"size (number)":"44","note":"x","b (unknown)":"y","c":5}',
		]);
	});

	it('a row that nobody has filled in is ignored', async () => {
		const fields = rows(chosen('', ''), chosen('tier (string)', 'gold'));
		expect(await bodyOf({ ...SETTINGS, fields })).toEqual(['{"tier":"gold"}']);
	});
});

describe('reading the description', () => {
	it('is one request for many that ask, also at once', async () => {
		has(text(DESCRIPTION));
		const credentials = freshCredentials();
		await Promise.all([offered(CREATE_GROUP, credentials), offered(CREATE_TAG, credentials)]);
		await fieldsFor(BULK_IMPORT, credentials, 'getImportColumns');
		expect(odd.asked).toEqual(['GET /third-party/v1/support/openapi']);
	});

	describe('is kept', () => {
		afterEach(() => jest.restoreAllMocks());

		const later = (ms: number) => {
			const now = Date.now() + ms;
			jest.spyOn(Date, 'now').mockImplementation(() => now);
		};

		it.each([
			['a description', text(DESCRIPTION)],
			['something else', text('{[}')],
		])('for 5 minutes where it is %s, and is read again then', async (_what, answer) => {
			has(answer);
			later(0);
			const credentials = freshCredentials();
			const asked = async () => {
				await offered(CREATE_TAG, credentials);
				return odd.asked.length;
			};
			expect(await asked()).toBe(1);
			later(5 * 60_000);
			expect(await asked()).toBe(1);
			later(1);
			expect(await asked()).toBe(2);
		});

		it('not where it could not be read', async () => {
			has(json({ message: 'No' }, 403));
			const credentials = freshCredentials();
			for (let ask = 0; ask < 2; ask++) await offered(CREATE_TAG, credentials);
			expect(odd.asked).toHaveLength(2);
		});

		it('apart for every tenant and token', async () => {
			has((request, reply) => {
				const field = String(request.headers.authorization).replace(/\W/g, '_');
				const content = { 'application/json': { schema: { properties: { [field]: {} } } } };
				return json({ paths: { '/tags': { post: { requestBody: { content } } } } })(request, reply);
			});
			const [first, second] = [freshCredentials(), freshCredentials()];
			for (const credentials of [first, second, first, second]) {
				expect((await offered(CREATE_TAG, credentials)).names).toEqual([
					`Bearer_${credentials.accessToken.replaceAll('-', '_')}`,
				]);
			}
			expect(odd.asked).toHaveLength([first, second].length);
			expect((await offered(CREATE_TAG)).names).toEqual(['colour']);
		});
	});

	const saved = [{ id: 'colour', displayName: 'Colour', type: 'string' }] as ResourceMapperField[];

	it.each([
		['is forbidden', 403, '', 'cannot be read: The user behind the access token may not do this (HTTP 403)'],
		['is no YAML', 200, '{[}', 'is not OpenAPI in YAML or JSON'],
		['is nested without end', 200, `paths: ${'['.repeat(100_000)}`, 'is not OpenAPI in YAML or JSON'],
		['holds HTML', 403, '{"message":"No <b>way</b> & more"}', 'No ‹b&gt;way‹/b&gt; &amp; more'],
	])('that %s: says so, and what is mapped stays', async (_what, status, body, problem) => {
		has(text(body, 'text/yaml', status));
		const credentials = freshCredentials();
		expect(await fieldsFor(SETTINGS, credentials)).toEqual({
			fields: [],
			emptyFieldsNotice: expect.stringMatching(
				new RegExp(`^${MISSING} its description .*${WAY_OUT}$`.replaceAll('.', '\\.').replace('\\.*', '.*')),
			),
		});
		expect((await fieldsFor(SETTINGS, credentials)).emptyFieldsNotice).toContain(problem);
		const mapping = stored({ colour: 'red' }, saved);
		expect((await fieldsFor({ ...SETTINGS, tenantFields: mapping }, credentials)).fields).toEqual(saved);
		const columns = await fieldsFor({ ...BULK_IMPORT, columns: mapping }, credentials, 'getImportColumns');
		expect(names(columns)).toEqual([...COLUMNS, 'colour']);
	});

	it.each([
		['32 MB', 33],
		['2 MB', 3],
	])('that is larger than %s is not parsed, which is told', async (told, megabytes) => {
		has(text(`paths: {}\n${'#'.repeat(megabytes * 1024 * 1024)}`));
		expect((await offered(CREATE_TAG, freshCredentials())).notice).toContain(`is larger than ${told}`);
	});
});
