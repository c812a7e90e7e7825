import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { pixelBinary } from '../../engine/pixel.mts';
import { byId } from '../../engine/tenant.mts';
import { brokenOff, ScriptedTenant } from './scriptedTenant.mts';
import { summaryOfSent } from './summaryOfSent.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /chatapp/send-template';

const message = { id: 1, conversation_id: 7, status: 'created', ca_template_id: 4 };

beforeEach(() => tenant.answer({ [SEND]: () => ({ data: { ...message, source: 'api' } }) }));

const toNumber = {
	resource: 'message',
	operation: 'sendTemplate',
	recipient: 'phoneNumber',
	phoneNumber: '+49 171 1234567',
	agentId: byId('11'),
	templateName: byId('welcome'),
	templateLanguage: 'en_US',
};
const toCustomer = { ...toNumber, recipient: 'customer', customerId: byId('101') };

const common = {
	agent_id: 11,
	template_name: 'welcome',
	template_language: 'en_US',
	template_components: [] as IDataObject[],
};
const body = { phone_number: 491711234567, ...common };

const rows = (...placeholder: Array<{ key: string; value: string }>) => ({ placeholders: { placeholder } });

const CASES: Array<[string, INodeParameters, unknown]> = [
	['to a number', toNumber, body],
	['to a customer, whose number is not asked for', toCustomer, { customer_id: 101, ...common }],
	[
		'to a customer chosen from the list',
		{ ...toCustomer, customerId: { __rl: true, mode: 'list', value: 101 } },
		{ customer_id: 101, ...common },
	],
	[
		'with everything that can be assigned',
		{
			...toNumber,
			options: {
				assignBotId: '21',
				assignFolderId: ' 22 ',
				assignGroupId: byId('23'),
				assignTagId: byId('24'),
				assignUserId: byId(25),
				customerName: 'Jo Smith',
				fromAutomation: true,
				...rows({ key: '%name%', value: 'Jo' }),
			},
		},
		{
			...body,
			assign_bot_id: 21,
			assign_folder_id: 22,
			assign_group_id: 23,
			assign_tag_id: 24,
			assign_user_id: 25,
			customer_name: 'Jo Smith',
			from_automation: true,
			placeholders: { '%name%': 'Jo' },
		},
	],
	[
		'with options that stay empty',
		{
			...toNumber,
			options: {
				assignBotId: '',
				assignFolderId: '',
				assignGroupId: byId(''),
				assignTagId: byId(''),
				assignUserId: byId(''),
				customerName: '',
				placeholders: {},
				placeholdersJson: '',
			},
		},
		body,
	],
	['with no placeholders as JSON', { ...toNumber, options: { placeholdersJson: '{}' } }, body],
	[
		'with placeholders as JSON',
		{ ...toNumber, options: { placeholdersJson: '{ "%name%": "Jo", "%n%": 2 }' } },
		{ ...body, placeholders: { '%name%': 'Jo', '%n%': '2' } },
	],
	[
		'with placeholders that win over those of the JSON',
		{
			...toNumber,
			options: {
				placeholdersJson: '{ "%name%": "Jo", "%shop%": "Sunset" }',
				...rows({ key: '%name%', value: 'Sam' }, { key: '%city%', value: 'Berlin' }),
			},
		},
		{ ...body, placeholders: { '%name%': 'Sam', '%shop%': 'Sunset', '%city%': 'Berlin' } },
	],
	[
		'with placeholders that are no texts, and one that is taken out',
		{
			...toNumber,
			options: {
				...rows(
					{ key: '%n%', value: '={{ 2 }}' },
					{ key: ' %n% ', value: '={{ true }}' },
					{ key: '%x%', value: '' },
				),
				placeholdersJson: '{ "%ok%": false }',
			},
		},
		{ ...body, placeholders: { '%ok%': 'false', '%n%': '2', ' %n% ': 'true', '%x%': '' } },
	],
	[
		'with variables as JSON',
		{ ...toNumber, variablesMode: 'json', templateComponents: '[{ "type": "body" }]' },
		{ ...body, template_components: [{ type: 'body' }] },
	],
	[
		'with variables of the form',
		{ ...toNumber, variables: { mappingMode: 'defineBelow', value: { body_1: 'Jo' }, schema: [] } },
		{ ...body, template_components: [{ type: 'body', parameters: [{ type: 'text', text: 'Jo' }] }] },
	],
];

