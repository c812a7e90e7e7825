import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { leaksOfRun } from '../../engine/leaks.mts';
import { pixelBinary } from '../../engine/pixel.mts';
import { byId } from '../../engine/tenant.mts';
import { type Answers, refusal, ScriptedTenant, sentMessages } from '../../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const DIGITS = '491711234567';
const SEND = 'POST /chatapp/send-template';
const BODY = { type: 'BODY', text: 'Hi {{1}}, order {{2}}' };

const template = (more: IDataObject = {}): IDataObject => ({
	name: 'welcome',
	language: 'en_US',
	category: 'MARKETING',
	status: 'APPROVED',
	components: [BODY],
	...more,
});

const profileOf = (digits: string) => ({ id: 3, phone_number: digits, name: 'Jo Doe' });

/** A tenant with these templates, where everybody has opted in. */
function answering(templates: unknown[] = [template()], more: Answers = {}): Answers {
	return {
		'GET /templates': () => ({ data: templates }),
		'GET /profiles': ({ request }) => ({
			data: [profileOf(new URL(request.slice(4), 'http://x').searchParams.get('search') ?? '')],
		}),
		'GET /profiles/3/marketing-opt-in': () => ({ data: { id: 9, is_opted_in: true } }),
		'GET /customers/101': () => ({ data: { id: 101, display_id: DIGITS, name: 'Jo' } }),
		'GET /support/allowed-mime-types': () => ({ data: { image: ['image/jpeg'] } }),
		'GET /support/media-size-limits': () => ({ data: {} }),
		[SEND]: sentMessages(),
		...more,
	};
}

const schemaOf = (...ids: string[]) =>
	ids.map((id) => ({ id, displayName: `Label of ${id}`, type: 'string', isNeeded: true, display: true }));

const form = (value: IDataObject, schema: IDataObject[] = []): INodeParameters =>
	({ variables: { mappingMode: 'defineBelow', value, schema } }) as unknown as INodeParameters;

/** An expression without a value. n8n itself stops a required field that is left empty in the editor. */
const NONE = '={{ $json.none }}';

const FILLED = form({ body_1: 'Jo', body_2: 'A-1' });

const message = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'message',
	operation: 'previewTemplate',
	phoneNumber: '+49 171 1234567',
	agentId: byId(11),
	templateName: byId('welcome'),
	templateLanguage: 'en_US',
	variablesMode: 'form',
	...FILLED,
	...more,
});

/** What a preview tells, as far as a test looks at its parts. */
interface Told extends Record<string, unknown> {
	items: INodeExecutionData[];
	hints: string[];
	text: string;
	missing: string[];
	problems: string[];
	request?: IDataObject;
}

const linesOf = (value: unknown) => (value === '' ? [] : String(value).split('\n'));

