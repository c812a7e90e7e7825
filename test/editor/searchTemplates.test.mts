import type { IDataObject, INodeListSearchItems, NodeApiError } from 'n8n-workflow';

import { editorOf } from '../engine/engine.mts';
import { leaksIn } from '../engine/leaks.mts';
import { type Answers, refusal, ScriptedTenant } from '../engine/scriptedTenant.mts';
import { byId, TestTenant } from '../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();
const sandbox = TestTenant.inEachTest();

const TEMPLATES = 'GET /templates';
const LANGUAGES = 'GET /support/chatapp-template-languages';

let templates = 0;
const template = (name: unknown, language: unknown, status: unknown = 'APPROVED') =>
	({ ...{ id: templates++, name, language, status }, components: [] }) as IDataObject;

const SHIPPED = [template('order_shipped', 'en_US'), template('order_shipped', 'de')];

const languages = [
	{ language: 'English', code: 'en_US' },
	{ language: 'German', code: 'de' },
];

/** A tenant with these templates, in pages of five. */
function answer(templates: unknown[], answers: Answers = {}): void {
	tenant.answer({
		[LANGUAGES]: () => ({ data: languages }),
		[TEMPLATES]({ request }) {
			const page = Number(new URL(request.slice('GET '.length), 'http://a').searchParams.get('page') ?? 1);
			return {
				data: templates.slice(5 * (page - 1), 5 * page),
				current_page: page,
				last_page: Math.max(1, Math.ceil(templates.length / 5)),
			};
		},
		...answers,
	});
}

/** All entries of the list, as the editor scrolls to its end. */
async function search(filter?: string): Promise<INodeListSearchItems[]> {
	const { methods, context } = await tenant.editor({ resource: 'message', operation: 'sendTemplate' });
	const found: INodeListSearchItems[] = [];
	let token: string | undefined;
	do {
		const part = await methods.listSearch?.searchTemplates.call(context, filter, token);
		found.push(...(part?.results ?? []));
		token = part?.paginationToken as string | undefined;
	} while (token);
	return found;
}

const namesOf = async (filter?: string) => (await search(filter)).map(({ name }) => name);

