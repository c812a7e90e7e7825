import { extractFromAICalls, type IDataObject, type INodeParameters, NodeHelpers } from 'n8n-workflow';

import { templateValue } from '../../../nodes/CustomerMessaging/messaging/templateChoice.ts';
import { ACTION_NODE, loadedPackage } from '../../engine/engine.mts';
import { byId } from '../../engine/tenant.mts';
import { ScriptedTenant } from '../guards/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const TEMPLATES = 'GET /templates';
const LANGUAGES = 'GET /support/chatapp-template-languages';
const SEND = 'POST /chatapp/send-template';

const BODY = { type: 'BODY', text: 'Hi {{1}}!\nYour parcel {{2}} arrives on {{3}}' };
const BUTTONS = {
	type: 'BUTTONS',
	buttons: [{ type: 'URL', text: 'Track parcel', url: 'https://shop.example/{{1}}' }],
};
const IMAGE = { type: 'HEADER', format: 'IMAGE' };

const template = (name: string, language: string, status = 'APPROVED', components: object[] = [BODY]) => ({
	...{ name, language, status, components },
});

const SHIPPED = [
	template('order_shipped', 'en_US', 'APPROVED', [BODY, BUTTONS, IMAGE]),
	template('order_shipped', 'de', 'APPROVED', [{ type: 'BODY', text: 'Hallo {{1}}!' }]),
];

const languages = [
	{ language: 'English', code: 'en_US' },
	{ language: 'German', code: 'de' },
];

/** A tenant with these templates, in pages of five. */
function answer(templates: object[], answers: Parameters<typeof tenant.answer>[0] = {}): void {
	tenant.answer({
		[LANGUAGES]: () => ({ data: languages }),
		[TEMPLATES]({ request }) {
			const page = Number(new URL(request.slice('GET '.length), 'http://a').searchParams.get('page') ?? 1);
			return {
				data: templates.slice(5 * (page - 1), 5 * page),
				current_page: page,
				last_page: Math.ceil(templates.length / 5),
			};
		},
		[SEND]: () => ({ data: { id: 1 } }),
		...answers,
	});
}

const chosen = (name: string, language: string): INodeParameters => ({
	...{ __rl: true, mode: 'list', value: templateValue(name, language), cachedResultName: 'shown' },
});

const message: INodeParameters = {
	resource: 'message',
	operation: 'sendTemplate',
	recipient: 'phoneNumber',
	phoneNumber: '+49 171 1234567',
	agentId: byId('11'),
	variablesMode: 'components',
};

async function search(filter?: string) {
	const { methods, context } = await tenant.editor(message);
	const found: Array<{ name: string; value: unknown }> = [];
	let token: string | undefined;
	do {
		const part = await methods.listSearch?.searchTemplates.call(context, filter, token);
		found.push(...((part?.results ?? []) as typeof found));
		token = part?.paginationToken as string | undefined;
	} while (token);
	return found;
}

const namesOf = async (filter?: string) => (await search(filter)).map(({ name }) => name);

