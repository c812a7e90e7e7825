import { type IDataObject, type INodeParameters, NodeHelpers } from 'n8n-workflow';

import { templateValue } from '../../nodes/CustomerMessaging/messages/template/templateChoice.ts';
import { ACTION_NODE } from '../engine/engine.mts';
import { ScriptedTenant } from '../engine/scriptedTenant.mts';
import { byId } from '../engine/tenant.mts';
import { nodeDescription } from '../description/nodeDescription.mts';
import { labelOf } from '../description/labels.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /chatapp/send-template';
const PAGE_BUTTON = { type: 'URL', text: 'Answer', url: 'http://127.0.0.1:5678/webhook-waiting/{{1}}' };

const template = (name: string, language: string, ...components: object[]) => ({
	...{ name, language, status: 'APPROVED' },
	components: [{ type: 'BODY', text: 'Hi' }, ...components],
});

/** A tenant with these templates. */
const has = (...templates: object[]) =>
	tenant.answer({
		'GET /support/chatapp-template-languages': () => ({ data: [] }),
		'GET /templates': () => ({ data: templates }),
		[SEND]: () => ({ data: { id: 1 } }),
	});

/** What the editor keeps of an entry that was chosen from the list. */
const chosen = (name: string, language: string): INodeParameters => ({
	...{ __rl: true, mode: 'list', value: templateValue(name, language), cachedResultName: 'shown' },
});

const message: INodeParameters = {
	...{ resource: 'message', operation: 'sendTemplate', variablesMode: 'components' },
	...{ recipient: 'phoneNumber', phoneNumber: '+49 171 1234567', agentId: byId('11') },
};

const question: INodeParameters = {
	...{ ...message, operation: 'sendAndWait', sendAs: 'template', message: 'Well?' },
	...{ responseType: 'approval', linkVariable: 1, buttons: {} },
};

const sent = () => tenant.bodies(SEND).map((body) => [body.template_name, body.template_language]);

it.each([
	['without a language', 'a', '', 'a'],
	['with a language that cannot be told from its name', 'a', 'b\u00a0·\u00a0c', 'a'],
	['with the sign in its name', 'a\u00a0·\u00a0b', 'de', 'a\u00a0·\u00a0b\u00a0·\u00a0de'],
	['whose name looks like an expression', '=a', 'de', '=a'],
])('a template %s has a value that says nothing wrong', (_what, name, language, value) => {
	expect(templateValue(name, language)).toBe(value);
});

describe.each<[string, INodeParameters]>([
	['Send Template', message],
	['Send and Wait for Response', question],
])('chosen from the list for %s', (_what, parameters) => {
	it.each([
		['order_shipped', 'en_US'],
		['sale · summer', 'de'],
		['sale · de', 'en'],
		['order (de)', 'en'],
		['order\u00a0shipped', 'en'],
		['بطلب', 'ar'],
		['{{ 1 }}', 'en'],
		['order_shipped', 'zh_Hant-TW'],
		['__proto__', 'en'],
		['a'.repeat(512), 'en_US'],
	])('%.40j in %j goes out as it is, whatever language was chosen before', async (name, language) => {
		has(template(name, language, { type: 'BUTTONS', buttons: [PAGE_BUTTON] }), template('other', 'fr'));
		const templateName = chosen(name, language);
		for (const templateLanguage of ['', 'en_GB']) {
			const { error } = await tenant.run({ ...parameters, templateName, templateLanguage });
			expect(error).toBeUndefined();
		}
		expect(sent()).toEqual([
			[name, language],
			[name, language],
		]);
	});
});