/** Runs a preview of one item; it must not send anything but GET. */
async function preview(
	more: INodeParameters = {},
	options: Parameters<typeof tenant.run>[1] = {},
): Promise<Told> {
	tenant.arrived.splice(0);
	const { items, error, run } = await tenant.run(message(more), options);
	if (error) throw error;
	expect(tenant.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
	const [task] = run.data.resultData.runData.Node;
	const told = (task.hints ?? []).map(({ message: hint }) => hint);
	const { json } = items[0];
	const lines = { missing: linesOf(json.missing), problems: linesOf(json.problems) };
	return { ...json, ...lines, items, hints: told } as unknown as Told;
}

describe('a preview', () => {
	it('gives one item with all that is known, and asks only by GET', async () => {
		tenant.answer(answering());
		const { items, hints } = await preview();
		expect(items).toEqual([
			{
				json: {
					text: 'Hi Jo, order A-1',
					ready: true,
					missing: '',
					problems: '',
					consent: 'opted in',
					name: 'Jo Doe',
					phone_number: DIGITS,
					request: {
						phone_number: Number(DIGITS),
						agent_id: 11,
						template_name: 'welcome',
						template_language: 'en_US',
						template_components: [
							{
								type: 'body',
								parameters: [
									{ type: 'text', text: 'Jo' },
									{ type: 'text', text: 'A-1' },
								],
							},
						],
					},
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(hints).toEqual([
			'Nothing was sent. 1 of 1 messages are ready; 0 without consent, 0 with unknown consent.',
		]);
		expect(tenant.requests).toEqual([
			'GET /templates',
			`GET /profiles?search=${DIGITS}`,
			'GET /profiles/3/marketing-opt-in',
		]);
	});

	it('of a message to a customer takes the number and the name from the customer', async () => {
		tenant.answer(
			answering([template()], { 'GET /profiles': () => ({ data: [{ id: 3, customer_id: 101 }] }) }),
		);
		const { name, phone_number, request } = await preview({ recipient: 'customer', customerId: byId(101) });
		expect({ name, phone_number }).toEqual({ phone_number: DIGITS, name: 'Jo' });
		expect(request).toMatchObject({ customer_id: 101 });
		expect(request).not.toHaveProperty('phone_number');
	});

	it('leaves a missing variable visible, at its own place', async () => {
		tenant.answer(answering());
		const some = form({ body_1: NONE, body_2: 'A-1' }, schemaOf('body_1', 'body_2'));
		const { text, missing, problems, ready, request, hints } = await preview(some);
		expect(hints).toEqual([
			expect.stringContaining('ready; Missing: The value for {{1}} in "Hi {{1}}, order {{2}}"; 0 without'),
		]);
		expect({ text, missing, problems, ready, request }).toEqual({
			text: 'Hi {{1}}, order A-1',
			missing: ['The value for {{1}} in "Hi {{1}}, order {{2}}"'],
			problems: [],
			ready: false,
			request: undefined,
		});
	});

	it.each(['', ' '])('takes the blank text %j of JSON for a missing variable', async (blank) => {
		tenant.answer(answering());
		const parameters = [blank, 'A-1'].map((text) => ({ type: 'text', text }));
		const templateComponents = JSON.stringify([{ type: 'body', parameters }]);
		const { text, missing, ready } = await preview({ variablesMode: 'json', templateComponents });
		expect({ text, missing, ready }).toEqual({
			text: 'Hi {{1}}, order A-1',
			missing: ['The value for {{1}} in "Hi {{1}}, order {{2}}"'],
			ready: false,
		});
	});

	it('names what is missing of each component kind', async () => {
		const components = [
			{ type: 'HEADER', format: 'IMAGE' },
			{ type: 'BODY', text: 'Hi {{first_name}}' },
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' },
					{ type: 'COPY_CODE', text: 'Copy' },
					{ type: 'QUICK_REPLY', text: 'OK' },
				],
			},
		];
		tenant.answer(answering([template({ components })]));
		const { missing, text, ready } = await preview(form({}));
		expect(missing).toEqual([
			'The image of the header',
			'The value for {{first_name}} in "Hi {{first_name}}"',
			'URL suffix of button 1 "Track" (https://shop.example/{{1}})',
			'Code of button 2 "Copy"',
		]);
		expect(text).toBe('[image]\n\nHi {{first_name}}\n\n[Track] https://shop.example/{{1}}\n[Copy]\n[OK]');
		expect(ready).toBe(false);
		tenant.answer(answering([template({ components: [{ type: 'HEADER', format: 'LOCATION' }, BODY] })]));
		expect((await preview()).missing).toEqual(['The latitude of the header', 'The longitude of the header']);
	});

	it('names a required variable of the form that the template no longer has', async () => {
		tenant.answer(answering([template({ components: [{ type: 'BODY', text: 'Hello' }] })]));
		const { missing, ready, text } = await preview(form({ body_1: NONE }, schemaOf('body_1')));
		expect({ missing, ready, text }).toEqual({ missing: ['Label of body_1'], ready: false, text: 'Hello' });
	});

	it('names values for which the template has no place', async () => {
		tenant.answer(answering());
		const { problems } = await preview(form({ body_1: 'Jo', body_2: 'A-1', body_3: 'x', button_0_url: 'y' }));
		expect(problems).toEqual([
			'The template has no place for {{3}} in the body',
			'The template has no place for the url of button 1',
		]);
	});

	it.each<[string, INodeParameters, string]>([
		[
			'a phone number without country code',
			{ phoneNumber: '0171 1234567' },
			'Phone Number "0171 1234567" has no',
		],
		['a template name that is empty', { templateName: byId('={{ "" }}') }, 'is empty'],
		[
			'unusable components',
			{ variablesMode: 'json', templateComponents: '[{' },
			'Template Components is not',
		],
		[
			'a list as a value',
			form({ body_1: '={{ [1] }}', body_2: 'x' }),
			'Variables ({{1}} in the body) "[1]" is not text',
		],
		[
			'a numbered variable that is missing before another',
			form({ body_2: 'x' }),
			'Variables have {{2}}, but not {{1}}',
		],
		[
			'a line break in the form',
			form({ body_1: 'Jo\nDoe', body_2: 'A-1' }, schemaOf('body_1', 'body_2')),
			'Label of body_1 contains a line break, a tab or more than four spaces in a row',
		],
		[
			'a line break in a placeholder',
			{ options: { placeholders: { placeholder: [{ key: '%a%', value: 'Jo\n' }] } } },
			'Placeholders (Value, row 1) contains a line break, a tab or more than four spaces in a row',
		],
	])('tells %s as a problem, where Send Template fails', async (_what, parameters, problem) => {
		tenant.answer(answering());
		const { problems, ready, request } = await preview(parameters);
		expect(problems[0]).toContain(problem);
		expect({ ready, request }).toEqual({ ready: false, request: undefined });
		const { error } = await tenant.run(message({ ...parameters, operation: 'sendTemplate' }));
		expect(error?.message).toContain(problem);
		expect(tenant.requests).not.toContain(SEND);
	});

	it('tells of all problems together', async () => {
		tenant.answer(answering([template({ status: 'PENDING' })]));
		const { problems } = await preview({ phoneNumber: 'none', ...form({ body_1: 'Jo' }) });
		expect(problems).toEqual([
			expect.stringContaining('Phone Number "none" is not a phone number'),
			'The template "welcome" is not approved: PENDING',
		]);
	});

	it.each<[string, IDataObject[], string]>([
		['a template that the tenant does not show', [], 'The service shows no template "welcome"'],
		[
			'a template in other languages only',
			[template({ language: 'de' }), template({ language: 'fr' })],
			'The service shows no template "welcome" in "en_US", only in de, fr',
		],
		[
			'a rejected template',
			[template({ status: 'rejected' })],
			'The template "welcome" is not approved: rejected',
		],
		[
			'a template whose texts are not shown',
			[template({ components: undefined })],
			'The service does not show the texts of the template "welcome"',
		],
	])('tells %s as a problem', async (_what, templates, problem) => {
		tenant.answer(answering(templates));
		const { problems, ready, request } = await preview();
		expect(problems).toEqual([problem]);
		expect(ready).toBe(false);
		expect(request).toMatchObject({ template_name: 'welcome' });
	});

	it.each(['APPROVED', 'approved', 'Approved - quality pending', undefined])(
		'does not complain about the status %j',
		async (status) => {
			tenant.answer(answering([template({ status })]));
			expect(await preview()).toMatchObject({ problems: [], ready: true });
		},
	);

	it.each([403, 404])('does without what the tenant refuses with %i', async (status) => {
		tenant.answer(answering([], { 'GET /templates': refusal(status), 'GET /profiles': refusal(status) }));
		const { problems, text, consent } = await preview();
		expect(problems).toEqual(['The service does not show its templates']);
		expect({ text, consent }).toEqual({ text: '', consent: 'unknown: Refused' });
	});

	it('tells a customer that does not exist as a problem', async () => {
		tenant.answer(answering([template()], { 'GET /customers/101': refusal(404) }));
		const { problems, consent } = await preview({ recipient: 'customer', customerId: byId(101) });
		expect(problems).toEqual(['The service shows no customer 101']);
		expect(consent).toBe('unknown: the recipient is not known');
	});

	it.each<[string, Answers, string]>([
		['fails', { 'GET /templates': refusal(500, 'Broken') }, 'Broken'],
		[
			'gives no consent that can be read',
			{ 'GET /profiles/3/marketing-opt-in': () => ({ data: [] }) },
			'The service answered with something other than a record (HTTP 200)',
		],
	])('fails where the service %s', async (_what, answers, message) => {
		tenant.answer(answering([template()], answers));
		await expect(preview()).rejects.toMatchObject({ message });
	});
});

describe('files in the header', () => {
	const IMAGE = [
		template({
			components: [
				{ type: 'HEADER', format: 'IMAGE' },
				{ type: 'BODY', text: 'Hello' },
			],
		}),
	];

	it('are checked and described, not uploaded', async () => {
		const allowed = { 'GET /support/allowed-mime-types': () => ({ data: { image: ['image/png'] } }) };
		tenant.answer(answering(IMAGE, allowed));
		const items = [{ json: {}, binary: { data: pixelBinary } }];
		const { text, ready, request } = await preview(form({ header_image: 'data' }), { items });
		expect(text).toBe('[image]\n\nHello');
		expect(ready).toBe(true);
		expect(request?.template_components).toEqual([
			{ type: 'header', parameters: [{ type: 'image', image: { link: null } }] },
		]);
	});

	it('that the tenant does not allow are a problem', async () => {
		tenant.answer(answering(IMAGE));
		const items = [{ json: {}, binary: { data: pixelBinary } }];
		const { problems, request } = await preview(form({ header_image: 'data' }), { items });
		expect(problems).toEqual([
			expect.stringContaining('dot.png is of type image/png, which the service does not allow as image'),
		]);
		expect(request).toBeUndefined();
	});

	it('that do not exist are a problem', async () => {
		const uuid = '0b4f7a3e-1111-4222-8333-444455556666';
		tenant.answer(answering(IMAGE));
		const none = await preview(form({ header_image: 'nothing' }));
		expect(none.problems).toEqual([expect.stringContaining('"nothing" is not a file')]);
		const gone = await preview(form({ header_image: uuid }));
		expect(gone.problems).toEqual([expect.stringContaining('Nobody answers')]);
		expect(gone.ready).toBe(false);
		expect(tenant.requests).toContain(`GET /files/${uuid}/temporary-url`);
	});
});

describe('parts of a template that are not known', () => {
	it('are told, not dropped', async () => {
		const components = [
			{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon' } },
			{ type: 'HEADER', format: 'PRODUCT' },
			{ type: 'BODY', add_security_recommendation: true },
			{ type: 'FOOTER', code_expiration_minutes: 5 },
			{ type: 'CAROUSEL', cards: [{ components: [BODY] }] },
			{ type: 'LIST', sections: [] },
			{ type: 'BUTTONS', buttons: [{ type: 'OTP', text: 'Copy code' }, { text: 'Nothing' }] },
			{ type: 'BUTTONS', buttons: 'none' },
			{},
		];
		tenant.answer(answering([template({ components })]));
		const { text, problems } = await preview({
			variablesMode: 'json',
			templateComponents: JSON.stringify([{ type: 'carousel', cards: [] }]),
		});
		expect(text.split('\n').filter(Boolean)).toEqual([
			...['[limited_time_offer]', '[the header (product)]', '[the text of the body]'],
			...['[the text of the footer]', '[carousel]', '[list]', '[buttons]', '[a part without a type]'],
			...['[Copy code]', '[Nothing]'],
		]);
		expect(problems).toEqual([
			'No field fills a part of the template: limited_time_offer, the header (product), the text of the body, list, what button 1 does (otp), what button 2 does (no type), buttons, a part without a type. Set Variables to JSON',
		]);
	});

	const button = (index: number | string) => ({
		...{ type: 'button', sub_type: 'url', index },
		parameters: [{ type: 'text', text: '123456' }],
	});
	const bodyOfTwo = { type: 'body', parameters: ['Jo', 'A-1'].map((text) => ({ type: 'text', text })) };

	it.each<[what: string, part: IDataObject, named: string, filledBy: IDataObject]>([
		['a carousel', { type: 'CAROUSEL', cards: [] }, 'carousel', { type: 'CAROUSEL', cards: [] }],
		[
			'a limited-time offer',
			{ type: 'LIMITED_TIME_OFFER' },
			'limited_time_offer',
			{ type: 'limited_time_offer', parameters: [] },
		],
		[
			'a GIF',
			{ type: 'HEADER', format: 'GIF' },
			'the header (gif)',
			{ type: 'header', parameters: [{ type: 'gif' }] },
		],
		[
			'a one-time password',
			{ type: 'BUTTONS', buttons: [{ type: 'OTP', text: 'Copy code' }] },
			'what button 1 does (otp)',
			button('0'),
		],
		[
			'order details',
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'QUICK_REPLY', text: 'OK' },
					{ type: 'ORDER_DETAILS', text: 'Pay' },
				],
			},
			'what button 2 does (order_details)',
			button(1),
		],
	])('leave a message with %s not ready until JSON fills it', async (_what, part, named, filledBy) => {
		tenant.answer(answering([template({ components: [BODY, part] })]));
		const problem = `No field fills a part of the template: ${named}. Set Variables to JSON`;
		const byForm = await preview();
		expect(byForm).toMatchObject({ ready: false, problems: [problem] });
		const filled = (...components: IDataObject[]) => ({
			...{ variablesMode: 'json', templateComponents: JSON.stringify([bodyOfTwo, ...components]) },
		});
		expect(await preview(filled(button(5)))).toMatchObject({ ready: false, problems: [problem] });
		expect(await preview(filled(filledBy))).toMatchObject({ ready: true, problems: [] });
	});

	it.each<IDataObject>([
		{ type: 'BUTTONS', buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+49171' }] },
		{ type: 'BUTTONS', buttons: [{ type: 'VOICE_CALL', text: 'Call' }] },
		{ type: 'CALL_PERMISSION_REQUEST' },
		{ type: 'FOOTER', code_expiration_minutes: 5 },
	])('that take no values leave it ready: %j', async (part) => {
		tenant.answer(answering([template({ components: [BODY, part] })]));
		expect(await preview()).toMatchObject({ ready: true, problems: [] });
	});

	it.each<[string, IDataObject]>([
		['a language that is not told', { language: undefined }],
		[
			'a status and a category of their own',
			{ category: undefined, template_category: 'Marketing', status: 7 },
		],
	])('do not keep it from reading records with %s', async (_what, more) => {
		tenant.answer(answering([null, 'x', template({ language: 'fr' }), template(more)]));
		expect(await preview()).toMatchObject({ text: 'Hi Jo, order A-1', ready: true });
	});
});

describe('the text is what the customer will read', () => {
	const bodyOf = (...rows: Array<[name: string, text: unknown]>): INodeParameters =>
		({
			variablesMode: 'components',
			bodyVariables: { variable: rows.map(([name, text]) => ({ name, text })) },
		}) as INodeParameters;

	const showing = (text: string) =>
		tenant.answer(answering([template({ components: [{ type: 'BODY', text }] })]));

	it.each(['$&', '$1', '$$', "$'", '$`', '{{2}}', '{{1}}', '\\', '%s', '<b>', '😀', 'a    b', '__proto__'])(
		'with the value %j as it is',
		async (value) => {
			tenant.answer(answering());
			expect(await preview(bodyOf(['1', value], ['2', 'A-1']))).toMatchObject({
				...{ text: `Hi ${value}, order A-1`, ready: true },
			});
		},
	);

	const twelve = Array.from({ length: 12 }, (_, index) => String(index + 1));

	it.each<[string, string, Array<[string, string]>, string]>([
		['a variable in two places', '{{1}} and {{1}}', [['1', 'x']], 'x and x'],
		[
			'more than nine variables',
			twelve.map((name) => `{{${name}}}`).join(' '),
			twelve.map((name) => [name, `v${name}`]),
			twelve.map((name) => `v${name}`).join(' '),
		],
		[
			'variables with names',
			'Hi {{first_name}}, {{ total }}!',
			[
				['first_name', 'Jo'],
				['total', '3 €'],
			],
			'Hi Jo, 3 €!',
		],
		...['constructor', '__proto__', 'toString'].map(
			(name): [string, string, Array<[string, string]>, string] => [
				`a variable called ${name}`,
				`Hi {{${name}}}`,
				[[name, 'Jo']],
				'Hi Jo',
			],
		),
	])('with %s', async (_what, text, rows, expected) => {
		showing(text);
		expect(await preview(bodyOf(...rows))).toMatchObject({ text: expected, ready: true });
		expect(await preview(bodyOf())).toMatchObject({ text, ready: false });
	});

	it('with placeholders exactly as they are written, and an empty one removed', async () => {
		tenant.answer(answering());
		const placeholder = [
			{ key: '%a%', value: '$&' },
			{ key: '.*', value: '' },
		];
		const options = { placeholders: { placeholder } };
		expect(await preview({ ...bodyOf(['1', '%a% .* $x'], ['2', 'A-1']), options })).toMatchObject({
			text: 'Hi $&  $x, order A-1',
		});
	});

	it('the same from the form, from rows and from JSON, by both engines', async () => {
		tenant.answer(answering());
		const { items } = await preview();
		const { template_components } = items[0].json.request as IDataObject;
		for (const parameters of [
			bodyOf(['1', 'Jo'], ['2', 'A-1']),
			{ variablesMode: 'json', templateComponents: JSON.stringify(template_components) },
		])
			expect((await preview(parameters)).items).toEqual(items);
		expect((await preview({}, { byRoutingEngine: true })).items).toEqual(items);
	});
});

it.each<[string, IDataObject[], IDataObject, string]>([
	[
		'texts, named variables and buttons',
		[
			{ type: 'HEADER', format: 'TEXT', text: 'Dear {{1}}' },
			{ type: 'BODY', text: 'Hi {{first_name}}' },
			{ type: 'FOOTER', text: 'Reply STOP' },
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'URL', text: 'Shop', url: 'https://shop.example/' },
					{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}?lang=en' },
					{ type: 'QUICK_REPLY', text: 'Yes' },
					{ type: 'COPY_CODE', text: 'Copy' },
					{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+4930123456' },
				],
			},
		],
		{
			...{ header_text_1: 'Jo', body_first_name: 'Nora', button_1_url: 'A-1' },
			...{ button_2_quick_reply: 'yes', button_3_copy_code: 'TEN' },
		},
		'Dear Jo\n\nHi Nora\n\nReply STOP\n\n[Shop] https://shop.example/\n[Track] https://shop.example/A-1?lang=en\n[Yes]\n[Copy] TEN\n[Call] +4930123456',
	],
	[
		'a place',
		[
			{ type: 'HEADER', format: 'LOCATION' },
			{ type: 'BODY', text: 'Hello' },
		],
		{ header_location_latitude: '52.52', header_location_longitude: '13.4', header_location_name: 'Shop' },
		'[location]\n\nHello',
	],
])(
	'a preview shows every part of a template as it is filled in: %s',
	async (_what, components, values, text) => {
		tenant.answer(answering([template({ components })]));
		expect(await preview(form(values))).toMatchObject({ text, ready: true, missing: [], problems: [] });
	},
);

