import {
	extractFromAICalls,
	type IDataObject,
	type INodeParameters,
	type ResourceMapperField,
} from 'n8n-workflow';

import { templateValue } from '../../nodes/CustomerMessaging/messages/template/templateChoice.ts';
import { ACTION_NODE } from '../engine/engine.mts';
import { leaksIn } from '../engine/leaks.mts';
import { type Answers, ScriptedTenant } from '../engine/scriptedTenant.mts';
import { byId } from '../engine/tenant.mts';
import { WAY_ON } from '../engine/wayOn.mts';
import { labelOf, optionLabel } from '../description/labels.mts';

const tenant = ScriptedTenant.inEachTest();

const TEMPLATES = 'GET /templates';
const SEND = 'POST /chatapp/send-template';

const BODY = { type: 'BODY', text: 'Hi {{1}}!\nYour parcel {{2}} arrives on {{3}}' };
const BUTTONS = {
	type: 'BUTTONS',
	buttons: [
		{ type: 'URL', text: 'Track parcel', url: 'https://shop.example/{{1}}' },
		{ type: 'QUICK_REPLY', text: 'Thank you' },
	],
};
const IMAGE = { type: 'HEADER', format: 'IMAGE' };

const template = (language: string, ...components: object[]) => ({
	...{ name: 'order_shipped', language, status: 'APPROVED', components },
});

const has = (templates: unknown, answers: Answers = {}) =>
	tenant.answer({ [TEMPLATES]: () => templates, [SEND]: () => ({ data: { id: 1 } }), ...answers });

beforeEach(() =>
	has({
		data: [template('en_US', BODY, BUTTONS, IMAGE), template('de', { type: 'BODY', text: 'Hallo {{1}}!' })],
	}),
);

const chosen = (language: string): INodeParameters => ({
	...{ __rl: true, mode: 'list', value: templateValue('order_shipped', language) },
});

const message: INodeParameters = {
	...{ resource: 'message', operation: 'sendTemplate', variablesMode: 'form' },
	...{ recipient: 'phoneNumber', phoneNumber: '+49 171 1234567', agentId: byId('11') },
	templateName: chosen('en_US'),
};

async function formOf(
	parameters: INodeParameters = {},
	type = ACTION_NODE,
	method: 'getTemplateText' | 'getTemplateVariables' = 'getTemplateVariables',
) {
	const { methods, context } = await tenant.editor({ ...message, ...parameters });
	const node = context.getNode();
	context.getNode = () => ({ ...node, type });
	const form = await methods.resourceMapping?.[method].call(context);
	if (!form) throw new Error('There is no form');
	return form;
}

const fieldsOf = async (parameters?: INodeParameters, type?: string) =>
	(await formOf(parameters, type)).fields as Array<ResourceMapperField & { isNeeded?: boolean }>;

const filled = (value: IDataObject, schema: object[], more: INodeParameters = {}): INodeParameters => ({
	...{ ...message, ...more },
	variables: { mappingMode: 'defineBelow', schema, value } as unknown as INodeParameters,
});

