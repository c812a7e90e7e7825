import type { FastifyRequest } from 'fastify';
import type {
	IDataObject,
	INodeListSearchItems,
	INodeParameters,
	NodeApiError,
	ResourceMapperField,
} from 'n8n-workflow';

import { agentTool } from '../engine/agentTool.mts';
import { editorOf, type NodeRunOptions, runNode } from '../engine/engine.mts';
import { leaksIn, leaksOfRun } from '../engine/leaks.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId } from '../engine/tenant.mts';
import { generation } from '../n8n/generation.mts';
import {
	answerWith,
	type Answers,
	created,
	ORDER_SHIPPED,
	refusal,
	sendTemplate,
	sendText,
	templateOf,
	toPhone,
	writes,
} from './messages.mts';

/** What n8n says before the run. n8n 1 names no parameter. */
const refusalOf = (said: RegExp) => (generation === 1 ? /The workflow has issues/ : said);

const tenant = OddTenant.inEachTest();

/** The bodies of what was sent, as the bytes that went out. */
const sent: string[] = [];

const take = ({ body }: FastifyRequest) => {
	sent.push(JSON.stringify(body));
	return created();
};

const LANGUAGES = {
	data: [
		{ language: 'English', code: 'en' },
		{ language: 'English', code: 'en_US' },
		{ language: 'German', code: 'de' },
	],
};

const has = (templates: unknown[], answers: Answers = {}): void =>
	answerWith(tenant, {
		languages: LANGUAGES,
		send: take,
		sendTemplate: take,
		templates: { data: templates } as object,
		...answers,
	});

beforeEach(() => {
	sent.splice(0);
	has([ORDER_SHIPPED]);
});

const called = (name: unknown, more: IDataObject = {}) => ({
	...ORDER_SHIPPED,
	name: name as string,
	...more,
});

/** All entries of the picker, as the editor scrolls to its end. */
async function listed(filter?: string): Promise<INodeListSearchItems[]> {
	const { methods, context } = await editorOf({
		credentials: tenant.credentials,
		parameters: { resource: 'message', operation: 'sendTemplate' },
	});
	const entries: INodeListSearchItems[] = [];
	let token: string | undefined;
	for (let page = 0; page < 50; page++) {
		const answer = await methods.listSearch?.searchTemplates.call(context, filter, token);
		entries.push(...(answer?.results ?? []));
		token = answer?.paginationToken as string | undefined;
		if (token === undefined) break;
	}
	return entries;
}

/** The entries that are templates: others only tell something, and have nothing to choose. */
const choices = async (filter?: string) => (await listed(filter)).filter(({ value }) => value !== '');

const namesOf = (entries: INodeListSearchItems[]) => entries.map(({ name }) => name);

const chosen = ({ value, name }: INodeListSearchItems) => ({
	__rl: true,
	mode: 'list',
	value,
	cachedResultName: name,
});

const going: Partial<NodeRunOptions> = { onError: 'continueRegularOutput' };

async function run(parameters: INodeParameters, options: Partial<NodeRunOptions> = {}) {
	return await runNode({ credentials: tenant.credentials, ...options, parameters });
}

const sentBodies = () => sent.map((body) => JSON.parse(body) as IDataObject);

const messageOf = (result: Awaited<ReturnType<typeof run>>): string => {
	const { error, items } = result;
	const [item] = items;
	const failure = (error ?? item?.error) as { message?: string; description?: string | null } | undefined;
	return [failure?.message, failure?.description, JSON.stringify(item?.json ?? {})].join('\n');
};

