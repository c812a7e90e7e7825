import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { decimalOf, unitsOf } from '../../nodes/CustomerMessaging/values/numbers.ts';
import type { NodeRun, NodeRunOptions } from '../engine/engine.mts';
import { brokenOff, inOrder, refusal, ScriptedTenant, sentMessages } from '../engine/scriptedTenant.mts';
import { skippedTemplate } from '../engine/summaryOfSent.mts';
import { byId } from '../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /chatapp/send-template';
const PRICING = 'GET /support/chatapp-pricing';
const TEMPLATES = 'GET /templates';

const GERMAN = '+49 171 1234567';
const SWISS = '+41 79 123 45 67';
const FRENCH = '+33 6 12 34 56 78';
const UNPRICED = '+81 90 1234 5678';

const templates = [{ name: 'welcome', language: 'en_US', category: 'MARKETING', status: 'APPROVED' }];

const prices = {
	pricing: [
		{ market: 'Germany', currency: 'EUR', marketing: 0.1 },
		{ market: 'Switzerland', currency: 'CHF', marketing: 0.1 },
		{ market: 'France', currency: 'eur', marketing: '0.05' },
	],
	calling_codes: [
		{ country: 'Germany', region: null, calling_code: '49' },
		{ country: 'Switzerland', region: null, calling_code: '41' },
		{ country: 'France', region: null, calling_code: '33' },
	],
};

const parameters = (values: IDataObject, more: INodeParameters = {}): INodeParameters => ({
	...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '={{ $json.to }}', agentId: byId(11) },
	...{ templateName: byId('welcome'), templateLanguage: 'en_US' },
	options: { budget: { values: { amount: '0.3', currency: 'EUR', ...values } } } as INodeParameters,
	...more,
});

const run = async (to: string[], values: IDataObject = {}, options: Partial<NodeRunOptions> = {}) =>
	await tenant.run(parameters(values), { items: to.map((one) => ({ json: { to: one } })), ...options });

/** What came out of each item: its ID, why it was skipped, or its error. */
const outcomes = ({ items }: NodeRun) =>
	items.map(({ json, error }) => error?.message ?? json.error ?? json.reason ?? json.id);

const hints = ({ run: { data } }: NodeRun) =>
	(data.resultData.runData.Node.at(-1)?.hints ?? []).map(({ message }) => message);

const TOO_MUCH = 'The budget of 0.3 EUR does not suffice: 0.3 are spent, the message costs 0.1';

beforeEach(() =>
	tenant.answer({
		[SEND]: sentMessages(),
		[PRICING]: () => ({ data: prices }),
		[TEMPLATES]: () => ({ data: templates, meta: { current_page: 1, last_page: 1 } }),
	}),
);

describe('amounts are exact', () => {
	it.each([
		[0, '0'],
		[0.1, '0.1'],
		[0.0000001, '0.0000001'],
		[1_000_000_000.1, '1000000000.1'],
		[12, '12'],
		[100, '100'],
	])('%d', (amount, text) => {
		expect(decimalOf(unitsOf(amount))).toBe(text);
	});

	it('three times 0.1 is 0.3', () => {
		expect(decimalOf(unitsOf(0.1) * 3n)).toBe('0.3');
	});
});

it('sends until the amount is reached, and says the sum', async () => {
	const ran = await run([GERMAN, GERMAN, GERMAN, GERMAN]);
	expect(outcomes(ran)).toEqual([1, 2, 3, TOO_MUCH]);
	expect(ran.items[3]).toEqual({
		json: { result: 'skipped', reason: TOO_MUCH, ...skippedTemplate('welcome', '491711234567') },
		pairedItem: { item: 3 },
	});
	expect(tenant.requests.sort()).toEqual([PRICING, TEMPLATES, SEND, SEND, SEND].sort());
	expect(hints(ran)).toEqual([
		'3 of 4 items were paid from the budget: 0.3 EUR are spent.',
		'1 of 4 items were skipped, because the budget does not suffice: 0.3 EUR are spent.',
	]);
});

it('a cheaper message may still fit', async () => {
	const ran = await run([GERMAN, GERMAN, GERMAN, FRENCH], { amount: 0.25 });
	expect(outcomes(ran)).toEqual([
		1,
		2,
		'The budget of 0.25 EUR does not suffice: 0.2 are spent, the message costs 0.1',
		3,
	]);
});

it('items at the same time do not spend more', async () => {
	const to = Array.from({ length: 40 }, (_, index) => `+49 171 12345${10 + index}`);
	const { items } = await tenant.run(
		{ ...parameters({ amount: '1' }), advanced: { maximumTries: 1, maximumInFlight: 20 } },
		{ items: to.map((one) => ({ json: { to: one } })) },
	);
	expect(items.filter(({ json }) => json.result === 'skipped')).toHaveLength(30);
	expect(tenant.bodies(SEND)).toHaveLength(10);
});