describe('the list of templates', () => {
	it('has an entry for each language, by its name, with a value that holds both', async () => {
		answer([...SHIPPED, template('welcome', 'pt_BR')]);
		expect(await search()).toEqual([
			{ name: 'order_shipped · English (en_US)', value: 'order_shipped\u00a0·\u00a0en_US' },
			{ name: 'order_shipped · German (de)', value: 'order_shipped\u00a0·\u00a0de' },
			{ name: 'welcome · pt_BR', value: 'welcome\u00a0·\u00a0pt_BR' },
		]);
	});

	const MIXED = [
		template('new_offer', 'de', 'PENDING'),
		...SHIPPED,
		template('old_offer', 'en_US', 'in appeal'),
		template('untold', 'de', ''),
	];
	const HIDDEN = 'Not approved, so hidden: pending, in_appeal. Type the status to list them';

	it('leaves out templates that are not approved, and says so', async () => {
		answer(MIXED);
		expect(await search()).toEqual([
			expect.objectContaining({ name: 'order_shipped · English (en_US)' }),
			expect.objectContaining({ name: 'order_shipped · German (de)' }),
			expect.objectContaining({ name: 'untold · German (de)' }),
			{ name: HIDDEN, value: '' },
		]);
	});

	it.each([
		['pending', ['new_offer · German (de) · pending']],
		['OFFER  Pending', ['new_offer · German (de) · pending']],
		['in_appeal', ['old_offer · English (en_US) · in_appeal']],
		['offer', [HIDDEN]],
		['new_', ['Not approved, so hidden: pending. Type the status to list them']],
		['order', ['order_shipped · English (en_US)', 'order_shipped · German (de)']],
		['shipped german', ['order_shipped · German (de)']],
		['nothing of the kind', []],
	])('finds by "%s"', async (typed, names) => {
		answer(MIXED);
		expect(await namesOf(typed)).toEqual(names);
	});

	it('is never empty for lack of an approval', async () => {
		answer([template('a', 'de', 'REJECTED')]);
		expect(await namesOf()).toEqual(['Not approved, so hidden: rejected. Type the status to list them']);
	});

	it('goes on behind pages without an approved template, and finds on all pages', async () => {
		const many = Array.from({ length: 30 }, (_, index) => template(`t${index}`, 'de', 'PENDING'));
		answer([...many, template('last', 'de')]);
		expect(await namesOf()).toEqual(['last · German (de)', expect.stringContaining('hidden: pending')]);
		expect(await namesOf('t29 pending')).toEqual(['t29 · German (de) · pending']);
	});

	it('reads the names of the languages once', async () => {
		answer(SHIPPED);
		for (const filter of [undefined, 'order', 'german']) await search(filter);
		expect(tenant.requests.filter((request) => request === LANGUAGES)).toHaveLength(1);
		expect(tenant.requests.filter((request) => request.startsWith(TEMPLATES))).toHaveLength(3);
	});

	it.each<[string, unknown]>([
		['does not tell its languages', { message: 'No' }],
		['tells languages without a name', { data: [{ code: 'de' }] }],
	])('shows codes where the tenant %s', async (_what, told) => {
		answer(SHIPPED, { [LANGUAGES]: () => told });
		expect(await namesOf()).toEqual(['order_shipped · en_US', 'order_shipped · de']);
	});

	it.each([
		['without a language', 'a', '', 'a'],
		['with a language that cannot be told from its name', 'a', 'b\u00a0·\u00a0c', 'a'],
		['with the sign in its name', 'a\u00a0·\u00a0b', 'de', 'a\u00a0·\u00a0b\u00a0·\u00a0de'],
		['whose name looks like an expression', '=a', 'de', '=a'],
	])('gives a template %s a value that says nothing wrong', (_what, name, language, value) => {
		expect(templateValue(name, language)).toBe(value);
	});
});