describe('consent', () => {
	const consent = (answer: unknown): Answers => ({
		'GET /profiles/3/marketing-opt-in': () => ({ data: answer }),
	});

	it.each<[string, Answers, string]>([
		['given', consent({ is_opted_in: true }), 'opted in'],
		['not given', consent({ is_opted_in: false }), 'not opted in'],
		...[undefined, null, 1, '1', 0, 'false', 'perhaps'].map((told): [string, Answers, string] => [
			`told as ${JSON.stringify(told)}`,
			consent({ is_opted_in: told }),
			'unknown: The service does not say whether the recipient has opted in',
		]),
		['refused', { 'GET /profiles/3/marketing-opt-in': refusal(403) }, 'unknown: Refused'],
		['without a profile', { 'GET /profiles': () => ({ data: [] }) }, 'not opted in: no profile'],
		[
			'with a profile that cannot be told apart',
			{ 'GET /profiles': () => ({ data: [{ id: 4 }] }) },
			'unknown: The service does not say whether the recipient has opted in',
		],
	])('that is %s', async (_what, answers, words) => {
		tenant.answer(answering([template()], answers));
		const { consent: told, ready, hints } = await preview();
		expect(told).toBe(words);
		expect(ready).toBe(true);
		const count = (word: string) => (words.startsWith(word) ? 1 : 0);
		expect(hints).toEqual([
			expect.stringContaining(
				`; ${count('not opted in')} without consent, ${count('unknown')} with unknown consent.`,
			),
		]);
	});
});