describe('the form', () => {
	it('has the variables of the chosen language, and knows which are needed', async () => {
		expect((await fieldsOf()).map(({ id, displayName, isNeeded }) => [id, displayName, isNeeded])).toEqual([
			['body_1', 'Hi {{1}}!', true],
			['body_2', 'Your parcel {{2}} arrives o…', true],
			['body_3', 'arrives on {{3}}', true],
			['button_0_url', 'Track parcel · URL suffix', true],
			['button_1_quick_reply', 'Thank you · Value', false],
		]);
		for (const parameters of [
			{ templateName: chosen('de') },
			{ templateName: byId('order_shipped'), templateLanguage: 'de' },
		])
			expect((await fieldsOf(parameters)).map(({ displayName }) => displayName)).toEqual(['Hallo {{1}}!']);
	});

	it.each<[string, INodeParameters, string]>([
		['no template', { templateName: byId('') }, 'Choose a template'],
		['a template that is null', { templateName: null as never }, 'Choose a template'],
		['an expression', { templateName: byId('={{ $json.template }}') }, 'comes from an expression'],
		['a name that nobody has', { templateName: byId('no_such') }, 'The service has no template "no_such".'],
		['a name that is a number', { templateName: byId(5) }, 'The service has no template "5".'],
	])('says what to do with %s', async (_what, parameters, notice) => {
		expect(await formOf(parameters)).toEqual({
			fields: [],
			emptyFieldsNotice: expect.stringContaining(notice),
		});
	});

	it('of a template without variables says that there is nothing to fill in', async () => {
		has({ data: [template('en_US', { type: 'BODY', text: 'Hi' })] });
		expect((await formOf()).emptyFieldsNotice).toContain('no variables');
	});

	it('of a template with a part that is not known says that it may have variables', async () => {
		has({ data: [template('en_US', { type: 'BODY', text: 'Hi' }, { type: 'CAROUSEL', cards: [] })] });
		expect((await formOf()).emptyFieldsNotice).toBe(
			'No field fills a part of this template: carousel. Set Variables to Build Components or JSON.',
		);
	});

	it('with fields beside such a part says so below the text of the template', async () => {
		const buttons = [{ type: 'OTP', text: 'Copy' }];
		has({ data: [template('en_US', { type: 'BODY', text: 'Code {{1}}' }, { type: 'BUTTONS', buttons })] });
		expect((await formOf()).fields.map(({ id }) => id)).toEqual(['body_1']);
		expect((await formOf({}, ACTION_NODE, 'getTemplateText')).emptyFieldsNotice).toBe(
			'Code {{1}}<br>[Copy]<br><small>No field fills a part of this template: what button 1 does (otp). Set Variables to Build Components or JSON.</small>',
		);
	});

	it('has the names that people can enter', async () => {
		has({ data: [template('en_US', { type: 'BODY', text: 'Hi {{first-name}}, {{größe}}' })] });
		expect((await formOf()).fields.map(({ id }) => id)).toEqual(['body_first-name', 'body_größe']);
	});

	it('of a template that is not among the first 500 says among how many it was looked for', async () => {
		has(undefined, {
			[TEMPLATES]: ({ request }) => {
				const page = Number(/page=(\d+)/.exec(request)?.[1] ?? 1);
				const data = Array.from({ length: 5 }, (_, index) => ({ name: `t${5 * page + index}` }));
				return { data, current_page: page, last_page: 1000 };
			},
		});
		expect((await formOf({ templateName: byId('t4000') })).emptyFieldsNotice).toBe(
			`The service has no template "t4000" among its first 500. Check its name, or set ${await labelOf('variablesMode')} to ${await optionLabel('variablesMode', 'json')}.`,
		);
	});

	it('of a saved workflow stays where there is no credential, and where the templates cannot be read', async () => {
		const schema = [{ id: 'body_1' }];
		const parameters = filled({ body_1: 'Jo' }, schema);
		const { methods, context } = await tenant.editor(parameters);
		const node = context.getNode();
		context.getNode = () => ({ ...node, credentials: undefined });
		expect(await methods.resourceMapping?.getTemplateVariables.call(context)).toMatchObject({
			fields: schema,
			emptyFieldsNotice: 'The variables of the template are not known here.',
		});
		expect(tenant.requests).toEqual([]);
		// An empty form would drop the values.
		tenant.answer({});
		expect(await formOf(parameters)).toMatchObject({
			fields: schema,
			emptyFieldsNotice: expect.stringContaining('Nobody answers') as string,
		});
	});

	let token = '';

	it.each<[string, Answers[string]]>([
		['401', async (_arrived, reply) => await reply.code(401).send({ message: 'Unauthenticated.' })],
		['a page', async (_arrived, reply) => await reply.type('text/html').send('<title>Log in</title>')],
		['nothing', () => ''],
		['null', () => ({ data: null })],
		['odd templates', () => ({ data: [null, 5, { name: 'order_shipped', language: {}, components: 5 }] })],
		['the token', async (_arrived, reply) => await reply.code(403).send({ message: token })],
	])('is not red where the tenant answers %s', async (_what, templates) => {
		const { context } = await tenant.editor({});
		({ accessToken: token } = await context.getCredentials<{ accessToken: string }>('customerMessagingApi'));
		has(undefined, { [TEMPLATES]: templates });
		const form = await formOf();
		expect(form.fields).toEqual([]);
		expect(form.emptyFieldsNotice).toMatch(/\w+ \w+ \w+.*[.!]/s);
		expect(form.emptyFieldsNotice).not.toMatch(/undefined|\[object|NaN|TypeError|Cannot read/);
		expect(leaksIn(form, token)).toEqual([]);
	});
});

describe('the text of the template', () => {
	const textOf = async (parameters?: INodeParameters) =>
		await formOf(parameters, ACTION_NODE, 'getTemplateText');

	it('stands in its order with the variables in their places, and names a file of the header', async () => {
		const footer = { type: 'FOOTER', text: 'Reply STOP' };
		has({ data: [template('en_US', IMAGE, BODY, footer, BUTTONS)] });
		const { fields, emptyFieldsNotice } = await textOf();
		expect(emptyFieldsNotice).toBe(
			'<strong>[image]</strong><br>Hi {{1}}!<br>Your parcel {{2}} arrives on {{3}}<br><small>Reply STOP</small><br>[Track parcel] https://shop.example/{{1}}<br>[Thank you]',
		);
		expect(fields).toMatchObject([{ id: 'header_image', displayName: 'Header File', display: false }]);
		has({ data: [template('de', { type: 'BODY', text: 'Hallo {{1}}!' })] });
		expect(await textOf({ templateName: chosen('de') })).toEqual({
			fields: [],
			emptyFieldsNotice: 'Hallo {{1}}!',
		});
	});

	it('cannot bring HTML into the editor', async () => {
		const text = '<img src=x onerror=alert(1)> & {{1}}';
		const buttons = [{ type: 'URL', text: '<b>', url: 'https://a.example/<i>' }];
		has({
			data: [
				template(
					'en_US',
					{ type: 'HEADER', format: '<u>', text },
					{ type: 'BODY', text },
					{ type: 'FOOTER', text },
					{ type: 'BUTTONS', buttons },
				),
			],
		});
		const { emptyFieldsNotice = '' } = await textOf();
		expect(emptyFieldsNotice.replace(/<\/?(br|small|strong)>/g, '')).not.toMatch(/<|&(?!amp;|lt;|gt;)/);
	});

	it.each<[string, unknown]>([
		['that nobody has', []],
		['that shows no parts', [{ ...template('en_US'), components: undefined }]],
	])('of a template %s is not known', async (_what, data) => {
		has({ data });
		expect(await textOf()).toEqual({
			fields: [],
			emptyFieldsNotice: 'The text of the template is not known here.',
		});
	});
});

describe('a variable without a value', () => {
	it.each<[string, object[], IDataObject, string]>([
		[
			'a body',
			[BODY],
			{ body_1: 'Jo', body_3: 'Monday' },
			'The value for {{2}} in "Your parcel {{2}} arrives on {{3}}" is missing',
		],
		[
			'a button',
			[BUTTONS],
			{},
			'URL suffix of button 1 "Track parcel" (https://shop.example/{{1}}) is missing',
		],
	])('is told by the sentence of %s, and where to fill it in', async (_what, components, value, problem) => {
		has({ data: [template('en_US', ...components)] });
		const schema = await fieldsOf();
		const missing = schema.find(({ id, isNeeded }) => isNeeded && !(id in value));
		const empty = Object.fromEntries(schema.map(({ id }) => [id, null]));
		for (const none of [undefined, null, '', ' ', '={{ $json.missing }}']) {
			const given = { ...empty, ...(missing && { [missing.id]: none }), ...value } as IDataObject;
			const { error } = await tenant.run(filled(given, schema));
			expect(error).toMatchObject({
				message: problem,
				description: `Fill in "${missing?.displayName}". If the value comes from an expression, check that the item has that field.${WAY_ON}`,
			});
		}
		expect(tenant.requests).not.toContain(SEND);
	});
});

describe('the model of an agent', () => {
	const TOOL = `${ACTION_NODE}Tool`;

	it('is asked for each value by its sentence', async () => {
		const asked = (await fieldsOf({}, TOOL)).flatMap(({ defaultValue }) =>
			typeof defaultValue === 'string' ? extractFromAICalls(defaultValue) : [],
		);
		expect(asked.map(({ key, description }) => [key, description])).toEqual([
			['Hi_1_', 'The value for [1] in "Hi [1]!"'],
			['Your_parcel_2_arrives_o_', 'The value for [2] in "Your parcel [2] arrives on [3]"'],
			['arrives_on_3_', 'The value for [3] in "Your parcel [2] arrives on [3]"'],
			['Track_parcel_URL_suffix', 'URL suffix of button 1 "Track parcel" (https://shop.example/[1])'],
		]);
		for (const type of [ACTION_NODE, `${ACTION_NODE}HitlTool`])
			expect((await fieldsOf({}, type)).filter(({ defaultValue }) => defaultValue !== undefined)).toEqual([]);
	});

	it('is told what is missing by its sentence, not by an ID', async () => {
		const schema = await fieldsOf({ templateName: chosen('de') });
		const call = await tenant.tool(filled({ body_1: '' }, schema, { templateName: chosen('de') }), {});
		const told = JSON.stringify(await call({}).catch((error: unknown) => String(error)));
		expect(told).toContain('Hallo {{1}}!');
		expect(told).not.toContain('body_1');
		expect(tenant.requests).not.toContain(SEND);
	});

	it('gives what is sent, also where the words of the template are hostile', async () => {
		const text = 'Take `{{1}}` ${1} \\ }} "{{2}}" \'x\' {{ $json }}';
		has({ data: [template('de', { type: 'BODY', text })] });
		const templateName = chosen('de');
		const schema = await fieldsOf({ templateName }, TOOL);
		const value = Object.fromEntries(schema.map(({ id, defaultValue }) => [id, defaultValue]));
		const keys = schema.map(({ defaultValue }) => extractFromAICalls(String(defaultValue))[0].key);
		const call = await tenant.tool(filled(value as IDataObject, schema, { templateName }), {});
		await call({ [keys[0]]: 'Jo', [keys[1]]: 'A-1' });
		const parameters = ['Jo', 'A-1'].map((one) => ({ type: 'text', text: one }));
		expect(tenant.bodies(SEND)).toMatchObject([{ template_components: [{ type: 'body', parameters }] }]);
	});
});
