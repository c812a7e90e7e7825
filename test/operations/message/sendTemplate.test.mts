import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { pixelBinary } from '../../engine/pixel.mts';
import { byId } from '../../engine/tenant.mts';
import { type Answers, brokenOff, refusal, ScriptedTenant } from '../../engine/scriptedTenant.mts';
import { rowOfSent } from '../../engine/summaryOfSent.mts';
import { WAY_ON } from '../../engine/wayOn.mts';
import { nodeDescription } from '../../description/nodeDescription.mts';

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
			},
		},
		body,
	],
	[
		'with placeholders that are no texts, and one that is taken out',
		{
			...toNumber,
			options: rows(
				{ key: '%n%', value: '={{ 2 }}' },
				{ key: ' %n% ', value: '={{ true }}' },
				{ key: '%x%', value: '' },
			),
		},
		{ ...body, placeholders: { '%n%': '2', ' %n% ': 'true', '%x%': '' } },
	],
	[
		'with components as JSON',
		{ ...toNumber, variablesMode: 'json', templateComponents: '[{ "type": "body" }]' },
		{ ...body, template_components: [{ type: 'body' }] },
	],
	...['={{ [] }}', '', '  '].map((templateComponents): (typeof CASES)[number] => [
		`without components as JSON: ${templateComponents}`,
		{ ...toNumber, variablesMode: 'json', templateComponents },
		body,
	]),
	[
		'with variables of the form',
		{ ...toNumber, variables: { mappingMode: 'defineBelow', value: { body_1: 'Jo' }, schema: [] } },
		{ ...body, template_components: [{ type: 'body', parameters: [{ type: 'text', text: 'Jo' }] }] },
	],
];

/** What can run an operation: the node itself, and n8n's routing engine where the operation is an expression. */
const ENGINES = [
	['the node', false],
	["n8n's routing engine", true],
] as const;

describe.each(ENGINES)('by %s a template goes out in one request', (_engine, byRoutingEngine) => {
	it.each(CASES)('%s', async (_what, parameters, expected) => {
		const { items, error } = await tenant.run(parameters, { byRoutingEngine });
		expect(error).toBeUndefined();
		expect(tenant.arrived).toEqual([{ request: SEND, body: expected }]);
		expect(items).toEqual([{ json: rowOfSent(message, expected), pairedItem: { item: 0 } }]);
	});
});

describe.each(ENGINES)('by %s, where an expression chooses the recipient', (_engine, byRoutingEngine) => {
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
				json: rowOfSent(message, sent),
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
		[
			'a customer that is no ID',
			{ recipient: 'customer', customerId: byId('={{ "Jo" }}') },
			'Customer "Jo" is not a whole number',
		],
		['a bot that is no ID', { options: { assignBotId: 'x' } }, 'Assign Bot ID "x" is not a whole number'],
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
			'a placeholder with two values',
			{ options: rows({ key: '%a%', value: 'Jo' }, { key: '%a%', value: 'Sam' }) },
			'Placeholders has "%a%" twice',
		],
		[
			'a component that is no object',
			{ variablesMode: 'json', templateComponents: '[{}, "Jo"]' },
			'Template Components is not a JSON array of objects',
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

	it.each<[string, Answers[string]]>([
		['the connection breaks off', brokenOff],
		['the answer is cut off', () => '{"data":'],
		['a gateway answers', refusal(502, 'The gateway is tired')],
	])('is with an unclear outcome all that was sent: %s', async (_what, answer) => {
		tenant.answer({ [SEND]: answer });
		const parameters = {
			...toNumber,
			variablesMode: 'json',
			templateComponents: '[{ "type": "body" }]',
			options: rows({ key: '%name%', value: 'Jo' }),
		};
		const sent = { ...body, template_components: [{ type: 'body' }], placeholders: { '%name%': 'Jo' } };
		const { error } = await tenant.run(parameters);
		expect(error).toMatchObject({
			message: 'It is unclear whether the message was sent',
			context: { itemIndex: 0, outcome: 'unknown', sent },
		});
		const { errorItems } = await tenant.run(parameters, {
			items: [{ json: { phone: 1 } }],
			onError: 'continueErrorOutput',
		});
		expect(errorItems).toMatchObject([
			{ json: { phone: 1, details: { outcome: 'unknown', sent } }, pairedItem: { item: 0 } },
		]);
		expect(tenant.requests).toEqual([SEND, SEND]);
	});
});

it.each([
	['a number', { ...toNumber, phoneNumber: '={{ $json.to }}' }, ['491711234567', '491701112223']],
	['a customer', { ...toCustomer, customerId: byId('={{ $json.to }}') }, [101, 102]],
])(
	'items for %s go out one after the other, and those for others meanwhile',
	async (_what, parameters, [one, other]) => {
		const underWay: unknown[] = [];
		const seen: unknown[][] = [];
		tenant.answer({
			[SEND]: async ({ body: sent }) => {
				const { phone_number, customer_id = phone_number } = sent as IDataObject;
				underWay.push(customer_id);
				seen.push([...underWay]);
				await sleep(20);
				underWay.splice(underWay.indexOf(customer_id), 1);
				return { data: message };
			},
		});
		await tenant.run(parameters, { items: [one, other, one].map((to) => ({ json: { to } })) });
		const ids = [one, other].map(Number);
		expect(seen).toEqual([[ids[0]], ids, expect.arrayContaining([ids[0]])]);
		expect(seen[2].filter((id) => id === ids[0])).toHaveLength(1);
	},
);