describe('totals', () => {
	const numbers = (...phones: string[]) => phones.map((phone) => ({ json: { phone } }));
	const each = { phoneNumber: '={{ $json.phone }}' };

	it('count all items', async () => {
		tenant.answer(answering());
		const { hints } = await preview(each, {
			items: numbers(DIGITS, `${DIGITS}8`, DIGITS, '12125550100', '33612345678', 'none'),
		});
		expect(hints).toEqual([
			'Nothing was sent. 5 of 6 messages are ready; 0 without consent, 1 with unknown consent.',
		]);
	});

	it('of many items need the templates once', async () => {
		tenant.answer(answering());
		const phones = Array.from({ length: 20 }, (_, index) => String(491_710_000_000 + index));
		const { items } = await preview(each, { items: numbers(...phones) });
		expect(items.map(({ json }) => json.phone_number)).toEqual(phones);
		const asked = (path: string) =>
			tenant.requests.filter((request) => request.split('?')[0] === `GET ${path}`).length;
		expect(['/templates', '/profiles', '/profiles/3/marketing-opt-in'].map(asked)).toEqual([1, 20, 20]);
	});

	it('are not needed by a tool of an agent, which gets the preview of its call', async () => {
		tenant.answer(answering());
		const call = await tenant.tool(message(), {});
		expect(await call({})).toMatchObject([{ text: 'Hi Jo, order A-1', ready: true }]);
		expect(tenant.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
	});

	it('count no failed items', async () => {
		tenant.answer(
			answering([template()], {
				'GET /profiles': ({ request }, reply) =>
					request.includes('666') ? refusal(500)({ request, body: '' }, reply) : { data: [] },
			}),
		);
		const { items, run } = await tenant.run(message(each), {
			items: numbers(DIGITS, '49170666666'),
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json, pairedItem }) => [json.ready ?? json.error, pairedItem])).toEqual([
			[true, { item: 0 }],
			['Refused', { item: 1 }],
		]);
		expect(run.data.resultData.runData.Node[0].hints).toMatchObject([
			{ message: '1 of 2 items failed.' },
			{ message: expect.stringContaining('1 of 1 messages are ready') },
		]);
	});
});

it('no secret is told, also where the service tells it', async () => {
	let secret = '';
	const tell: Answers[string] = async (_arrived, reply) =>
		await reply.code(403).send({ message: `Token ${secret} is not allowed` });
	const { context } = await tenant.editor({});
	({ accessToken: secret } = await context.getCredentials<{ accessToken: string }>('customerMessagingApi'));
	tenant.answer(answering([template()], { 'GET /profiles': tell }));
	expect(leaksOfRun(await tenant.run(message()), secret)).toEqual([]);
});