describe('a template and a language of their own', () => {
	const SHIPPED = [template('order_shipped', 'en_US'), template('order_shipped', 'de')];

	it.each<[string, INodeParameters | string, string, [string, string]]>([
		['from the list', chosen('order_shipped', 'de'), 'en_US', ['order_shipped', 'de']],
		[
			'from the list, without a known language',
			{ __rl: true, mode: 'list', value: 'welcome' },
			'en_US',
			['welcome', 'en_US'],
		],
		['by name', byId('A · b'), 'en_US', ['A · b', 'en_US']],
		['by name, without a mark', { mode: 'id', value: 'welcome' }, 'en_US', ['welcome', 'en_US']],
		['by an expression', byId('={{ $json.name }}'), '={{ $json.code }}', ['welcome', 'de']],
		[
			'by an expression in the list',
			{ __rl: true, mode: 'list', value: '={{ $json.name }}' },
			'de',
			['welcome', 'de'],
		],
		[
			'by an expression, which is not taken apart',
			byId('={{ "a\u00a0·\u00a0b" }}'),
			'={{ "de" }}',
			['a\u00a0·\u00a0b', 'de'],
		],
	])(
		'go out %s, and are previewed, the same by both engines',
		async (_what, templateName, code, expected) => {
			has(...SHIPPED);
			const parameters = { ...message, templateName, templateLanguage: code };
			const items = [{ json: { name: 'welcome', code: 'de' } }];
			for (const byRoutingEngine of [false, true])
				expect((await tenant.run(parameters, { items, byRoutingEngine })).error).toBeUndefined();
			const [body, again] = tenant.bodies(SEND);
			expect(body).toEqual({
				...{ phone_number: 491711234567, agent_id: 11 },
				...{ template_name: expected[0], template_language: expected[1], template_components: [] },
			});
			expect(JSON.stringify(again)).toBe(JSON.stringify(body));
			const preview = await tenant.run({ ...parameters, operation: 'previewTemplate' }, { items });
			expect(preview.items[0].json.request).toEqual(body);
			expect(sent()).toHaveLength(2);
		},
	);

	it('are those of each item', async () => {
		has(...SHIPPED);
		const { error } = await tenant.run(
			{ ...message, templateName: byId('={{ $json.name }}'), templateLanguage: '={{ $json.code }}' },
			{ items: ['a', 'b'].map((name) => ({ json: { name, code: `${name}-code` } })) },
		);
		expect(error).toBeUndefined();
		expect(sent()).toEqual([
			['a', 'a-code'],
			['b', 'b-code'],
		]);
	});

	it.each(['={{ $json.nowhere }}', '={{ null }}', '   ', '={{ "" }}'])(
		'need a language, which %j is not',
		async (templateLanguage) => {
			has(...SHIPPED);
			for (const name of ['order_shipped', '={{ "order_shipped\u00a0·\u00a0de" }}']) {
				const { error } = await tenant.run({ ...message, templateName: byId(name), templateLanguage });
				expect(error?.message).toBe(`${await labelOf('templateLanguage')} is empty`);
			}
			expect(tenant.requests).toEqual([]);
		},
	);

	it('need a template: an entry that only tells something is none, and no item without one is sent', async () => {
		has(...SHIPPED);
		const told = {
			__rl: true,
			mode: 'list',
			value: '',
			cachedResultName: 'Hidden, since not approved: pending',
		};
		// What n8n says before the run.
		await expect(tenant.run({ ...message, templateName: told, templateLanguage: 'en' })).rejects.toThrow(
			`"${await labelOf('templateName')}" is required`,
		);
		const { items } = await tenant.run(
			{ ...message, templateName: byId('={{ $json.template }}'), templateLanguage: 'en' },
			{
				items: ['', null, {}, []].map((one) => ({ json: { template: one } as IDataObject })),
				onError: 'continueRegularOutput',
			},
		);
		expect(items.map(({ json }) => typeof json.error)).toEqual(['string', 'string', 'string', 'string']);
		expect(sent()).toEqual([]);
	});

	it('are what a model may name, or what a person has chosen for it', async () => {
		has(...SHIPPED);
		const named = await tenant.tool(
			{
				...{ ...message, templateName: byId('={{ $fromAI("template") }}') },
				templateLanguage: '={{ $fromAI("language") }}',
			},
			{},
		);
		await named({ template: 'welcome', language: 'fr' });
		const fixed = await tenant.tool({ ...message, templateName: chosen('order_shipped', 'de') }, {});
		await fixed({});
		expect(sent()).toEqual([
			['welcome', 'fr'],
			['order_shipped', 'de'],
		]);
	});
});

describe('a parameter that a chosen template makes needless', () => {
	const isShown = async (name: string, parameters: INodeParameters): Promise<boolean> => {
		const description = await nodeDescription();
		const node = { typeVersion: 1, type: ACTION_NODE };
		return description.properties
			.filter((property) => property.name === name)
			.some((property) =>
				NodeHelpers.displayParameter(parameters, property, node as never, description, parameters),
			);
	};

	const asks: INodeParameters[] = [message, { ...message, operation: 'previewTemplate' }, question];

	it.each<[what: string, value: unknown, isShown: boolean]>([
		['is hidden where the list gave it', chosen('order_shipped', 'de'), false],
		['is hidden where the entry of the list became a name', byId('order_shipped\u00a0·\u00a0de'), false],
		['is shown for an entry of the list without a language', { ...chosen('a', ''), value: 'a' }, true],
		['is shown for a name', byId('order_shipped'), true],
		['is shown for a name with signs', byId('Offer · de, order_shipped|de, ["a","de"]'), true],
		['is shown for an expression', byId('={{ $json.template }}\u00a0·\u00a0{{ $json.language }}'), true],
		['is shown for an expression in place of the locator', '={{ $json.template }}', true],
		['is shown for a name that is a number', { __rl: true, mode: 'id', value: 5 }, true],
		['is hidden while nothing is chosen', { __rl: true, mode: 'list', value: '' }, false],
		['is hidden while no name is entered', byId(''), false],
	])('the language %s', async (_what, templateName, expected) => {
		for (const parameters of asks)
			expect(await isShown('templateLanguage', { ...parameters, templateName } as INodeParameters)).toBe(
				expected,
			);
	});

	it.each(['a', '={{ $json.template }}'])(
		'the language is not shown for a question as text, whatever template %j is left',
		async (name) => {
			const parameters = { ...question, sendAs: 'text', templateName: byId(name) };
			expect(await isShown('templateLanguage', parameters)).toBe(false);
		},
	);

	it('the language is not shown for another operation, whatever template is left', async () => {
		const parameters = { ...message, operation: 'send', templateName: '={{ $json.template }}' };
		expect(await isShown('templateLanguage', parameters)).toBe(false);
	});

	it.each<[what: string, header: object[], isShown: boolean]>([
		['an image', [{ type: 'HEADER', format: 'IMAGE' }], true],
		['a video', [{ type: 'HEADER', format: 'video' }], true],
		['a document', [{ type: 'HEADER', format: 'DOCUMENT' }], true],
		['a text', [{ type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}' }], false],
		['a place', [{ type: 'HEADER', format: 'LOCATION' }], false],
		['nothing', [], false],
	])('the file of a header is asked for where the header has %s', async (_what, header, expected) => {
		has(template('a', 'de', ...header));
		const parameters = { ...message, variablesMode: 'form', templateName: chosen('a', 'de') };
		const { methods, context } = await tenant.editor(parameters);
		const text = await methods.resourceMapping?.getTemplateText.call(context);
		const templateText = { mappingMode: 'shown', value: {}, schema: text?.fields };
		const known = { ...parameters, templateText } as unknown as INodeParameters;
		expect(await isShown('headerFile', known)).toBe(expected);
		expect(await isShown('headerFile', { ...known, variablesMode: 'json' })).toBe(false);
		expect(await isShown('headerFile', parameters)).toBe(false);
	});
});