describe.each([
	['the node', false],
	["n8n's routing engine", true],
])('by %s a template goes out in one request', (_engine, byRoutingEngine) => {
	it.each(CASES)('%s', async (_what, parameters, expected) => {
		const { items, error } = await tenant.run(parameters, { byRoutingEngine });
		expect(error).toBeUndefined();
		expect(tenant.arrived).toEqual([{ request: SEND, body: expected }]);
		expect(items).toEqual([{ json: { ...message, ...summaryOfSent(expected) }, pairedItem: { item: 0 } }]);
	});
});

describe.each([
	['the node', false],
	["n8n's routing engine", true],
])('by %s, where an expression chooses the recipient', (_engine, byRoutingEngine) => {
	const both = {
		...toNumber,
		recipient: '={{ $json.to }}',
		phoneNumber: '={{ $json.phone }}',
		customerId: byId('={{ $json.customer }}'),
	};

	it('each item goes to its own, and the other parameter may hold anything', async () => {
		const { items, error } = await tenant.run(both, {
			items: [
				{ json: { to: 'phoneNumber', phone: '+49 171 1234567', customer: 'none' } },
				{ json: { to: 'customer', phone: 'none', customer: 101 } },
			],
			byRoutingEngine,
		});
		expect(error).toBeUndefined();
		expect(tenant.bodies(SEND)).toEqual(expect.arrayContaining([body, { customer_id: 101, ...common }]));
		expect(items).toEqual(
			[body, { customer_id: 101, ...common }].map((sent, item) => ({
				json: { ...message, ...summaryOfSent(sent) },
				pairedItem: { item },
			})),
		);
	});

	it.each<[string, IDataObject, string]>([
		['nobody', {}, 'To is "undefined", which cannot be chosen'],
		['somebody else', { to: 'Customer' }, 'To is "Customer", which cannot be chosen'],
		['a number that is missing', { to: 'phoneNumber' }, 'Phone Number is empty'],
		['a customer that is missing', { to: 'customer' }, 'Customer is empty'],
	])('%s is an error that names the parameter', async (_what, json, problem) => {
		const { error } = await tenant.run(both, { items: [{ json }], byRoutingEngine });
		expect(error?.message).toBe(problem);
		expect(tenant.requests).toEqual([]);
	});
});

