import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../engine/agentTool.mts';
import { type NodeRunOptions, runNode } from '../engine/engine.mts';
import { leaksOfRun } from '../engine/leaks.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId } from '../engine/tenant.mts';
import {
	answerWith,
	GERMANY,
	numbered,
	ORDER_SHIPPED,
	outcomes,
	pricesOf,
	refusal,
	templateOf,
	toPhone,
	writes,
} from './messages.mts';

interface Preview extends IDataObject {
	ready: boolean;
	text: string | null;
	body: string | null;
	buttons: IDataObject[];
	missing: string[];
	problems: string[];
	not_shown: string[];
	consent: IDataObject;
	price: { amount: number; currency: string } | null;
	totals: { items: number; price: IDataObject[] } & IDataObject;
}

const tenant = OddTenant.inEachTest();

const preview: INodeParameters = { ...toPhone, operation: 'previewTemplate' };

async function run(parameters: INodeParameters = {}, options: Partial<NodeRunOptions> = {}) {
	return await runNode({
		credentials: tenant.credentials,
		...options,
		parameters: { ...preview, ...parameters },
	});
}

/** The previews of a run that did not fail. */
async function previewsOf(parameters?: INodeParameters, options?: Partial<NodeRunOptions>) {
	const { items, error } = await run(parameters, options);
	expect(error).toBeUndefined();
	return items.map(({ json }) => json as Preview);
}

const body = (...texts: string[]): INodeParameters => ({
	bodyVariables: { variable: texts.map((text, index) => ({ name: `${index + 1}`, text })) },
});

const noVariables: INodeParameters = { bodyVariables: {}, buttons: {} };

afterEach(() => expect(writes(tenant)).toEqual([]));

describe('The text is what the customer will read', () => {
	beforeEach(() => answerWith(tenant));

	it('with body, footer and buttons', async () => {
		const [shown] = await previewsOf();
		expect(shown).toMatchObject({
			preview: true,
			ready: true,
			body: 'Hi Jo, order A-1 is on its way.',
			footer: 'Reply STOP to end.',
			buttons: [
				{ type: 'url', text: 'Track', url: 'https://shop.example/A-1' },
				{ type: 'quick_reply', text: 'Thanks' },
			],
			missing: [],
			problems: [],
		});
	});

	it.each(['$&', '$1', '$$', "$'", '$`', '{{2}}', '{{1}}', '\\', '%s', '<b>', '😀', 'a\nb', '__proto__'])(
		'with the value %j as it is',
		async (value) => {
			const [shown] = await previewsOf(body(value, 'A-1'));
			expect(shown.body).toBe(`Hi ${value}, order A-1 is on its way.`);
			expect(shown.ready).toBe(true);
		},
	);

	it('with the same variable in two places', async () => {
		answerWith(tenant, { templates: { data: [templateOf({ type: 'BODY', text: '{{1}} and {{1}}' })] } });
		const [shown] = await previewsOf({ ...noVariables, ...body('x') });
		expect(shown.body).toBe('x and x');
	});

	it('with more than nine variables', async () => {
		const text = Array.from({ length: 12 }, (_, index) => `{{${index + 1}}}`).join(' ');
		answerWith(tenant, { templates: { data: [templateOf({ type: 'BODY', text })] } });
		const values = Array.from({ length: 12 }, (_, index) => `v${index + 1}`);
		const [shown] = await previewsOf({ ...noVariables, ...body(...values) });
		expect(shown.body).toBe(values.join(' '));
	});

	it('with named variables', async () => {
		answerWith(tenant, {
			templates: { data: [templateOf({ type: 'BODY', text: 'Hi {{first_name}}, {{ total }}!' })] },
		});
		const [shown] = await previewsOf({
			...noVariables,
			bodyVariables: {
				variable: [
					{ name: 'first_name', text: 'Jo' },
					{ name: 'total', text: '3 €' },
				],
			},
		});
		expect(shown.body).toBe('Hi Jo, 3 €!');
	});

	it('with placeholders exactly as they are written, and an empty one removed', async () => {
		const [shown] = await previewsOf({
			...body('%a% .* $x', 'A-1'),
			options: {
				placeholders: {
					placeholder: [
						{ key: '%a%', value: '$&' },
						{ key: '.*', value: '' },
					],
				},
				placeholdersJson: '{"$x":"%b%"}',
			},
		});
		expect(shown.body).toBe('Hi $&  %b%, order A-1 is on its way.');
	});

	it('the same from components as JSON', async () => {
		const [built] = await previewsOf();
		const [written] = await previewsOf({
			variablesMode: 'json',
			templateComponents: JSON.stringify((built.request as IDataObject).template_components),
		});
		expect(written).toEqual(built);
	});

	it('the same from the filled in form', async () => {
		const [built] = await previewsOf();
		const value = { body_1: 'Jo', body_2: 'A-1', button_0_url: 'A-1' };
		const form = { variablesMode: 'form', variables: { mappingMode: 'defineBelow', value } };
		expect(await previewsOf(form)).toEqual([built]);
	});

	it('with all that is missing from a form that is empty', async () => {
		const form = { variablesMode: 'form', variables: { mappingMode: 'defineBelow', value: null } };
		const [empty] = await previewsOf(form);
		expect(empty.ready).toBe(false);
		expect(empty.missing).toHaveLength(3);
	});
});

