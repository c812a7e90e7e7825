import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../engine/agentTool.mts';
import { byId, TestTenant } from '../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

/** The last body that was sent, and the error, of a run for one item. */
async function outcome(parameters: INodeParameters, json: IDataObject = {}) {
	tenant.sandbox.clearRequests();
	const { error, items, run } = await tenant.run(parameters, { items: [{ json }] });
	const writes = tenant.sent().filter(({ method }) => method !== 'GET');
	return {
		error: error?.message,
		remedy: error?.description,
		items,
		hints: run.data.resultData.runData.Node[0].hints?.map(({ message }) => message),
		writes: writes.length,
		body: writes.length > 0 ? (JSON.parse(writes[writes.length - 1].body || 'null') as unknown) : undefined,
	};
}

const profile = { resource: 'profile', operation: 'update', profileId: byId(102), simple: false };
const consent = { resource: 'profile', operation: 'setConsent', profileId: byId(102) };
const category = { resource: 'settings', operation: 'update' };

describe('consent', () => {
	it.each<[unknown, number]>([
		['yes', 1],
		['Nein', 0],
		[false, 0],
	])('marketing_opt_in from %j goes out as %j', async (given, sent) => {
		const updateFields = { marketingOptIn: '={{ $json.given }}' };
		const { error, body } = await outcome({ ...profile, updateFields }, { given } as IDataObject);
		expect(error).toBeUndefined();
		expect(body).toEqual({ marketing_opt_in: sent });
	});

	it.each<unknown>(['maybe', 2, [false]])(
		'marketing_opt_in from %j is an error, and nobody withdraws',
		async (given) => {
			const marketingOptIn = '={{ $json.given }}';
			const customer = { resource: 'customer', displayId: '491710000001', name: 'Nora' };
			for (const parameters of [
				{ ...profile, updateFields: { marketingOptIn } },
				{ ...customer, operation: 'upsert', additionalFields: { marketingOptIn } },
			]) {
				const { error, writes } = await outcome(parameters, { given } as IDataObject);
				expect(error).toMatch(/^Marketing Consent .* is neither true nor false$/);
				expect(writes).toBe(0);
			}
		},
	);

	it.each(['={{ null }}', '={{ undefined }}', '={{ [] }}', '={{ " " }}', ''])(
		'%j is no withdrawal: it is left out, whatever Empty Cells says',
		async (marketingOptIn) => {
			const customer = { resource: 'customer', displayId: '491710000001', name: 'Nora' };
			for (const options of [{}, { emptyCells: 'leave' }, { emptyCells: 'clear' }]) {
				const updateFields = { marketingOptIn, name: 'Nora' };
				expect((await outcome({ ...profile, options, updateFields })).body).toEqual({ name: 'Nora' });
				const fields = { field: [{ name: 'marketing_opt_in', value: marketingOptIn }] };
				const update = { ...profile, updateFields: { name: 'Nora' }, options, fields };
				expect((await outcome(update)).body).toEqual({ name: 'Nora' });
				const upsert = { ...customer, operation: 'upsert', options, additionalFields: { marketingOptIn } };
				const { customers } = (await outcome(upsert)).body as { customers: IDataObject[] };
				expect(customers).toMatchObject([{ profile: {} }]);
				expect(customers[0].profile).not.toHaveProperty('marketing_opt_in');
			}
		},
	);

	it.each<[INodeParameters, string]>([
		[
			{ options: { fieldsJson: '{ "marketing_opt_in": "agreed" }' } },
			'Other Fields (JSON): Marketing Consent "agreed" is neither true nor false',
		],
		[
			{ fields: { field: [{ name: 'marketing_opt_in', value: 'maybe' }] } },
			'Other Fields: Marketing Consent "maybe" is neither true nor false',
		],
	])('it has one meaning, also in %j', async (parameters, problem) => {
		const { error, writes } = await outcome({ ...profile, ...parameters });
		expect(error).toBe(problem);
		expect(writes).toBe(0);
		const yes = await outcome({
			...profile,
			options: { fieldsJson: '{ "marketing_opt_in": "ja", "custom_1": 7 }' },
		});
		expect(yes.body).toEqual({ marketing_opt_in: 1, custom_1: '7' });
	});

	it('an import tells of a word that it does not know, and leaves the consent as it is', async () => {
		const { items, body } = await outcome(
			{
				resource: 'customer',
				operation: 'bulkImport',
				columns: {
					mappingMode: 'defineBelow',
					value: { displayId: '491710000001', name: 'Nora', marketingOptIn: '={{ $json.given }}' },
				},
			},
			{ given: 'agreed' },
		);
		expect(body).toEqual({
			duplicates: 'override',
			customers: [{ channel: 'chatapp', display_id: '491710000001', name: 'Nora', profile: {} }],
		});
		expect(items[0].json.reason).toBe(
			'Left out: Marketing Consent "agreed" is neither true nor false. Enter true or false.',
		);
	});

	it.each<[string, string]>([
		...['undefined', 'null', '$json.optIn', '""', '" "', '[]'].map((given): [string, string] => [
			given,
			'is empty',
		]),
		...['"perhaps"', '2', '-1', 'NaN', '[false]', '{}', '"undefined"', '"truee"'].map(
			(given): [string, string] => [given, 'does not say whether consent is given'],
		),
	])('Set Marketing Consent with %s neither gives nor withdraws', async (optIn, problem) => {
		const { error, writes } = await outcome({ ...consent, optIn: `={{ ${optIn} }}` });
		expect(error).toMatch(/^Marketing Consent /);
		expect(error).toContain(problem);
		expect(writes).toBe(0);
	});

	it.each([undefined, ''])('Set Marketing Consent with %j is not run at all', async (optIn) => {
		// n8n itself does not begin.
		await expect(outcome({ ...consent, ...(optIn !== undefined && { optIn }) })).rejects.toThrow(
			'Parameter "Marketing Consent" is required',
		);
		expect(tenant.sent()).toEqual([]);
	});

	it.each<[unknown, boolean]>([
		[true, true],
		[false, false],
		['={{ "Ja" }}', true],
		['={{ 0 }}', false],
		['={{ "Given" }}', true],
		['={{ "given" }}', true],
		[' withdrawn', false],
		['={{ "Withdrawn" }}', false],
	])('Set Marketing Consent with %j sends %j', async (optIn, sent) => {
		expect((await outcome({ ...consent, optIn } as INodeParameters)).body).toEqual({ opt_in: sent });
	});

	it('Set Marketing Consent as a tool takes true and false, and records nothing for anything else', async () => {
		const call = await agentTool({
			credentials: tenant.credentials,
			parameters: { ...consent, optIn: "={{ $fromAI('consent', '', 'boolean') }}" },
		});
		for (const given of [undefined, null, '', 'perhaps', {}, []])
			await expect(call({ consent: given } as IDataObject)).rejects.toThrow();
		expect(tenant.sent()).toEqual([]);
		await call({ consent: true });
		await call({ consent: false });
		expect(tenant.sent().map(({ body }) => body)).toEqual(['{"opt_in":true}', '{"opt_in":false}']);
	});
});