it('a refused message gives its price back, also to one that waits for it', async () => {
	tenant.answer({
		[SEND]: inOrder(refusal(422), sentMessages()),
		[PRICING]: () => ({ data: prices }),
		[TEMPLATES]: () => ({ data: templates }),
	});
	const { items } = await tenant.run(
		{ ...parameters({ amount: '0.1' }), advanced: { maximumTries: 1, maximumInFlight: 5 } },
		{
			items: [GERMAN, '+49 171 1234568', '+49 171 1234569'].map((to) => ({ json: { to } })),
			onError: 'continueRegularOutput',
		},
	);
	const [sent, skipped] = ['created', 'skipped'].map(
		(word) => items.filter(({ json }) => json.status === word || json.result === word).length,
	);
	expect([sent, skipped]).toEqual([1, 1]);
});

it('a message whose outcome is unclear is paid for', async () => {
	tenant.answer({
		[SEND]: inOrder(brokenOff, sentMessages()),
		[PRICING]: () => ({ data: prices }),
		[TEMPLATES]: () => ({ data: templates }),
	});
	const ran = await run([GERMAN, GERMAN], { amount: '0.1' }, { onError: 'continueRegularOutput' });
	expect(outcomes(ran)).toEqual([
		'It is unclear whether the message was sent',
		'The budget of 0.1 EUR does not suffice: 0.1 are spent, the message costs 0.1',
	]);
});

it('a retry of the node goes on with what is left', async () => {
	tenant.answer({
		[SEND]: inOrder(sentMessages(), refusal(422), sentMessages()),
		[PRICING]: () => ({ data: prices }),
		[TEMPLATES]: () => ({ data: templates }),
	});
	const ran = await run(
		[GERMAN, GERMAN, GERMAN],
		{ amount: '0.2' },
		{
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		},
	);
	expect(outcomes(ran)).toEqual([
		1,
		1,
		'The budget of 0.2 EUR does not suffice: 0.2 are spent, the message costs 0.1',
	]);
	expect(tenant.bodies(SEND)).toHaveLength(3);
});

describe('an unknown price', () => {
	const REASON =
		'The price of the message is unknown: The price list has no calling code of this phone number';

	it('stops the message', async () => {
		const ran = await run([UNPRICED, GERMAN]);
		expect(outcomes(ran)).toEqual([REASON, 1]);
		expect(hints(ran)).toContain('1 of 2 items were skipped, because their price is unknown.');
	});

	it('is nothing where it is allowed', async () => {
		const ran = await run([UNPRICED, GERMAN], { unknownPrices: 'allow', amount: 0.1 });
		expect(outcomes(ran)).toEqual([1, 2]);
		expect(hints(ran)).toEqual(['1 of 2 items were paid from the budget: 0.1 EUR are spent.']);
	});

	it('is that of a template whose category the tenant does not show', async () => {
		tenant.answer({
			[PRICING]: () => ({ data: prices }),
			[TEMPLATES]: () => ({ data: [{ name: 'welcome', language: 'en_US' }] }),
		});
		expect(outcomes(await run([GERMAN]))).toEqual([
			'The price of the message is unknown: The service does not show the category of the template',
		]);
	});
});

it('a price in another currency stops the message in words', async () => {
	const ran = await run([SWISS, FRENCH], { currency: ' eur ' });
	expect(outcomes(ran)).toEqual(['The price of the message is in CHF, the budget in eur', 1]);
	expect(hints(ran)).toContain(
		'1 of 2 items were skipped, because their price is in another currency than the budget.',
	);
});

it('the number of a customer decides about the price', async () => {
	tenant.answer({
		[SEND]: sentMessages(),
		[PRICING]: () => ({ data: prices }),
		[TEMPLATES]: () => ({ data: templates }),
		'GET /customers/101': () => ({ data: { id: 101, display_id: '491711234567' } }),
	});
	const ran = await tenant.run(
		parameters({ amount: 0.05 }, { recipient: 'customer', customerId: byId(101) }),
	);
	expect(outcomes(ran)).toEqual([
		'The budget of 0.05 EUR does not suffice: 0 are spent, the message costs 0.1',
	]);
});

it("by n8n's routing engine, the items have one budget too", async () => {
	const ran = await run([GERMAN, GERMAN, GERMAN, GERMAN], {}, { byRoutingEngine: true });
	expect(tenant.bodies(SEND)).toHaveLength(3);
	expect(outcomes(ran).filter((one) => one === TOO_MUCH)).toHaveLength(1);
});

it.each<[IDataObject, string]>([
	[{ amount: '' }, 'Budget (Stop at Amount) is empty'],
	[{ amount: '-1' }, 'Budget (Stop at Amount) -1 is less than 0'],
	[{ amount: '12,50' }, 'Budget (Stop at Amount) "12,50" is not a number'],
	[{ currency: ' ' }, 'Budget (Currency) is empty'],
	[{ unknownPrices: 'maybe' }, 'Budget (Unknown Prices) is "maybe", which cannot be chosen'],
])('%j is refused, and nothing goes out', async (values, problem) => {
	const { error } = await run([GERMAN], values);
	expect(error?.message).toBe(problem);
	expect(tenant.requests).toEqual([]);
});