it('takes the variables as the hint for AI builders writes them, without a schema', async () => {
	const { properties } = await nodeDescription();
	const told = properties.find(({ name }) => name === 'variables')?.builderHint?.propertyHint ?? '';
	const names = Array.from(told.matchAll(/(\w+): "(?:…|URL)"/g), ([, name]) => name);
	expect(names).toEqual(['body_1', 'body_first_name', 'header_text_1', 'header_image', 'button_0_url']);
	for (const name of names) {
		const value = name === 'header_image' ? 'https://shop.example/a.png' : 'x';
		const variables = { mappingMode: 'defineBelow', value: { [name]: value } };
		const { error } = await tenant.run({ ...toNumber, variables } as INodeParameters);
		expect(error).toBeUndefined();
	}
	const [body, named, header, image, button] = tenant
		.bodies(SEND)
		.map(({ template_components: parts }) => (parts as object[])[0]);
	expect(body).toEqual({ type: 'body', parameters: [{ type: 'text', text: 'x' }] });
	expect(named).toEqual({
		type: 'body',
		parameters: [{ type: 'text', text: 'x', parameter_name: 'first_name' }],
	});
	expect(header).toEqual({ type: 'header', parameters: [{ type: 'text', text: 'x' }] });
	expect(image).toMatchObject({
		type: 'header',
		parameters: [{ image: { link: 'https://shop.example/a.png' } }],
	});
	expect(button).toMatchObject({ type: 'button', sub_type: 'url', index: '0' });
});

describe('a file in the header', () => {
	const UUID = '0b4f7a3e-1111-4222-8333-444455556666';
	const UPLOAD = 'POST /files/temporary-upload';
	const LINK = 'https://files.example/f';

	const HEADER = {
		id: 'header_image',
		displayName: 'Header File',
		about: 'The image of the header',
		isNeeded: true,
	};

	const variables = (headerFile: unknown) =>
		({
			...toNumber,
			headerFile,
			templateText: { mappingMode: 'shown', value: {}, schema: [HEADER] },
		}) as INodeParameters;
	const shown = (link: string) => [{ type: 'header', parameters: [{ type: 'image', image: { link } }] }];

	const allowing = (image: string[]) =>
		tenant.answer({
			'GET /support/allowed-mime-types': () => ({ data: { image } }),
			'GET /support/media-size-limits': () => ({ data: {} }),
			[UPLOAD]: () => ({ internal_uuid: 'f', url: LINK, name: 'f' }),
			[`GET /files/${UUID}/temporary-url`]: () => ({ data: { url: LINK } }),
			[SEND]: () => ({ data: message }),
		});

	it('under a URL is not looked up', async () => {
		await tenant.run(variables('https://shop.example/a.png'));
		expect(tenant.requests).toEqual([SEND]);
		expect(tenant.bodies(SEND)[0].template_components).toEqual(shown('https://shop.example/a.png'));
	});

	it.each([
		{ __rl: true, mode: 'list', value: UUID },
		{ __rl: true, mode: 'url', value: `={{ "${LINK}" }}` },
		{ __rl: true, mode: 'binary', value: 'data' },
		`={{ "${LINK}" }}`,
		`={{ ({ mode: "id", value: "${UUID}" }) }}`,
	])('given as %j goes out', async (headerFile) => {
		allowing(['image/png']);
		const { error } = await tenant.run(variables(headerFile), {
			items: [{ json: {}, binary: { data: pixelBinary } }],
		});
		expect(error).toBeUndefined();
		expect(tenant.bodies(SEND)[0].template_components).toEqual(shown(LINK));
	});

	it.each(['', { __rl: true, mode: 'list', value: '' }, '={{ $json.missing }}'])(
		'that is missing is named where the value is %j',
		async (headerFile) => {
			const { error } = await tenant.run(variables(headerFile));
			expect(error).toMatchObject({
				message: 'The image of the header is missing',
				description: `Fill in "Header File". If the value comes from an expression, check that the item has that field.${WAY_ON}`,
			});
			expect(tenant.requests).toEqual([]);
		},
	);

	it.each([UUID, ` ${UUID}`, `${UUID}\n`])(
		'that was uploaded before goes out under its address: %j',
		async (uuid) => {
			allowing([]);
			expect((await tenant.run(variables(uuid))).error).toBeUndefined();
			expect(tenant.requests).toEqual([`GET /files/${UUID}/temporary-url`, SEND]);
			expect(tenant.bodies(SEND)[0].template_components).toEqual(shown(LINK));
		},
	);

	it('from a binary field is uploaded as public before the template is sent', async () => {
		allowing(['image/png']);
		await tenant.run(variables('data'), { items: [{ json: {}, binary: { data: pixelBinary } }] });
		expect(tenant.requests.slice(2)).toEqual([UPLOAD, SEND]);
		expect(String(tenant.arrived[2].body)).toContain('name="public"\r\n\r\n1\r\n');
		expect(tenant.bodies(SEND)[0].template_components).toEqual(shown(LINK));
	});
});