describe('What is missing is named', () => {
	beforeEach(() => answerWith(tenant));

	it.each<[what: string, parameters: INodeParameters, missing: RegExp[]]>([
		[
			'no variable at all',
			noVariables,
			[/^\{\{1\}\} in "Hi \{\{1\}\}, order/, /^\{\{2\}\} in "Hi \{\{1\}\}, order/, /button 1/],
		],
		['the second variable', body('Jo'), [/^\{\{2\}\} in "Hi \{\{1\}\}, order/]],
		['the value of the button', { buttons: {} }, [/button 1/]],
	])('%s', async (_what, parameters, expected) => {
		const [shown] = await previewsOf(parameters);
		expect(shown.ready).toBe(false);
		expect(shown.missing).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
	});

	it.each([
		['an expression that gives nothing', '={{ $json.nowhere }}'],
		['null', '={{ null }}'],
		['an empty text', ''],
		['a record', '={{ { a: 1 } }}'],
	])('a variable from %s makes no ready message', async (_name, text) => {
		const { items } = await run({ ...body('Jo'), ...body('Jo', text) }, { onError: 'continueRegularOutput' });
		expect(items).toHaveLength(1);
		const [{ json, error }] = items;
		if (!error && !json.error) {
			expect(json.ready).toBe(false);
			expect([...(json.missing as string[]), ...(json.problems as string[])].length).toBeGreaterThan(0);
		}
	});

	it('a variable that the template does not have is a problem', async () => {
		const [shown] = await previewsOf(body('Jo', 'A-1', 'too many'));
		expect(shown.ready).toBe(false);
		expect(shown.problems).not.toEqual([]);
	});

	it.each(['constructor', '__proto__', 'toString'])('a variable named %s is one', async (name) => {
		answerWith(tenant, { templates: { data: [templateOf({ type: 'BODY', text: `Hi {{${name}}}` })] } });
		const [empty] = await previewsOf(noVariables);
		expect(empty).toMatchObject({ ready: false, body: `Hi {{${name}}}` });
		const [filled] = await previewsOf({
			...noVariables,
			bodyVariables: { variable: [{ name, text: 'Jo' }] },
		});
		expect(filled).toMatchObject({ ready: true, body: 'Hi Jo' });
	});

	it.each([
		['a template of another name', { templateName: byId('other') }],
		['another language', { templateLanguage: 'de' }],
	])('%s is no ready message', async (_name, parameters) => {
		const [shown] = await previewsOf(parameters);
		expect(shown.ready).toBe(false);
		expect(shown.problems.join(' ')).toMatch(/template|language/i);
	});

	it.each(['REJECTED', 'PENDING', 'PAUSED', 'DISABLED'])('a template that is %s is told', async (status) => {
		answerWith(tenant, { templates: { data: [{ ...ORDER_SHIPPED, status }] } });
		const [shown] = await previewsOf();
		expect(JSON.stringify([shown.problems, shown.template])).toContain(status);
		expect(shown.ready).toBe(false);
	});
});

describe('A template record of any shape gives an item', () => {
	const deep = (levels: number): unknown => (levels === 0 ? 'x' : { components: [deep(levels - 1)] });

	const RECORDS: Array<[string, unknown]> = [
		['null', null],
		['a text', 'order_shipped'],
		['without components', { name: 'order_shipped', language: 'en_US' }],
		['components null', { ...ORDER_SHIPPED, components: null }],
		['components a text', { ...ORDER_SHIPPED, components: 'x' }],
		['components a number', { ...ORDER_SHIPPED, components: 3 }],
		['components an object', { ...ORDER_SHIPPED, components: { BODY: { text: 'Hi {{1}} {{2}}' } } }],
		['components as JSON text', { ...ORDER_SHIPPED, components: JSON.stringify(ORDER_SHIPPED.components) }],
		['unknown components', templateOf({ type: 'HOLOGRAM', text: 'Hi {{1}}' }, { type: 7 }, null, 'x', [])],
		['a body that is no text', templateOf({ type: 'BODY', text: { a: 1 } })],
		['two bodies', templateOf({ type: 'BODY', text: 'a {{1}}' }, { type: 'BODY', text: 'b {{2}}' })],
		['buttons that are none', templateOf({ type: 'BUTTONS', buttons: 'x' })],
		['buttons of odd kinds', templateOf({ type: 'BUTTONS', buttons: [null, 1, { type: {} }, { url: [] }] })],
		['a carousel', templateOf({ type: 'CAROUSEL', cards: [{ components: ORDER_SHIPPED.components }] })],
		['the language an object', { ...ORDER_SHIPPED, language: { code: 'en_US' } }],
		['the language as code', { ...ORDER_SHIPPED, language: undefined, language_code: 'en_US' }],
		['the name a number', { ...ORDER_SHIPPED, name: 12 }],
		[
			'members named after the prototype',
			JSON.parse('{"__proto__":{"x":1},"constructor":2,"name":"order_shipped"}'),
		],
		['deep', { ...ORDER_SHIPPED, components: deep(2_000) }],
		[
			'many components',
			templateOf(...Array.from({ length: 5_000 }, () => ({ type: 'BODY', text: '{{1}}' }))),
		],
		[
			'500 variables',
			templateOf({ type: 'BODY', text: Array.from({ length: 500 }, (_, n) => `{{${n + 1}}}`).join(' ') }),
		],
		[
			'501 variables',
			templateOf({ type: 'BODY', text: Array.from({ length: 501 }, (_, n) => `{{${n + 1}}}`).join(' ') }),
		],
		['braces without end', templateOf({ type: 'BODY', text: '{'.repeat(60_000) })],
		['half variables', templateOf({ type: 'BODY', text: '{{1'.repeat(20_000) })],
	];

	it.each(RECORDS)('%s', async (_name, record) => {
		answerWith(tenant, { templates: { data: [record] } });
		const [shown] = await previewsOf();
		expect(typeof shown.ready).toBe('boolean');
		expect(shown.text === null || typeof shown.text === 'string').toBe(true);
		expect(Array.isArray(shown.missing) && Array.isArray(shown.problems)).toBe(true);
		for (const sentence of [...shown.missing, ...shown.problems, ...shown.not_shown])
			expect(sentence).not.toMatch(/undefined|NaN|\[object|Cannot read|is not a function/);
		expect(shown.totals.items).toBe(1);
	});

	it.each(RECORDS.slice(0, 5))('with no text to show, %s says so', async (_name, record) => {
		answerWith(tenant, { templates: { data: [record] } });
		const [shown] = await previewsOf();
		expect(shown.text).toBeNull();
		expect([...shown.problems, ...shown.not_shown]).not.toEqual([]);
	});

	it.each<[string, unknown]>([
		['a bare list', [ORDER_SHIPPED]],
		['ids as text', { data: [{ ...ORDER_SHIPPED, id: '1' }] }],
		['a list with a null in it', { data: [null, ORDER_SHIPPED] }],
		[
			'types in small letters',
			{
				data: [
					templateOf(...ORDER_SHIPPED.components.map((part) => ({ ...part, type: part.type.toLowerCase() }))),
				],
			},
		],
	])('templates are read from %s', async (_name, templates) => {
		answerWith(tenant, { templates: templates as object });
		const [shown] = await previewsOf();
		expect(shown.body).toBe('Hi Jo, order A-1 is on its way.');
	});

	it.each([403, 404, 500])(
		'a list of templates refused with %d leaves the rest of the preview',
		async (status) => {
			answerWith(tenant, { templates: refusal(status) });
			const { items, error } = await run({}, { onError: 'continueRegularOutput' });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
		},
		150_000,
	);
});

describe('The price comes from the list of the tenant by calling code', () => {
	interface Case {
		name: string;
		pricing: unknown[];
		codes?: unknown[];
		phone?: string;
		price: { amount: number; currency: string } | null;
	}

	const eur = (amount: number) => ({ amount, currency: 'EUR' });
	const code = (country: string, calling_code: unknown, region: string | null = null) => ({
		country,
		region,
		calling_code,
	});

	const CASES: Case[] = [
		{ name: 'an ordinary one', pricing: [pricesOf('Germany')], price: eur(0.05) },
		{ name: 'zero, which is a price', pricing: [pricesOf('Germany', { utility: 0 })], price: eur(0) },
		{ name: 'null, which is none', pricing: [pricesOf('Germany', { utility: null })], price: null },
		{ name: 'as text', pricing: [pricesOf('Germany', { utility: '0.05' })], price: eur(0.05) },
		{ name: 'no number', pricing: [pricesOf('Germany', { utility: 'free' })], price: null },
		{ name: 'an empty text, which is none', pricing: [pricesOf('Germany', { utility: '' })], price: null },
		{ name: 'negative, which is none', pricing: [pricesOf('Germany', { utility: -1 })], price: null },
		{ name: 'left out', pricing: [{ market: 'Germany', currency: 'EUR' }], price: null },
		{ name: 'of no market', pricing: [pricesOf('France')], price: null },
		{ name: 'in an empty list', pricing: [], price: null },
		{ name: 'among records that are none', pricing: [null, 'x', 3, pricesOf('Germany')], price: eur(0.05) },
		{ name: 'without a currency', pricing: [pricesOf('Germany', { currency: null })], price: null },
		{
			name: 'of a market by region',
			pricing: [pricesOf('Western Europe')],
			codes: [code('Germany', '49', 'Western Europe')],
			price: eur(0.05),
		},
		{
			name: 'of the country before that of its region',
			pricing: [pricesOf('Western Europe', { utility: 9 }), pricesOf('Germany')],
			codes: [code('Germany', '49', 'Western Europe')],
			price: eur(0.05),
		},
		{
			name: 'by a code with +',
			pricing: [pricesOf('Germany')],
			codes: [code('Germany', '+49')],
			price: eur(0.05),
		},
		{
			name: 'by a code that is a number',
			pricing: [pricesOf('Germany')],
			codes: [code('Germany', 49)],
			price: eur(0.05),
		},
		{
			name: 'by the longest code that fits',
			pricing: [pricesOf('United States', { utility: 1 }), pricesOf('Jamaica', { utility: 2 })],
			codes: [code('United States', '1'), code('Jamaica', '1876')],
			phone: '+1 876 5550100',
			price: eur(2),
		},
		{
			name: 'by a code with spaces in it',
			pricing: [pricesOf('United States', { utility: 1 }), pricesOf('Jamaica', { utility: 2 })],
			codes: [code('United States', '1'), code('Jamaica', '1-876')],
			phone: '+1 876 5550100',
			price: eur(2),
		},
		{
			name: 'by no code that fits',
			pricing: [pricesOf('Germany')],
			phone: '+44 20 79460000',
			price: null,
		},
		{
			name: 'by codes that are none',
			pricing: [pricesOf('Germany')],
			codes: [null, code('Germany', ''), code('Germany', null), code('Germany', 'x')],
			price: null,
		},
		{
			name: 'of two countries with one code and one price',
			pricing: [pricesOf('United States', { utility: 1 }), pricesOf('Canada', { utility: 1 })],
			codes: [code('United States', '1'), code('Canada', '1')],
			phone: '+1 212 5550100',
			price: eur(1),
		},
	];

	it.each(CASES)('$name', async ({ pricing, codes = [GERMANY], phone = '+49 171 0000001', price }) => {
		answerWith(tenant, { pricing: { data: { pricing, calling_codes: codes } } });
		const [shown] = await previewsOf({ phoneNumber: phone });
		expect(shown.price).toEqual(price && expect.objectContaining(price));
		if (price === null) expect(shown.price_reason).toEqual(expect.stringMatching(/\w{3}/));
		expect(shown.totals).toMatchObject({
			unpriced: price === null ? 1 : 0,
			price: price === null ? [] : [price],
		});
	});

	it('a code of two countries with two prices is not guessed', async () => {
		answerWith(tenant, {
			pricing: {
				data: {
					pricing: [pricesOf('United States', { utility: 1 }), pricesOf('Canada', { utility: 2 })],
					calling_codes: [code('United States', '1'), code('Canada', '1')],
				},
			},
		});
		const [shown] = await previewsOf({ phoneNumber: '+1 212 5550100' });
		expect(shown.price).toBeNull();
		expect(shown.price_reason).toMatch(
			/United States.*Canada|Canada.*United States|calling code|more than one|several/,
		);
	});

	it.each<[string, object | string | number | null]>([
		['null', null],
		['a list', []],
		['a text', '"x"'],
		['data null', { data: null }],
		['no lists', { data: { pricing: 'x', calling_codes: 7 } }],
		[
			'lists as objects',
			{ data: { pricing: { Germany: pricesOf('Germany') }, calling_codes: { a: GERMANY } } },
		],
	])('a price list that is %s leaves the rest of the preview', async (_name, pricing) => {
		answerWith(tenant, { pricing });
		const [shown] = await previewsOf();
		expect(shown.body).toBe('Hi Jo, order A-1 is on its way.');
	});

	it.each([403, 404])('a price list refused with %d leaves the rest of the preview', async (status) => {
		answerWith(tenant, { pricing: refusal(status) });
		const [shown] = await previewsOf();
		expect(shown).toMatchObject({ ready: true, price: null, body: 'Hi Jo, order A-1 is on its way.' });
		expect(shown.price_reason).toBeTruthy();
	});

	it.each([undefined, null, '', 'NEWSLETTER', 7, {}, 'constructor', '__proto__'])(
		'a template of the category %j has no price',
		async (category) => {
			answerWith(tenant, { templates: { data: [{ ...ORDER_SHIPPED, category }] } });
			const [shown] = await previewsOf();
			expect(shown.price).toBeNull();
			expect(shown.price_reason).toBeTruthy();
		},
	);

	it('an envelope is not needed', async () => {
		answerWith(tenant, { pricing: { pricing: [pricesOf('Germany')], calling_codes: [GERMANY] } });
		const [shown] = await previewsOf();
		expect(shown.price).toMatchObject(eur(0.05));
	});
});

describe('The totals are over all items', () => {
	const phoneOf: INodeParameters = {
		phoneNumber: '={{ "+" + $json.code + "1710000" + (100 + $json.number) }}',
	};
	const market = (name: string, calling_code: string, currency: string, utility: number) => ({
		price: pricesOf(name, { currency, utility }),
		code: { country: name, region: null, calling_code },
	});
	const MARKETS = [
		market('Germany', '49', 'EUR', 0.1),
		market('France', '33', 'EUR', 0.2),
		market('India', '91', 'INR', 0.0012),
	];

	beforeEach(() =>
		answerWith(tenant, {
			pricing: {
				data: {
					pricing: MARKETS.map(({ price }) => price),
					calling_codes: MARKETS.map(({ code }) => code),
				},
			},
		}),
	);

	const itemsOf = (count: number): INodeExecutionData[] =>
		numbered(count).map(({ json }) => ({
			json: { ...json, code: ['49', '33', '91', '7'][json.number % 4] },
		}));

	it('of 200, in each currency to the last digit', async () => {
		const previews = await previewsOf(phoneOf, { items: itemsOf(200) });
		expect(previews).toHaveLength(200);
		const totals = {
			items: 200,
			ready: 200,
			not_ready: 0,
			unpriced: 50,
			price: expect.arrayContaining([
				{ currency: 'EUR', amount: 15 },
				{ currency: 'INR', amount: 0.06 },
			]) as IDataObject[],
		};
		for (const shown of previews.filter(({ totals }) => totals)) expect(shown.totals).toMatchObject(totals);
		expect(previews.some(({ totals }) => totals)).toBe(true);
	});

	it.each([3, 6, 7, 9, 11])('of %d tenths, without a stray digit', async (count) => {
		const items = numbered(count).map(({ json }) => ({ json: { ...json, code: '49' } }));
		const [shown] = await previewsOf(phoneOf, { items });
		expect(shown.totals.price).toEqual([{ currency: 'EUR', amount: count / 10 }]);
	});

	it('and the tenant is asked once for what is the same for all', async () => {
		await previewsOf(phoneOf, { items: itemsOf(40) });
		const asked = (tail: string) => tenant.asked.filter((one) => one.endsWith(tail));
		expect(asked('/templates')).toHaveLength(1);
		expect(asked('/chatapp-pricing')).toHaveLength(1);
	});

	it('and every item is linked to its own input', async () => {
		const { items } = await run(phoneOf, { items: itemsOf(30) });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(numbered(30).map((_, item) => ({ item })));
		expect(items.map(({ json }) => (json.recipient as IDataObject).phone_number)).toEqual(
			itemsOf(30).map(({ json }) => `${String(json.code)}1710000${100 + Number(json.number)}`),
		);
	});

	it('also where one of them cannot be previewed', async () => {
		const { items, error } = await run(
			{ phoneNumber: '={{ $json.number === 1 ? "0171 1" : "+49 171 000000" + $json.number }}' },
			{ items: numbered(3), onError: 'continueRegularOutput' },
		);
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		const [first] = items;
		expect(first.json.totals).toMatchObject({
			items: 3,
			ready: 2,
			price: [{ currency: 'EUR', amount: 0.2 }],
		});
	});
});

describe('A file for the header is looked at and not uploaded', () => {
	const picture = (size: number, mimeType = 'image/png'): INodeExecutionData[] => [
		{
			json: {},
			binary: { picture: { data: Buffer.alloc(size, 1).toString('base64'), mimeType, fileName: 'a.png' } },
		},
	];

	const withFile = (file: string, type = 'image'): INodeParameters => ({
		...noVariables,
		header: { header: { type, file } },
	});

	beforeEach(() =>
		answerWith(tenant, {
			templates: { data: [templateOf({ type: 'HEADER', format: 'IMAGE' }, { type: 'BODY', text: 'Look' })] },
		}),
	);

	it('from a binary field', async () => {
		const [shown] = await previewsOf(withFile('picture'), { items: picture(3) });
		expect(shown).toMatchObject({ ready: true, media: { type: 'image', mime_type: 'image/png', size: 3 } });
	});

	it.each<[string, INodeExecutionData[], INodeParameters]>([
		['too large', picture(6 * 1024 * 1024), withFile('picture')],
		['of a type that is not allowed', picture(3, 'image/tiff'), withFile('picture')],
		['that is not there', [{ json: {} }], withFile('picture')],
		['left empty', picture(3), withFile('')],
		['of another kind than the header', picture(3), withFile('picture', 'video')],
	])('one %s is no ready message', async (_name, items, parameters) => {
		const { items: out } = await run(parameters, { items, onError: 'continueRegularOutput' });
		const [{ json, error }] = out;
		expect(error ?? json.error ?? json.ready).not.toBe(true);
	});

	it('from a URL', async () => {
		const [shown] = await previewsOf(withFile('https://files.example/a.png'));
		expect(shown).toMatchObject({ ready: true, media: { url: 'https://files.example/a.png' } });
	});

	it.each<[string, object]>([
		['empty lists', { data: [] }],
		['null', { data: null }],
	])('with limits that are %s', async (_name, limits) => {
		answerWith(tenant, {
			templates: { data: [templateOf({ type: 'HEADER', format: 'IMAGE' })] },
			mimeTypes: limits,
			sizes: limits,
		});
		const { items } = await run(withFile('picture'), { items: picture(3), onError: 'continueRegularOutput' });
		expect(items).toHaveLength(1);
	});
});

describe('The consent of the recipient is told', () => {
	const profile = { id: 5, name: 'Jo', phone_number: '491710000001' };

	it.each<[string, boolean]>([
		['given', true],
		['withdrawn', false],
	])('%s', async (_name, is_opted_in) => {
		answerWith(tenant, { profiles: { data: [profile] }, consent: { data: { id: 5, is_opted_in } } });
		const [shown] = await previewsOf();
		expect(shown.consent).toMatchObject({ is_opted_in, profile_id: 5 });
	});

	it.each<[given: unknown, opposite: boolean]>([
		[1, false],
		['1', false],
		[0, true],
		['0', true],
		['false', true],
	])('given as %j, it is not turned into %j', async (is_opted_in, opposite) => {
		answerWith(tenant, { profiles: { data: [profile] }, consent: { data: { id: 5, is_opted_in } } });
		const [shown] = await previewsOf();
		expect(shown.consent.is_opted_in).not.toBe(opposite);
	});

	it.each<[string, object | null]>([
		['null', { data: null }],
		['an empty record', { data: {} }],
		['an empty list', { data: [] }],
		['another word', { data: { is_opted_in: 'perhaps' } }],
	])('that is %s is not taken for given', async (_name, consent) => {
		answerWith(tenant, { profiles: { data: [profile] }, consent });
		const { items } = await run({}, { onError: 'continueRegularOutput' });
		const [{ json }] = items;
		expect((json.consent as IDataObject | undefined)?.is_opted_in ?? null).not.toBe(true);
	});

	it.each([403, 404])('refused with %d is unknown, and the rest is shown', async (status) => {
		answerWith(tenant, { profiles: { data: [profile] }, consent: refusal(status) });
		const [shown] = await previewsOf();
		expect(shown).toMatchObject({ body: 'Hi Jo, order A-1 is on its way.', consent: { is_opted_in: null } });
		expect(shown.consent.reason).toBeTruthy();
		expect(shown.totals).toMatchObject({ unknown_consent: 1, without_consent: 0 });
	});
});

describe('Dry Run of Send Template gives the same', () => {
	const dry = (options: INodeParameters = {}): INodeParameters => ({
		operation: 'sendTemplate',
		options: { ...options, dryRun: true },
	});

	beforeEach(() => answerWith(tenant));

	it.each<[string, INodeParameters]>([
		['alone', {}],
		['with a key', { sendOnceKey: 'a' }],
		['with what happens if it is undelivered', { ifUndelivered: 'error' }],
	])('%s', async (_name, options) => {
		const [shown] = await previewsOf();
		const [tried] = await previewsOf(dry(options));
		expect(tried).toEqual({ ...shown, would: tried.would });
	});

	it.each<[string, INodeParameters]>([
		['raw output', { simple: false }],
		['a text for true', { options: { dryRun: '={{ "true" }}' } }],
		['1 for true', { options: { dryRun: '={{ 1 }}' } }],
		['yes for true', { options: { dryRun: '={{ "yes" }}' } }],
	])('also with %s', async (_name, parameters) => {
		const [tried] = await previewsOf({ ...dry(), ...parameters });
		expect(tried).toMatchObject({ preview: true, ready: true });
	});

	it.each(['perhaps', '', '={{ $json.nowhere }}', '={{ null }}', '={{ {} }}'])(
		'with %j for Dry Run, nothing is sent',
		async (dryRun) => {
			const { items } = await run(
				{ operation: 'sendTemplate', options: { dryRun } },
				{ onError: 'continueRegularOutput' },
			);
			expect(items).toHaveLength(1);
		},
	);

	it('and says that consent would stop it', async () => {
		const [skipped] = await previewsOf(dry({ withoutConsent: 'skip' }));
		const [failed] = await previewsOf(dry({ withoutConsent: 'fail' }));
		expect([skipped.would, failed.would]).toEqual(['skip', 'fail']);
	});
});

describe('Whatever runs it', () => {
	beforeEach(() => answerWith(tenant));

	it("n8n's routing engine gives the same", async () => {
		const direct = await previewsOf({}, { items: numbered(3) });
		const routed = await previewsOf({}, { items: numbered(3), byRoutingEngine: true });
		const shown = ({ text, price, consent, missing }: Preview) => ({ text, price, consent, missing });
		expect(routed.map(shown)).toEqual(direct.map(shown));
	});

	it('a model gets it from a tool', async () => {
		const call = await agentTool({ credentials: tenant.credentials, parameters: preview });
		expect(JSON.stringify(await call({}))).toContain('Hi Jo, order A-1 is on its way.');
	});

	it('no secret is told, also where the service tells it', async () => {
		const secret = String(tenant.credentials.accessToken);
		const tell = refusal(403, `Token ${secret} is not allowed`);
		answerWith(tenant, { pricing: tell, profiles: tell });
		const result = await run({}, { onError: 'continueRegularOutput' });
		expect(outcomes(result)).toHaveLength(1);
		expect(leaksOfRun(result, secret)).toEqual([]);
	});

	it('the two operations have the same parameters', async () => {
		const [byCustomer] = await previewsOf({ recipient: 'customer', customerId: byId(7) });
		expect(byCustomer.recipient).toMatchObject({ customer_id: 7 });
		expect(byCustomer.request).toMatchObject({ customer_id: 7 });
	});
});