describe('text that was read in the wrong character set', () => {
	const LOST = '"J\ufffdrgen" has lost letters; read the file as Windows-1252';
	const given = '={{ $json.name }}';
	const customer = { resource: 'customer', displayId: '491710000001', name: given };

	it.each<[string, INodeParameters, string]>([
		['a customer', { ...customer, operation: 'create' }, 'Name'],
		['a profile', { ...profile, updateFields: { custom1: given } }, 'Custom 1'],
		[
			'Other Fields',
			{ ...profile, fields: { field: [{ name: 'note (string)', value: given }] } },
			'Other Fields: note',
		],
		[
			'Other Fields of any type',
			{ ...profile, fields: { field: [{ name: 'note (any)', value: given }] } },
			'Other Fields: note',
		],
		[
			'JSON',
			{ ...profile, options: { fieldsJson: '={{ { note: [{ of: $json.name }] } }}' } },
			'Other Fields (JSON)',
		],
		[
			'a tag',
			{ resource: 'profile', operation: 'addTags', profileId: byId(102), tags: given },
			'New or Existing Tags by Title',
		],
		['the title of a tag', { resource: 'tag', operation: 'create', title: given }, 'Title'],
		['a message', { resource: 'message', operation: 'send', conversationId: '3', text: given }, 'Text'],
		[
			'a template',
			{
				...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '+49 171 0000001' },
				...{ agentId: byId(1), templateName: byId('hello'), templateLanguage: 'en' },
				...{ variablesMode: 'components', bodyVariables: { variable: [{ name: '1', text: given }] } },
			},
			'Body Variables (Text, row 1)',
		],
	])('is not sent in %s, and the error says how to read it', async (_what, parameters, label) => {
		const { error, remedy, writes } = await outcome(parameters, { name: 'J\ufffdrgen' });
		expect(error).toBe(`${label} ${LOST}`);
		expect(remedy).toMatch(
			/^For a CSV file, that is Encoding: Latin1 in the options of Extract from File\. /,
		);
		expect(writes).toBe(0);
	});
});