describe('The list', () => {
	it('names a template, its language and the code of it', async () => {
		expect(namesOf(await listed())).toEqual(['order_shipped · English (en_US)']);
	});

	it('has the same template once for each language, and each choice sends its own', async () => {
		has(['en', 'de', 'en_US'].map((language, id) => called('order_shipped', { id, language })));
		const entries = await choices();
		expect(namesOf(entries).sort()).toEqual([
			'order_shipped · English (en)',
			'order_shipped · English (en_US)',
			'order_shipped · German (de)',
		]);
		expect(new Set(entries.map(({ value }) => value)).size).toBe(3);
		for (const entry of entries)
			await run({ ...sendTemplate, templateName: chosen(entry), templateLanguage: '' });
		expect(
			sentBodies()
				.map(({ template_language: language }) => language)
				.sort(),
		).toEqual(['de', 'en', 'en_US']);
	});

	it.each<[string, Answers]>([
		['is refused', { languages: refusal(403) }],
		['is null', { languages: { data: null } }],
		['is empty', { languages: { data: [] } }],
		['is a text', { languages: '"languages"' }],
		['has odd entries', { languages: { data: [null, 5, 'en_US', [], { language: 5, code: {} }] } }],
		['has no words', { languages: { data: [{ code: 'en_US' }] } }],
	])('can be chosen from where the list of languages %s', async (_name, answers) => {
		has([ORDER_SHIPPED], answers);
		const [entry] = await choices();
		expect(entry.name).toMatch(/^order_shipped · .*en_US/);
		expect(entry.name).not.toMatch(/undefined|null|\[object/);
		const { error } = await run({ ...sendTemplate, templateName: chosen(entry), templateLanguage: '' });
		expect(error).toBeUndefined();
		expect(sentBodies()).toMatchObject([{ template_name: 'order_shipped', template_language: 'en_US' }]);
	});

	it.each(['APPROVED', 'approved', 'Approved', ' approved '])('has a template that is %j', async (status) => {
		has([called('a', { status })]);
		expect(namesOf(await choices())).toEqual(['a · English (en_US)']);
	});

	it.each<[string, IDataObject]>([
		['no status', { status: undefined as unknown as string }],
		['null', { status: null }],
		['an empty status', { status: '' }],
	])('has a template with %s, because nothing speaks against it', async (_name, more) => {
		has([called('a', more)]);
		expect(await choices()).toHaveLength(1);
	});

	it.each([
		'PENDING',
		'rejected',
		'PAUSED',
		'disabled',
		'In_Appeal',
		'not_approved',
		'UNAPPROVED',
		'Pending Deletion',
	])('leaves out one that is %s, tells so, and has it when asked', async (status) => {
		has([ORDER_SHIPPED, called('waiting_one', { status })]);
		const entries = await listed();
		expect(entries[0].name).toBe('order_shipped · English (en_US)');
		expect(namesOf(entries).slice(0, -1).join()).not.toContain('waiting_one');
		expect(entries.at(-1)?.name.toLowerCase().replaceAll('_', ' ')).toContain(
			status.toLowerCase().replaceAll('_', ' '),
		);
		const asked = await listed(status.toLowerCase());
		const found = asked.find(({ name }) => name.startsWith('waiting_one'));
		expect(found?.name.toLowerCase().replaceAll('_', ' ')).toContain(
			status.toLowerCase().replaceAll('_', ' '),
		);
	});

	it('tells of others also where none is approved', async () => {
		has([called('a', { status: 'PENDING' }), called('b', { status: 'REJECTED' })]);
		const [entry, ...more] = await listed();
		expect(more).toEqual([]);
		expect(entry.name).toMatch(/pending/i);
		expect(entry.name).toMatch(/rejected/i);
	});

	it('what tells of others cannot be sent', async () => {
		has([called('a', { status: 'PENDING' })]);
		const [entry] = await listed();
		await expect(
			run({ ...sendTemplate, templateName: chosen(entry), templateLanguage: 'en' }),
		).rejects.toThrow(refusalOf(/Parameter "Template" is required/));
		expect(sent).toEqual([]);
	});

	it.each([
		['a part of the name', 'SHIP'],
		['the word for the language', 'german'],
		['its code', 'de'],
		['the entry itself', 'order_shipped · German (de)'],
	])('is searched by %s', async (_name, filter) => {
		has([called('order_shipped', { language: 'de' }), called('zzz', { language: 'en' })]);
		expect(namesOf(await choices(filter))).toEqual(['order_shipped · German (de)']);
	});

	it.each(['(', '[a', '\\', '*', '.*', '__proto__', ' ', 'constructor'])(
		'does not fail when somebody types %j',
		async (filter) => {
			expect(Array.isArray(await listed(filter))).toBe(true);
		},
	);

	it.each([null, 5, 'x', [], {}, { name: null }, { name: {} }, { language: 'de' }, { id: 7 }])(
		'shows no nonsense where a record is %j',
		async (record) => {
			has([record, ORDER_SHIPPED]);
			const entries = await choices().catch((error: unknown) => error as Error);
			if (entries instanceof Error)
				return expect(entries.message).toMatch(/^The service answered with a list that cannot be read/);
			expect(namesOf(entries)).toContain('order_shipped · English (en_US)');
			expect(namesOf(entries).join()).not.toMatch(/undefined|null|\[object/);
		},
	);

	it('has a template without a language, which can be sent with the other parameter', async () => {
		for (const language of [undefined, null, '', {}]) {
			sent.splice(0);
			has([{ ...ORDER_SHIPPED, language }]);
			const [entry] = await choices();
			expect(entry.name).not.toMatch(/undefined|null|\[object/);
			const { error } = await run({ ...sendTemplate, templateName: chosen(entry), templateLanguage: 'de' });
			expect(error).toBeUndefined();
			expect(sentBodies()).toMatchObject([{ template_name: 'order_shipped', template_language: 'de' }]);
		}
	});

	it('is the whole list over all pages', async () => {
		answerWith(tenant, {
			languages: LANGUAGES,
			templates: ({ url }: FastifyRequest) => {
				const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
				return {
					data: [called(`t${page}`, { status: page === 3 ? 'PENDING' : 'APPROVED' })],
					links: { next: page < 5 ? `/x?page=${page + 1}` : null },
				};
			},
		});
		const names = namesOf(await choices());
		expect(names).toEqual(['t1', 't2', 't4', 't5'].map((name) => `${name} · English (en_US)`));
	});

	it('answers about 5,000 templates soon', async () => {
		has(Array.from({ length: 5000 }, (_, id) => called(`t_${id}`, { id })));
		const started = process.cpuUsage();
		expect((await choices('t_4999'))[0].name).toBe('t_4999 · English (en_US)');
		expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
	});

	it.each<[string, Answers]>([
		['refuses', { templates: refusal(403) }],
		['fails', { templates: refusal(404, 'no such page') }],
		['gives a page', { templates: (_request, reply) => reply.type('text/html').send('<html>') }],
		[
			'tells the token',
			{ templates: (request, reply) => reply.code(403).send({ message: request.headers.authorization }) },
		],
	])('says why where the tenant %s, without the token', async (_name, answers) => {
		has([], answers);
		const failure = (await listed().catch((error: unknown) => error)) as NodeApiError;
		expect(failure).toBeInstanceOf(Error);
		expect(`${failure.message}\n${failure.description}`).toMatch(/\w+ \w+ \w+/);
		expect(leaksIn(failure, String(tenant.credentials.accessToken))).toEqual([]);
	});
});

/** The operations that take a template, with what each gives to the service. */
const PLACES: Array<[string, (templateName: INodeParameters | string, language: string) => INodeParameters]> =
	[
		[
			'Send Template',
			(templateName, templateLanguage) => ({ ...sendTemplate, templateName, templateLanguage }),
		],
		[
			'Send and Wait for Response',
			(templateName, templateLanguage) => ({
				...toPhone,
				operation: 'sendAndWait',
				sendAs: 'template',
				message: 'Well?',
				responseType: 'approval',
				linkVariable: 1,
				buttons: {},
				templateName,
				templateLanguage,
			}),
		],
		[
			'Fallback Template',
			(templateName, language) => ({
				...sendText,
				options: {
					ifUndelivered: 'sendTemplate',
					fallbackTemplate: {
						template: { templateName, language, components: '[]', phoneNumber: '+49 171 0000001' },
					},
				},
			}),
		],
	];

const PAGE_BUTTON = {
	type: 'BUTTONS',
	buttons: [{ type: 'URL', text: 'Answer', url: 'http://127.0.0.1:5678/webhook-waiting/{{1}}' }],
};

const answerable = (name: string, language: string) => ({
	...templateOf({ type: 'BODY', text: 'Hi {{1}}, order {{2}} is on its way.' }, PAGE_BUTTON),
	name,
	language,
});

const NAMES: Array<[name: string, language: string]> = [
	['order_shipped', 'en_US'],
	['sale · summer', 'de'],
	['sale · de', 'en'],
	['sale · German (de)', 'en'],
	['order shipped', 'en_US'],
	['order_shipped_en_US', 'de'],
	['de', 'de'],
	['order·shipped', 'de'],
	['order (de)', 'en'],
	['order\u00a0shipped', 'en'],
	['بطلب', 'ar'],
	['{{ 1 }}', 'en'],
	['order_shipped', 'zh_Hant-TW'],
	['__proto__', 'en'],
	['a'.repeat(512), 'en_US'],
];

describe.each(PLACES)('Chosen from the list for %s', (place, parametersOf) => {
	it.each(place === 'Send Template' ? NAMES : NAMES.slice(0, 4))(
		'%.40j in %j goes out as it is',
		async (name, language) => {
			has([answerable(name, language), answerable('other', 'fr')], {
				send: () => created({ latest_error: { type: 'x', user_friendly_message: 'No' } }),
			});
			const entry = (await choices()).find(({ name: shown }) => !shown.startsWith('other'));
			if (!entry) throw new Error('not listed');
			const { error } = await run(parametersOf(chosen(entry), ''));
			expect(error).toBeUndefined();
			expect(sentBodies()).toMatchObject([{ template_name: name, template_language: language }]);
		},
	);
});

describe('A saved workflow goes on as it was', () => {
	/** The body of a template with its language beside it. */
	const BYTES = JSON.stringify({
		phone_number: 491710000001,
		agent_id: 1,
		template_name: 'order_shipped',
		template_language: 'en_US',
		template_components: [
			{
				type: 'body',
				parameters: [
					{ type: 'text', text: 'Jo' },
					{ type: 'text', text: 'A-1' },
				],
			},
			{ type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-1' }] },
		],
	});

	it.each<[string, INodeParameters | string, IDataObject?]>([
		['from the list', { __rl: true, mode: 'list', value: 'order_shipped' }],
		[
			'from the list, with the name that was shown',
			{ __rl: true, mode: 'list', value: 'order_shipped', cachedResultName: 'order_shipped' },
		],
		['by name', byId('order_shipped')],
		['without a mark', { mode: 'id', value: 'order_shipped' }],
		['by an expression', byId('={{ $json.template }}'), { template: 'order_shipped' }],
		[
			'from the list, with an expression',
			{ __rl: true, mode: 'list', value: '={{ $json.template }}' },
			{ template: 'order_shipped' },
		],
	])('%s, byte by byte', async (_name, templateName, json = {}) => {
		const { error } = await run(
			{ ...sendTemplate, templateName, templateLanguage: 'en_US' },
			{ items: [{ json }] },
		);
		expect(error).toBeUndefined();
		expect(sent).toEqual([BYTES]);
		const [entry] = await choices();
		await run({ ...sendTemplate, templateName: chosen(entry), templateLanguage: '' });
		expect(sent[1]).toBe(sent[0]);
	});

	it.each(['sale · summer', 'order · en_US', ' · '])(
		'by the name %j that looks like a choice, with its own language',
		async (name) => {
			const { error } = await run({ ...sendTemplate, templateName: byId(name), templateLanguage: 'de' });
			expect(error).toBeUndefined();
			expect(sentBodies()).toMatchObject([{ template_name: name, template_language: 'de' }]);
		},
	);

	it('with a template and a language for each item', async () => {
		const { error } = await run(
			{
				...sendTemplate,
				templateName: byId('={{ $json.name }}'),
				templateLanguage: '={{ $json.language }}',
			},
			{
				items: [{ json: { name: 'a', language: 'de' } }, { json: { name: 'b', language: 'en' } }],
			},
		);
		expect(error).toBeUndefined();
		expect(
			sentBodies()
				.map(({ template_name: name, template_language: language }) => [name, language])
				.sort(),
		).toEqual([
			['a', 'de'],
			['b', 'en'],
		]);
	});

	it('the fallback by its old name', async () => {
		has([ORDER_SHIPPED], { send: () => created({ latest_error: { type: 'x' } }) });
		await run({
			...sendText,
			options: {
				ifUndelivered: 'sendTemplate',
				fallbackTemplate: {
					template: { name: 'old · one', language: 'de', components: '[]', phoneNumber: '+49 171 0000001' },
				},
			},
		});
		expect(sentBodies()).toMatchObject([{ template_name: 'old · one', template_language: 'de' }]);
	});

	it('without a language, a name alone is not sent', async () => {
		await expect(run({ ...sendTemplate, templateLanguage: '' })).rejects.toThrow(
			refusalOf(/Language.* is required/),
		);
		expect(sent).toEqual([]);
	});

	it.each(['={{ $json.nowhere }}', '={{ null }}', '   ', '={{ "" }}'])(
		'with a language from %j, a name alone is not sent',
		async (templateLanguage) => {
			const result = await run({ ...sendTemplate, templateLanguage }, going);
			expect(sent).toEqual([]);
			expect(messageOf(result)).toMatch(/language/i);
		},
	);

	it("n8n's routing engine sends the same", async () => {
		const [entry] = await choices();
		const parameters = { ...sendTemplate, templateName: chosen(entry), templateLanguage: '' };
		await run(parameters);
		await run(parameters, { byRoutingEngine: true });
		expect(sent).toHaveLength(2);
		expect(sent[1]).toBe(sent[0]);
	});

	it('a preview of a choice is that of name and language', async () => {
		const [entry] = await choices();
		const preview = { ...toPhone, operation: 'previewTemplate' };
		const { items: ofChoice } = await run({ ...preview, templateName: chosen(entry), templateLanguage: '' });
		const { items: ofName } = await run(preview);
		expect(ofChoice[0].json).toEqual(ofName[0].json);
		expect(ofChoice[0].json.ready).toBe(true);
		expect(writes(tenant)).toEqual([]);
	});
});

/** The form of a template's variables, as the editor keeps it in the node. */
async function formOf(entry: INodeListSearchItems, value: IDataObject): Promise<INodeParameters> {
	const parameters = {
		...sendTemplate,
		templateName: chosen(entry),
		templateLanguage: '',
		variablesMode: 'form',
	};
	const { methods, context } = await editorOf({ credentials: tenant.credentials, parameters });
	const { fields } = (await methods.resourceMapping?.getTemplateVariables.call(context)) ?? { fields: [] };
	const schema = fields as ResourceMapperField[];
	return {
		...parameters,
		variables: { mappingMode: 'defineBelow', value, schema } as unknown as INodeParameters,
	};
}

describe('A variable without a value', () => {
	it.each<[string, unknown[], IDataObject, RegExp]>([
		['body', ORDER_SHIPPED.components, { body_1: 'Jo', button_0_url: 'x' }, /order \{\{2\}\} is on its way/],
		[
			'body of several sentences',
			[{ type: 'BODY', text: 'Hello {{1}}. Your order {{2}} left us!\nIt arrives on {{3}}.' }],
			{ body_1: 'Jo', body_3: 'Monday' },
			/Your order \{\{2\}\} left us/,
		],
		[
			'named variable',
			[{ type: 'BODY', text: 'Hello {{first_name}}, you owe {{total}}.' }],
			{ body_first_name: 'Jo' },
			/you owe \{\{total\}\}/,
		],
		[
			'header',
			[
				{ type: 'HEADER', format: 'TEXT', text: 'News for {{1}}' },
				{ type: 'BODY', text: 'x' },
			],
			{},
			/News for \{\{1\}\}/,
		],
		['button', ORDER_SHIPPED.components, { body_1: 'Jo', body_2: 'A' }, /Track/],
	])('is told by its %s', async (_name, components, value, sentence) => {
		has([templateOf(...components)]);
		const [entry] = await choices();
		for (const empty of [undefined, null, '']) {
			const parameters = await formOf(entry, value);
			const { schema } = parameters.variables as unknown as { schema: ResourceMapperField[] };
			const all = Object.fromEntries(schema.map(({ id }) => [id, empty]));
			(parameters.variables as INodeParameters).value = { ...all, ...value } as INodeParameters;
			const result = await run(parameters, going);
			expect(sent).toEqual([]);
			expect(messageOf(result)).toMatch(sentence);
			expect(messageOf(result)).not.toMatch(/body_\d|body_total|header_1|button_0/);
		}
	});

	it('is told to a model too, and what it may fill in is', async () => {
		const [entry] = await choices();
		const parameters = await formOf(entry, {
			body_1: '={{ $fromAI("name") }}',
			body_2: '',
			button_0_url: 'x',
		});
		const call = await agentTool({ credentials: tenant.credentials, parameters });
		const answer = JSON.stringify(await call({ name: 'Jo' }).catch((error: unknown) => String(error)));
		expect(sent).toEqual([]);
		expect(answer).not.toContain('body_2');
	});
});

describe('A model', () => {
	it('sends the template that a person has chosen', async () => {
		const [entry] = await choices();
		const call = await agentTool({
			credentials: tenant.credentials,
			parameters: {
				...sendTemplate,
				templateName: chosen(entry),
				templateLanguage: '',
				bodyVariables: {
					variable: [
						{ name: '1', text: '={{ $fromAI("name") }}' },
						{ name: '2', text: 'A-1' },
					],
				},
			},
		});
		await call({ name: 'Jo · de' });
		expect(sentBodies()).toMatchObject([{ template_name: 'order_shipped', template_language: 'en_US' }]);
		expect(sent[0]).toContain('"Jo · de"');
	});

	it('names a template and a language itself', async () => {
		const call = await agentTool({
			credentials: tenant.credentials,
			parameters: {
				...sendTemplate,
				templateName: byId('={{ $fromAI("template") }}'),
				templateLanguage: '={{ $fromAI("language") }}',
			},
		});
		await call({ template: 'order_shipped', language: 'en_US' });
		expect(sentBodies()).toMatchObject([{ template_name: 'order_shipped', template_language: 'en_US' }]);
	});

	it('that gives no template sends nothing, and gets no secret', async () => {
		for (const template of ['', null, {}, []]) {
			const result = await run(
				{ ...sendTemplate, templateName: byId('={{ $json.template }}') },
				{ ...going, items: [{ json: { template } as IDataObject }] },
			);
			expect(leaksOfRun(result, String(tenant.credentials.accessToken))).toEqual([]);
		}
		expect(sent).toEqual([]);
	});
});
