import type { IDataObject } from 'n8n-workflow';

import { byId } from '../engine/tenant.mts';
import { ScriptedTenant } from '../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const DIGITS = '491711234567';

const PRICING = {
	pricing: [
		{ market: 'Germany', currency: 'EUR', marketing: 0.1, utility: 0.2, authentication: 0.3 },
		{ market: 'Western Europe', currency: 'EUR', marketing: 0.4, utility: null },
		{ market: 'North America', currency: 'USD', marketing: '0.025', authentication: 1 },
		{
			market: 'India',
			currency: 'EUR',
			marketing: -1,
			authentication: 0.0012,
			authentication_international: 0.0228,
		},
		{ market: 'Russia', currency: 'EUR', marketing: 0.7 },
		{ market: 'Kazakhstan', currency: 'EUR', marketing: 0.8 },
		{ market: 'Nowhere', marketing: 1 },
	],
	calling_codes: [
		{ country: 'Germany', region: null, calling_code: '49' },
		{ country: 'Austria', region: 'Western Europe', calling_code: '+43' },
		{ country: 'United States', region: 'North America', calling_code: 1 },
		{ country: 'Canada', region: 'North America', calling_code: '1' },
		{ country: 'Jamaica', region: 'Rest of Latin America', calling_code: '1-876' },
		{ country: 'India', region: null, calling_code: '91' },
		{ country: 'Russia', region: null, calling_code: '7' },
		{ country: 'Kazakhstan', region: null, calling_code: '7' },
		{ country: 'Nowhere', region: null, calling_code: '888' },
		{ country: 'Nothing', calling_code: '' },
		null,
		'49',
	],
};

/** The price of a template of this category to this number, or why there is none. */
async function priceOf(phoneNumber: string, category: unknown, list: unknown = PRICING): Promise<unknown> {
	const components = [{ type: 'BODY', text: 'Hello' }];
	tenant.answer({
		'GET /templates': () => ({ data: [{ name: 'welcome', language: 'en_US', category, components }] }),
		'GET /support/chatapp-pricing': () => list,
		'GET /profiles': () => ({ data: [] }),
	});
	const { items, error } = await tenant.run({
		...{ resource: 'message', operation: 'previewTemplate', phoneNumber, agentId: byId(11) },
		...{ templateName: byId('welcome'), templateLanguage: 'en_US' },
	});
	expect(error).toBeUndefined();
	const { price, price_reason, totals, body } = items[0].json;
	expect(body).toBe('Hello');
	expect('price_reason' in items[0].json).toBe(!price);
	const { amount, currency } = (price ?? {}) as IDataObject;
	expect(totals).toMatchObject(
		price ? { unpriced: 0, price: [{ amount, currency }] } : { unpriced: 1, price: [] },
	);
	return price ?? price_reason;
}

describe('the price', () => {
	it.each<[string, string, string, unknown]>([
		[
			'a country',
			DIGITS,
			'UTILITY',
			{ amount: 0.2, currency: 'EUR', category: 'utility', market: 'Germany' },
		],
		['a region', '436601234567', 'marketing', { amount: 0.4, market: 'Western Europe' }],
		['a code of two countries in one region', '12125550100', 'Marketing', { amount: 0.025, currency: 'USD' }],
		['authentication', DIGITS, 'AUTHENTICATION', { amount: 0.3, category: 'authentication' }],
	])('is that of %s', async (_what, number, category, price) => {
		expect(await priceOf(number, category)).toMatchObject(price as object);
	});

	it.each<[string, string, unknown, string]>([
		['the longest code has no market', '18765550100', 'marketing', 'no price of category marketing'],
		['no code fits', '33612345678', 'marketing', 'The price list has no calling code of this phone number'],
		['the code belongs to two prices', '77012345678', 'marketing', 'belongs to Russia and to Kazakhstan'],
		['the price is null', '436601234567', 'utility', 'no price of category utility'],
		['the price is not there', '12125550100', 'utility', 'no price of category utility'],
		['the price is below zero', '919812345678', 'marketing', 'no price of category marketing'],
		['the currency is not there', '8881234567', 'marketing', 'no price of category marketing'],
		['two prices for authentication', '919812345678', 'AUTHENTICATION', 'It does not tell which one counts'],
		['the category is not shown', DIGITS, undefined, 'does not show the category'],
		['the category is another', DIGITS, 'TRANSACTIONAL', 'has no category "transactional"'],
	])('is null with the reason where %s', async (_what, number, category, reason) => {
		expect(await priceOf(number, category)).toContain(reason);
	});

	const GERMANY = { country: 'Germany', region: null, calling_code: '49' };
	const germany = (change: IDataObject) => ({ market: 'Germany', currency: 'EUR', utility: 0.05, ...change });
	const listOf = (pricing: unknown[], ...codes: unknown[]) => ({
		data: { pricing, calling_codes: codes.length > 0 ? codes : [GERMANY] },
	});

	it.each<[string, unknown, number]>([
		['zero, which is a price', listOf([germany({ utility: 0 })]), 0],
		['a number as text', listOf([germany({ utility: '0.05' })]), 0.05],
		['among records that are none', listOf([null, 'x', 3, germany({})]), 0.05],
		[
			'that of the country before that of its region',
			listOf([germany({ market: 'Europe', utility: 9 }), germany({})], { ...GERMANY, region: 'Europe' }),
			0.05,
		],
		['found by a code with +', listOf([germany({})], { ...GERMANY, calling_code: '+49' }), 0.05],
		['found by a code that is a number', listOf([germany({})], { ...GERMANY, calling_code: 49 }), 0.05],
		['found without an envelope', listOf([germany({})]).data, 0.05],
		[
			'that of two countries with one code and one price',
			listOf([germany({ utility: 1 }), germany({ market: 'Elsewhere', utility: 1 })], GERMANY, {
				...GERMANY,
				country: 'Elsewhere',
			}),
			1,
		],
	])('is %s', async (_what, list, amount) => {
		expect(await priceOf(DIGITS, 'UTILITY', list)).toMatchObject({ amount, currency: 'EUR' });
	});

	it.each<[string, unknown]>([
		...[null, 'free', '', -1, undefined].map((utility): [string, unknown] => [
			`a price of ${JSON.stringify(utility)}`,
			listOf([germany({ utility } as IDataObject)]),
		]),
		['no prices', listOf([])],
		['no currency', listOf([germany({ currency: null })])],
		['a market without a name', listOf([germany({ market: null })])],
		['codes that are none', listOf([germany({})], null, { ...GERMANY, calling_code: 'x' })],
		...[null, [], 'x', { data: null }, { data: {} }, { data: { pricing: 'x', calling_codes: {} } }].map(
			(list): [string, unknown] => [`the price list ${JSON.stringify(list)}`, list],
		),
	])('is none, with a reason, for %s', async (_what, list) => {
		expect(await priceOf(DIGITS, 'UTILITY', list)).toMatch(/\w+ \w+/);
	});

	it.each([null, '', 7, {}, 'constructor', '__proto__'])('is none for the category %j', async (category) => {
		expect(await priceOf(DIGITS, category)).toMatch(/\w+ \w+/);
	});
});