describe('nothing is dropped', () => {
	const emptyCells = 'clear';
	const clearing = { options: { emptyCells } };

	it.each<[unknown, unknown]>([
		['""', ''],
		['"  "', ''],
		['null', null],
		['[]', null],
	])(
		'%s in Other Fields is left out, or clears a setting where Empty Cells says so',
		async (value, cleared) => {
			const json = { fieldsJson: `{ "signature": ${String(value)}, "locale": "de" }` };
			const row = (name: string, text: string) => ({ name, value: `={{ ${text} }}` });
			const rows = { field: [row('signature', String(value)), row('locale', '"de"')] };
			for (const { options, ...given } of [{ options: json }, { options: {}, fields: rows }]) {
				expect((await outcome({ ...category, ...given, options })).body).toEqual({ locale: 'de' });
				const clears = { ...category, ...given, options: { ...options, emptyCells } };
				expect((await outcome(clears)).body).toEqual({ signature: cleared, locale: 'de' });
			}
		},
	);

	it.each<[INodeParameters, string]>([
		[profile, 'Update Fields, Other Fields, Options'],
		[{ resource: 'user', operation: 'update', userId: byId(1) }, 'Update Fields'],
		[category, 'Settings, Other Fields, Options'],
		[{ resource: 'group', operation: 'create' }, 'Name, Other Fields, Options'],
	])('a write without a field sends nothing and says so: %j', async (parameters, labels) => {
		const { error, remedy, writes } = await outcome(parameters);
		expect(error).toBe(`${labels} have no value; nothing was sent`);
		expect(remedy).toContain('Add the fields to send.');
		expect(writes).toBe(0);
	});

	it.each(['', '  ', '={{ $json.tier }}', '={{ undefined }}', '={{ null }}', '={{ [] }}', '={{ " " }}'])(
		'%j is left out of an update, or clears what the interface lets one clear where Empty Cells says so',
		async (custom1) => {
			const given = { ...profile, updateFields: { email: 'nora@mail.example', custom1, name: custom1 } };
			expect((await outcome(given)).body).toEqual({ email: 'nora@mail.example' });
			const options = { emptyCells: 'leave' };
			expect((await outcome({ ...given, options })).body).toEqual({ email: 'nora@mail.example' });
			expect((await outcome({ ...given, ...clearing })).body).toEqual({
				email: 'nora@mail.example',
				custom_1: null,
			});
		},
	);

	it('a field has one meaning, so Other Fields clear one of the interface too', async () => {
		const fields = { field: [{ name: 'custom_1', value: '' }] };
		const cleared = await outcome({ ...profile, fields, ...clearing });
		expect(cleared.body).toEqual({ custom_1: null });
		const { error, writes } = await outcome({ ...profile, fields });
		expect(error).toContain('have no value; nothing was sent');
		expect(writes).toBe(0);
	});

	it('a name that stands twice in Other Fields is an error', async () => {
		const field = [
			{ name: 'tier', value: 'gold' },
			{ name: ' tier ', value: 'silver' },
		];
		const { error, writes } = await outcome({ ...category, fields: { field } });
		expect(error).toBe('Other Fields has "tier" twice');
		expect(writes).toBe(0);
	});

	it('Other Fields (JSON) overrides nothing, and Other Fields override all', async () => {
		const parameters = { ...profile, updateFields: { custom1: 'above', custom2: 'above' } };
		const { body } = await outcome({
			...parameters,
			options: { fieldsJson: '{ "custom_1": "json", "custom_2": "json", "custom_3": "json" }' },
			fields: { field: [{ name: 'custom_2', value: 'row' }] },
		});
		expect(body).toEqual({ custom_1: 'above', custom_2: 'row', custom_3: 'json' });
	});
});

describe('an expression in a choice', () => {
	it.each<[string, string]>([
		['crm', '/third-party/v1/settings/crm'],
		['thirdParty', '/third-party/v1/settings/third-party'],
	])('Settings Category %s works for each item', async (given, path) => {
		const { error } = await outcome(
			{ resource: 'settings', operation: 'get', category: '={{ $json.given }}' },
			{ given },
		);
		expect(error).toBeUndefined();
		expect(tenant.sent()).toMatchObject([{ path }]);
	});

	it.each<unknown>(['Crm', '', null, 7, 'toString'])('Settings Category %j is an error', async (given) => {
		const { error } = await outcome(
			{ resource: 'settings', operation: 'get', category: '={{ $json.given }}' },
			{ given } as IDataObject,
		);
		expect(error).toMatch(/^Category /);
		expect(tenant.sent()).toEqual([]);
	});
});

describe('what decides about a list', () => {
	it.each<[INodeParameters, string]>([
		[{ filters: { search: '={{ $json.missing }}' } }, 'Search has no value'],
		[{ filters: { search: '={{ null }}' } }, 'Search has no value'],
		[{ filters: { search: '={{ [] }}' } }, 'Search has no value'],
		[{ filters: { channel: '={{ $json.missing }}' } }, 'Channel Name or ID has no value'],
		[{ limit: 0 }, 'Limit 0 is less than 1'],
		[{ limit: '={{ 1.5 }}' }, 'Limit "1.5" is not a whole number'],
		[{ returnAll: '={{ null }}' }, 'Return All "null" is neither true nor false'],
		[
			{ orderBy: { sort: [{ field: 'name:desc', direction: 'asc' }] } },
			'Order By (Field Name or ID, row 1) "name:desc" is not one name',
		],
	])('%j is an error, not a list of everybody', async (parameters, message) => {
		const { error } = await outcome({ resource: 'profile', operation: 'getAll', ...parameters });
		expect(error).toContain(message);
		expect(tenant.sent()).toEqual([]);
	});
});