describe('an entry', () => {
	it('stands for each language, by its name, with a value that holds both', async () => {
		answer([...SHIPPED, template('welcome', 'pt_BR')]);
		expect(await search()).toEqual([
			{ name: 'order_shipped · English · en_US', value: 'order_shipped\u00a0·\u00a0en_US' },
			{ name: 'order_shipped · German · de', value: 'order_shipped\u00a0·\u00a0de' },
			{ name: 'welcome · pt_BR', value: 'welcome\u00a0·\u00a0pt_BR' },
		]);
	});

	it.each<[string, Answers[string]]>([
		['does not tell its languages', refusal(403)],
		['tells null', () => ({ data: null })],
		['tells none', () => ({ data: [] })],
		['tells a text', () => '"languages"'],
		['tells odd ones', () => ({ data: [null, 5, 'en_US', [], { language: 5, code: {} }] })],
		['tells languages without a name', () => ({ data: [{ code: 'de' }] })],
	])('shows codes where the tenant %s', async (_what, told) => {
		answer(SHIPPED, { [LANGUAGES]: told });
		expect(await namesOf()).toEqual(['order_shipped · en_US', 'order_shipped · de']);
	});

	it.each([undefined, null, '', {}])(
		'of a template whose language is %j has its name alone',
		async (language) => {
			answer([template('order_shipped', language)]);
			expect(await search()).toEqual([{ name: 'order_shipped', value: 'order_shipped' }]);
		},
	);

	it.each([null, 5, 'x', [], {}, { name: null }, { name: {} }, { language: 'de' }, { id: 7 }])(
		'shows no nonsense where a record is %j',
		async (record) => {
			answer([record, ...SHIPPED]);
			const names = await namesOf();
			expect(names).toContain('order_shipped · English · en_US');
			expect(names.join()).not.toMatch(/undefined|null|\[object/);
		},
	);
});

describe('a template that is not approved', () => {
	const MIXED = [
		template('new_offer', 'de', 'PENDING'),
		...SHIPPED,
		template('old_offer', 'en_US', 'in appeal'),
		template('untold', 'de', ''),
	];

	const OFFERS = ['new_offer · German · de · pending', 'old_offer · English · en_US · in appeal'];
	const SHIPPED_NAMES = ['order_shipped · English · en_US', 'order_shipped · German · de'];

	it.each([
		['', [OFFERS[0], ...SHIPPED_NAMES, OFFERS[1], 'untold · German · de']],
		['pending', [OFFERS[0]]],
		['OFFER  Pending', [OFFERS[0]]],
		['in appeal', [OFFERS[1]]],
		['offer', OFFERS],
		['SHIP', SHIPPED_NAMES],
		['shipped german', [SHIPPED_NAMES[1]]],
		[SHIPPED_NAMES[1], [SHIPPED_NAMES[1]]],
		['nothing of the kind', []],
	])('shows its status, by which it is found too: %j', async (typed, names) => {
		answer(MIXED);
		expect(await namesOf(typed)).toEqual(names);
	});

	it.each(['PENDING', 'rejected', 'PAUSED', 'disabled', 'In_Appeal', 'not_approved', 'Pending Deletion'])(
		'is one whose status is %s',
		async (status) => {
			answer([template('a', 'de', status)]);
			expect(await namesOf()).toEqual([`a · German · de · ${status.toLowerCase()}`]);
		},
	);

	it.each(['APPROVED', 'approved', ' Approved ', undefined, null, ''])(
		'is none whose status is %j, because nothing speaks against it',
		async (status) => {
			answer([{ ...template('a', 'de'), status }]);
			expect(await namesOf()).toEqual(['a · German · de']);
		},
	);

	it('is found on a later page', async () => {
		answer(Array.from({ length: 31 }, (_, index) => template(`t${index}`, 'de', 'PENDING')));
		expect(await namesOf()).toHaveLength(31);
		expect(await namesOf('t29 pending')).toEqual(['t29 · German · de · pending']);
	});

	it('has words in the sandbox that the node understands, in the list and in sending', async () => {
		const { store } = sandbox.sandbox;
		const components = [{ type: 'BODY', text: 'Spring is here' }];
		const { id } = store.templates.create('spring_sale', 'en_US', { components }, 'pending');
		const listed = async (typed: string) => {
			const { methods, context } = await editorOf({ parameters: {}, credentials: sandbox.credentials });
			const found = await methods.listSearch?.searchTemplates.call(context, typed);
			return found?.results.map(({ name }) => name);
		};
		const send = async () =>
			await sandbox.run({
				...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '+49 171 1234567' },
				agentId: byId(sandbox.sandbox.store.agents.list('chatapp').records[0].id),
				...{ templateName: byId('spring_sale'), templateLanguage: 'en_US' },
			});
		expect(await listed('spring')).toEqual(['spring_sale · English (US) · en_US · pending']);
		const { error } = await send();
		expect(`${error?.message} ${error?.description}`).toContain('its status is pending');
		store.templates.review(id, 'approved');
		expect(await listed('spring')).toEqual(['spring_sale · English (US) · en_US']);
		expect((await send()).items).toMatchObject([{ json: { status: 'created' } }]);
	});
});

it.each(['((', '[a', '\\', '*', '.*', '__proto__', 'constructor'])(
	'somebody who types %j finds nothing, and no error',
	async (filter) => {
		answer(SHIPPED);
		expect(await search(filter)).toEqual([]);
	},
);

it.each<[string, Answers[string], string]>([
	['refuses', refusal(403, 'Templates are for admins'), 'Templates are for admins'],
	[
		'gives a page',
		async (_arrived, reply) => await reply.type('text/html').send('<html>'),
		'The service answered with a page in place of JSON',
	],
])('says why where the tenant %s, without the token', async (_name, templates, message) => {
	answer([], { [TEMPLATES]: templates });
	const failure = (await search().catch((error: unknown) => error)) as NodeApiError;
	// With what to do behind it, since the editor shows nothing else.
	expect(failure.message.split(message)[1]).toMatch(/\w+ \w+ \w+/);
	const { context } = await tenant.editor({});
	const { accessToken } = await context.getCredentials<{ accessToken: string }>('customerMessagingApi');
	expect(leaksIn(failure, accessToken)).toEqual([]);
});