describe('the parameters of the language and of files', () => {
	type Shown = (parameters: INodeParameters) => Promise<boolean>;

	const shownOf =
		(name: string): Shown =>
		async (parameters) => {
			const { description } = (await loadedPackage()).getNode('customerMessaging').type as {
				description: Parameters<typeof NodeHelpers.displayParameter>[3] & object;
			};
			const node = { typeVersion: 1, type: ACTION_NODE };
			return description.properties
				.filter((property) => property.name === name)
				.some((property) =>
					NodeHelpers.displayParameter(parameters, property, node as never, description, parameters),
				);
		};

	const asks: INodeParameters[] = [
		{ ...message },
		{ ...message, operation: 'previewTemplate' },
		{ ...message, operation: 'sendAndWait', sendAs: 'template' },
	];

	it.each<[what: string, value: unknown, isShown: boolean]>([
		['is hidden where the list gave it', chosen('order_shipped', 'de'), false],
		['is hidden where the entry of the list became a name', byId('order_shipped\u00a0·\u00a0de'), false],
		['is shown for a name from the list of an earlier version', { ...chosen('a', ''), value: 'a' }, true],
		['is shown for a name', byId('order_shipped'), true],
		['is shown for a name with signs', byId('Offer · de, order_shipped|de, ["a","de"]'), true],
		['is shown for an expression', byId('={{ $json.template }}\u00a0·\u00a0{{ $json.language }}'), true],
		['is shown for an expression in place of the locator', '={{ $json.template }}', true],
		['is shown for a name that is a number', { __rl: true, mode: 'id', value: 5 }, true],
		['is shown while nothing is chosen', { __rl: true, mode: 'list', value: '' }, true],
	])('the language %s', async (_what, templateName, isShown) => {
		for (const parameters of asks)
			expect(await shownOf('templateLanguage')({ ...parameters, templateName } as INodeParameters)).toBe(
				isShown,
			);
	});

	it('the language is not shown for a question as text', async () => {
		const asText = { ...message, operation: 'sendAndWait', sendAs: 'text', templateName: byId('a') };
		expect(await shownOf('templateLanguage')(asText)).toBe(false);
	});

	it.each<[what: string, components: object[], isShown: boolean]>([
		['an image, wherever the record has it', [BODY, BUTTONS, IMAGE], true],
		['a video', [{ type: 'HEADER', format: 'video' }, BODY], true],
		['a document', [BODY, { type: 'HEADER', format: 'DOCUMENT' }], true],
		['a text', [{ type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}' }, BODY], false],
		['a place', [{ type: 'HEADER', format: 'LOCATION' }, BODY], false],
		['nothing', [BODY], false],
		['nothing, in a template without variables', [], false],
	])('the notice about files is shown for a header with %s', async (_what, components, isShown) => {
		answer([template('a', 'de', 'APPROVED', components)]);
		const parameters = { ...message, variablesMode: 'form', templateName: chosen('a', 'de') };
		const { methods, context } = await tenant.editor(parameters);
		const form = await methods.resourceMapping?.getTemplateVariables.call(context);
		const variables = { mappingMode: 'defineBelow', value: {}, schema: form?.fields };
		const filled = { ...parameters, variables } as unknown as INodeParameters;
		expect(await shownOf('variablesNotice')(filled)).toBe(isShown);
		expect(await shownOf('variablesNotice')({ ...filled, variablesMode: 'json' })).toBe(false);
		expect(await shownOf('variablesNotice')(parameters)).toBe(false);
	});
});

describe('what is sent', () => {
	const body = (template_name: string, template_language: string) => ({
		...{ phone_number: 491711234567, agent_id: 11 },
		...{ template_name, template_language, template_components: [] },
	});

	it.each<[what: string, parameters: INodeParameters, name: string, language: string]>([
		['from the list', { templateName: chosen('order_shipped', 'de') }, 'order_shipped', 'de'],
		[
			'from the list, over a language that was chosen before',
			{ templateName: chosen('order_shipped', 'de'), templateLanguage: 'en_US' },
			'order_shipped',
			'de',
		],
		[
			'of a saved workflow, from the list of an earlier version',
			{ templateName: { __rl: true, mode: 'list', value: 'welcome' }, templateLanguage: 'en_US' },
			'welcome',
			'en_US',
		],
		['by its name', { templateName: byId('A · b'), templateLanguage: 'en_US' }, 'A · b', 'en_US'],
		[
			'by an expression, which is not taken apart',
			{ templateName: byId('={{ "a\u00a0·\u00a0b" }}'), templateLanguage: '={{ "de" }}' },
			'a\u00a0·\u00a0b',
			'de',
		],
	])('a template %s', async (_what, parameters, name, language) => {
		answer(SHIPPED);
		const { error } = await tenant.run({ ...message, ...parameters });
		expect(error).toBeUndefined();
		expect(tenant.bodies(SEND)).toEqual([body(name, language)]);
		tenant.arrived.splice(0);

		const preview = await tenant.run({ ...message, ...parameters, operation: 'previewTemplate' });
		expect(preview.items[0].json.template).toMatchObject({ name, language });
		expect(tenant.bodies(SEND)).toEqual([]);
	});

	it('an expression needs a language of its own', async () => {
		answer(SHIPPED);
		const templateName = byId('={{ "order_shipped\u00a0·\u00a0de" }}');
		const { error } = await tenant.run({ ...message, templateName, templateLanguage: '={{ "" }}' });
		expect(error?.message).toBe('Template Language Name or ID is empty');
		expect(tenant.requests).toEqual([]);
	});

	it('a tool of an agent sends the template that was chosen from the list', async () => {
		answer(SHIPPED);
		const call = await tenant.tool({ ...message, templateName: chosen('order_shipped', 'de') }, {});
		await call({});
		expect(tenant.bodies(SEND)).toEqual([body('order_shipped', 'de')]);
	});

	const fallback = (row: IDataObject) =>
		({
			...message,
			templateName: chosen('order_shipped', 'de'),
			options: { ifUndelivered: 'sendTemplate', fallbackTemplate: { template: row } },
		}) as INodeParameters;

	it.each<[what: string, row: IDataObject, name: string, language: string]>([
		['from the list', { templateName: chosen('plain', 'en_US') }, 'plain', 'en_US'],
		[
			'from the list, over what was there before',
			{ templateName: chosen('plain', 'en_US'), name: 'old', language: 'de' },
			'plain',
			'en_US',
		],
		['by its name', { templateName: byId(' plain '), language: 'en_US' }, 'plain', 'en_US'],
		['of a saved workflow', { name: 'plain', language: 'en_US' }, 'plain', 'en_US'],
		[
			'by an expression, which is not taken apart',
			{ templateName: byId('={{ "a\u00a0·\u00a0b" }}'), language: 'de' },
			'a\u00a0·\u00a0b',
			'de',
		],
	])('a template instead, %s', async (_what, row, name, language) => {
		let sent = 0;
		answer(SHIPPED, {
			[SEND]: () => ({ data: { id: ++sent, ...(sent === 1 && { latest_error: 'Expired' }) } }),
		});
		const { error } = await tenant.run(fallback(row));
		expect(error).toBeUndefined();
		expect(tenant.bodies(SEND)).toEqual([body('order_shipped', 'de'), body(name, language)]);
	});

	it.each([
		['no template', { language: 'de' }, 'Fallback Template (Template) is empty'],
		['no language', { templateName: byId('plain') }, 'Fallback Template (Language) is empty'],
	])('nothing with %s to send instead', async (_what, row, problem) => {
		answer(SHIPPED);
		const { error } = await tenant.run(fallback(row));
		expect(error?.message).toBe(problem);
		expect(tenant.requests).toEqual([]);
	});
});

describe('the form of a template from the list', () => {
	const formOf = async (type = ACTION_NODE, parameters: INodeParameters = {}) => {
		const given = { ...message, variablesMode: 'form', templateName: chosen('order_shipped', 'en_US') };
		const { methods, context } = await tenant.editor({ ...given, ...parameters });
		const node = context.getNode();
		context.getNode = () => ({ ...node, type });
		return (await methods.resourceMapping?.getTemplateVariables.call(context))?.fields ?? [];
	};

	it('has the variables of its language, files first', async () => {
		answer(SHIPPED);
		const labels = (fields: IDataObject[]) => fields.map(({ id, displayName }) => [id, displayName]);
		expect(labels((await formOf()) as unknown as IDataObject[])).toEqual([
			['header_image', 'Header image'],
			['body_1', 'Body 1 · Hi'],
			['body_2', 'Body 2 · Your parcel'],
			['body_3', 'Body 3 · arrives on'],
			['button_0_url', 'URL end · Track parcel'],
		]);
		const german = await formOf(undefined, { templateName: chosen('order_shipped', 'de') });
		expect(labels(german as unknown as IDataObject[])).toEqual([['body_1', 'Body 1 · Hallo']]);
	});

	it('names the sentence of a value that is missing, and where to fill it in', async () => {
		answer(SHIPPED);
		const schema = await formOf();
		const filled = {
			header_image: 'https://a.example/a.png',
			body_1: 'Jo',
			body_3: 'Monday',
			button_0_url: 'A',
		};
		for (const given of [{}, { body_2: '={{ $json.missing }}' }, { body_2: ' ' }]) {
			const { error } = await tenant.run({
				...{ ...message, variablesMode: 'form', templateName: chosen('order_shipped', 'en_US') },
				variables: { mappingMode: 'defineBelow', schema, value: { ...filled, ...given } } as never,
			});
			expect(error?.message).toBe('The value for {{2}} in "Your parcel {{2}} arrives on {{3}}" is missing');
			expect((error as { description?: string } | undefined)?.description).toBe(
				'Fill in "Body 2 · Your parcel" of the Template Variables. If the value comes from an expression, check that the item has that field.',
			);
		}
		expect(tenant.bodies(SEND)).toEqual([]);
	});

	const TOOL = `${ACTION_NODE}Tool`;

	it('asks the model of an agent for each value by its sentence', async () => {
		answer(SHIPPED);
		const asked = (await formOf(TOOL)).flatMap(({ defaultValue }) =>
			typeof defaultValue === 'string' ? extractFromAICalls(defaultValue) : [],
		);
		expect(asked.map(({ key, description }) => [key, description])).toEqual([
			['Body_1_Hi', 'The value for [1] in "Hi [1]!"'],
			['Body_2_Your_parcel', 'The value for [2] in "Your parcel [2] arrives on [3]"'],
			['Body_3_arrives_on', 'The value for [3] in "Your parcel [2] arrives on [3]"'],
			['URL_end_Track_parcel', 'URL end of button 1 "Track parcel" (https://shop.example/[1])'],
		]);
		for (const type of [ACTION_NODE, `${ACTION_NODE}HitlTool`])
			expect((await formOf(type)).filter(({ defaultValue }) => defaultValue !== undefined)).toEqual([]);
	});

	it('sends what the model gave, also where the words of the template are hostile', async () => {
		const text = 'Take `{{1}}` ${1} \\ }} "{{2}}" \'x\' {{ $json }}';
		answer([template('odd', 'de', 'APPROVED', [{ type: 'BODY', text }])]);
		const templateName = chosen('odd', 'de');
		const schema = await formOf(TOOL, { templateName });
		const value = Object.fromEntries(schema.map(({ id, defaultValue }) => [id, defaultValue]));
		const keys = schema.map(({ defaultValue }) => extractFromAICalls(String(defaultValue))[0].key);
		const call = await tenant.tool(
			{
				...{ ...message, variablesMode: 'form', templateName },
				variables: { mappingMode: 'defineBelow', schema, value } as never,
			},
			{},
		);
		await call({ [keys[0]]: 'Jo', [keys[1]]: 'A-1' });
		expect(tenant.bodies(SEND)).toMatchObject([
			{
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
		]);
	});
});