describe('before anything is sent', () => {
	it.each<[string, INodeParameters, string]>([
		[
			'a number without a country code',
			{ phoneNumber: '0171 1234567' },
			'Phone Number "0171 1234567" has no country code',
		],
		['an agent that is no ID', { agentId: byId('={{ "Jo" }}') }, 'Agent "Jo" is not a whole number'],
		[
			'a customer that is no ID',
			{ recipient: 'customer', customerId: byId('={{ "Jo" }}') },
			'Customer "Jo" is not a whole number',
		],
		['a bot that is no ID', { options: { assignBotId: 'x' } }, 'Assign Bot ID "x" is not a whole number'],
		[
			'a folder that is no ID',
			{ options: { assignFolderId: 'x' } },
			'Assign Folder ID "x" is not a whole number',
		],
		[
			'a group that is no ID',
			{ options: { assignGroupId: byId('={{ "x" }}') } },
			'Assign Group "x" is not a whole number',
		],
		[
			'a tag that is no ID',
			{ options: { assignTagId: byId('={{ "x" }}') } },
			'Assign Tag "x" is not a whole number',
		],
		[
			'a user that is no ID',
			{ options: { assignUserId: byId('={{ "x" }}') } },
			'Assign User "x" is not a whole number',
		],
		[
			'placeholders that are a list',
			{ options: { placeholdersJson: '[]' } },
			'Placeholders (JSON) is not a JSON object',
		],
		[
			'a placeholder as JSON that is no text',
			{ options: { placeholdersJson: '{ "%name%": { "first": "Jo" } }' } },
			'Placeholders (JSON) has a placeholder "%name%" whose value "{"first":"Jo"}" is not text',
		],
		[
			'a placeholder as JSON that is null',
			{ options: { placeholdersJson: '{ "%name%": null }' } },
			'Placeholders (JSON) has a placeholder "%name%" whose value is empty',
		],
		[
			'a placeholder as JSON that n8n leaves out',
			{ options: { placeholdersJson: '{ "constructor": "Jo" }' } },
			'Placeholders (JSON) contains the name "constructor", which n8n cannot send',
		],
		[
			'a placeholder without a name',
			{ options: rows({ key: '%a%', value: 'Jo' }, { key: '', value: 'Jo' }) },
			'Placeholders (Placeholder, row 2) is empty',
		],
		[
			'a placeholder without a value',
			{ options: rows({ key: '%a%', value: '={{ $json.missing }}' }) },
			'Placeholders (Value, row 1) is empty',
		],
		[
			'a placeholder whose value is a record',
			{ options: rows({ key: '%a%', value: '={{ ({ a: 1 }) }}' }) },
			'Placeholders (Value, row 1) "{"a":1}" is not text',
		],
		[
			'a placeholder with two values',
			{ options: rows({ key: '%a%', value: 'Jo' }, { key: '%a%', value: 'Sam' }) },
			'Placeholders have "%a%" twice',
		],
		[
			'a component that is no object',
			{ variablesMode: 'json', templateComponents: '[{}, "Jo"]' },
			'Template Components contains an element that is not a JSON object',
		],
	])('names %s', async (_what, parameters, problem) => {
		const { error } = await tenant.run({ ...toNumber, ...parameters });
		expect(error?.message).toBe(problem);
		expect(tenant.requests).toEqual([]);
	});
});

describe('what comes out of a sent template', () => {
	it('is all of the message when Simplify is off', async () => {
		const { items } = await tenant.run({ ...toNumber, simple: false });
		expect(items).toEqual([{ json: { ...message, source: 'api' }, pairedItem: { item: 0 } }]);
	});

	it('is with an unclear outcome the whole body, components and placeholders among it', async () => {
		tenant.answer({ [SEND]: brokenOff });
		const { error } = await tenant.run({
			...toNumber,
			variablesMode: 'json',
			templateComponents: '[{ "type": "body" }]',
			options: rows({ key: '%name%', value: 'Jo' }),
		});
		expect(error?.context).toMatchObject({ itemIndex: 0, outcome: 'unknown' });
		expect(error?.context.sent).toEqual({
			...body,
			template_components: [{ type: 'body' }],
			placeholders: { '%name%': 'Jo' },
		});
	});
});

describe('a file in the header', () => {
	const variables = (header_image: string) => ({
		...toNumber,
		variables: { mappingMode: 'defineBelow', value: { header_image }, schema: [] },
	});
	const shown = (link: string) => [{ type: 'header', parameters: [{ type: 'image', image: { link } }] }];

	it('under a URL is not looked up', async () => {
		await tenant.run(variables('https://shop.example/a.png'));
		expect(tenant.requests).toEqual([SEND]);
		expect(tenant.bodies(SEND)[0].template_components).toEqual(shown('https://shop.example/a.png'));
	});

	it('from a binary field is uploaded as public before the template is sent', async () => {
		tenant.answer({
			'GET /support/allowed-mime-types': () => ({ data: { image: ['image/png'] } }),
			'GET /support/media-size-limits': () => ({ data: {} }),
			'POST /files/temporary-upload': () => ({
				internal_uuid: 'f',
				url: 'https://files.example/f',
				name: 'f',
			}),
			[SEND]: () => ({ data: message }),
		});
		await tenant.run(variables('data'), { items: [{ json: {}, binary: { data: pixelBinary } }] });
		expect(tenant.requests.slice(2)).toEqual(['POST /files/temporary-upload', SEND]);
		expect(String(tenant.arrived[2].body)).toContain('name="public"\r\n\r\n1\r\n');
		expect(tenant.bodies(SEND)[0].template_components).toEqual(shown('https://files.example/f'));
	});
});
