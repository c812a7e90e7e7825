import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../engine/tenant.mts';
import { type Answers, inOrder, refusal, ScriptedTenant, sentMessages } from './scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /chatapp/send-template';
const DIGITS = '491711234567';
const SEARCH = `GET /profiles?search=${DIGITS}`;
const REASON = 'The recipient has not opted in to marketing messages';

const template = {
	resource: 'message',
	operation: 'sendTemplate',
	agentId: byId(11),
	templateName: byId('welcome'),
	templateLanguage: 'en_US',
};

const toNumber = (withoutConsent?: string) => ({
	...template,
	recipient: 'phoneNumber',
	phoneNumber: '+49 171 1234567',
	options: withoutConsent === undefined ? {} : { withoutConsent },
});
const toCustomer = (withoutConsent: string) => ({
	...template,
	recipient: 'customer',
	customerId: byId(101),
	options: { withoutConsent },
});

const consentOf = (id: number) => `GET /profiles/${id}/marketing-opt-in`;

/** A tenant whose search finds these profiles, of which some have opted in. */
function answering(profiles: IDataObject[], optedIn: unknown[] = []): Answers {
	const consents = profiles.map(({ id }): [string, () => unknown] => [
		consentOf(id as number),
		() => ({ data: { id: 90_000, is_opted_in: optedIn.includes(id) } }),
	]);
	return {
		'GET /profiles': () => ({ data: profiles, meta: { current_page: 1, last_page: 1 } }),
		'GET /customers/101': () => ({ data: { id: 101, display_id: DIGITS } }),
		...Object.fromEntries(consents),
		[SEND]: sentMessages(),
	};
}

const skipped = (profile_id: number | null) => [
	{ json: { skipped: true, reason: REASON, profile_id }, pairedItem: { item: 0 } },
];

const other = { id: 1, phone_number: `${DIGITS}8` };
const another = { id: 2, phone_number: `1${DIGITS}` };
const recipient = { id: 3, phone_number: DIGITS };

describe('whose consent counts', () => {
	it.each<[string, IDataObject[]]>([
		['the only one that is found', [recipient]],
		['the first of several', [recipient, other, another]],
		['the second of several', [other, recipient, another]],
		['the last of several', [other, another, recipient]],
		['one whose number is a number', [other, { id: 3, phone_number: Number(DIGITS) }]],
		['one whose number is called phone', [other, { id: 3, phone: DIGITS }]],
		['one whose other number is not kept', [other, { id: 3, phone_number: null, phone: DIGITS }]],
	])('that of the one with exactly these digits: %s', async (_which, profiles) => {
		tenant.answer(answering(profiles, [3]));
		const { items, error } = await tenant.run(toNumber('skip'));
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { id: 1, status: 'created' } }]);
		expect(tenant.requests).toEqual([SEARCH, consentOf(3), SEND]);

		tenant.arrived.splice(0);
		tenant.answer(answering(profiles, [1, 2]));
		expect((await tenant.run(toNumber('skip'))).items).toEqual(skipped(3));
		expect(tenant.requests).toEqual([SEARCH, consentOf(3)]);
	});

	it('for a customer, that of the profile with the customer’s number', async () => {
		tenant.answer(answering([other, recipient], [3]));
		const { items } = await tenant.run(toCustomer('skip'));
		expect(items).toMatchObject([{ json: { id: 1 } }]);
		expect(tenant.requests).toEqual(['GET /customers/101', SEARCH, consentOf(3), SEND]);
		expect(tenant.bodies(SEND)).toMatchObject([{ customer_id: 101 }]);
	});

	it('for a customer that comes without a wrapper too', async () => {
		tenant.answer({
			...answering([recipient], [3]),
			'GET /customers/101': () => ({ id: 101, display_id: Number(DIGITS), data: {} }),
			[consentOf(3)]: () => ({ id: 8, is_opted_in: true }),
		});
		expect((await tenant.run(toCustomer('skip'))).items).toMatchObject([{ json: { id: 1 } }]);
		expect(tenant.requests).toContain(SEARCH);
	});
});

describe('who has not consented', () => {
	it.each<[string, unknown]>([
		['no', false],
		['nothing', undefined],
		['null', null],
		['a word', 'true'],
		['a number', 1],
		['an object', {}],
	])('somebody of whom the tenant says %s', async (_what, is_opted_in) => {
		tenant.answer({ ...answering([recipient]), [consentOf(3)]: () => ({ data: { id: 8, is_opted_in } }) });
		expect((await tenant.run(toNumber('skip'))).items).toEqual(skipped(3));
		expect(tenant.requests).toEqual([SEARCH, consentOf(3)]);
	});

	it.each<[string, unknown]>([
		['nobody', { data: [] }],
		['only others', { data: [other, another] }],
		['people without a number', { data: [{ id: 4 }, { id: 5, phone_number: null }] }],
		['something that is no list', { data: { id: 3, phone_number: DIGITS } }],
		['nothing', { data: null }],
	])('somebody for whose number the tenant finds %s', async (_what, found) => {
		tenant.answer({ ...answering([other, another], [1, 2]), 'GET /profiles': () => found });
		expect((await tenant.run(toNumber('skip'))).items).toEqual(skipped(null));
		expect(tenant.requests).toEqual([SEARCH]);
	});

	it('a customer without a number, where nobody is found', async () => {
		tenant.answer({ ...answering([recipient], [3]), 'GET /customers/101': () => ({ data: { id: 101 } }) });
		expect((await tenant.run(toCustomer('skip'))).items).toEqual(skipped(null));
		expect(tenant.requests).not.toContain(SEND);
		// Nobody is looked for by a number that was made up.
		expect(tenant.requests.filter((request) => /search=[^&]/.test(request))).toEqual([]);
	});

	it('a profile without an ID', async () => {
		tenant.answer({
			...answering([{ phone_number: DIGITS }]),
			'GET /profiles/undefined/marketing-opt-in': () => ({ data: { is_opted_in: false } }),
		});
		expect((await tenant.run(toNumber('skip'))).items).toEqual(skipped(null));
	});
});

describe('what becomes of them', () => {
	it('with Fail an error that names the item, and nothing is sent', async () => {
		tenant.answer({
			...answering([recipient]),
			[consentOf(3)]: inOrder(
				() => ({ data: { id: 8, is_opted_in: true } }),
				() => ({ data: { id: 8, is_opted_in: false } }),
			),
		});
		const { error } = await tenant.run(toNumber('fail'), { items: [{ json: {} }, { json: {} }] });
		expect(error).toMatchObject({ message: REASON, context: { itemIndex: 1 } });
		expect(error?.description).toContain('Profile: Set Marketing Consent');
		expect(tenant.requests.filter((request) => request === SEND)).toHaveLength(1);
	});

	it('with Fail and Continue an item with the error', async () => {
		tenant.answer(answering([recipient]));
		const { items } = await tenant.run(toNumber('fail'), { onError: 'continueRegularOutput' });
		expect(items).toMatchObject([{ json: { error: REASON }, pairedItem: { item: 0 } }]);
		expect(tenant.requests).not.toContain(SEND);
	});

	it('with Fail nothing for those who have consented', async () => {
		tenant.answer(answering([recipient], [3]));
		expect((await tenant.run(toNumber('fail'))).items).toMatchObject([{ json: { id: 1 } }]);
	});

	it.each([['send'], [undefined]])('with %s they get the message, and nobody is looked up', async (mode) => {
		tenant.answer(answering([recipient]));
		expect((await tenant.run(toNumber(mode))).items).toMatchObject([{ json: { id: 1 } }]);
		expect(tenant.requests).toEqual([SEND]);
	});

	it('with Skip each item by itself', async () => {
		tenant.answer({
			...answering([recipient]),
			[consentOf(3)]: inOrder(
				() => ({ data: { id: 8, is_opted_in: false } }),
				() => ({ data: { id: 8, is_opted_in: true } }),
			),
		});
		const { items } = await tenant.run(toNumber('skip'), { items: [{ json: {} }, { json: {} }] });
		expect(items).toEqual([
			...skipped(3),
			{ json: { id: 1, conversation_id: 7, status: 'created' }, pairedItem: { item: 1 } },
		]);
	});
});

describe('a consent that cannot be read', () => {
	it.each([
		['the customer', 'GET /customers/101'],
		['the profiles', 'GET /profiles'],
		['the consent', consentOf(3)],
	])('is none: the tenant does not tell %s', async (_what, endpoint) => {
		tenant.answer({ ...answering([recipient], [3]), [endpoint]: refusal(403, 'Not for you') });
		const { error } = await tenant.run(toCustomer('skip'));
		expect(error?.message).toBe('Not for you');
		expect(error?.context).not.toHaveProperty('outcome');
		expect(tenant.requests).not.toContain(SEND);
	});
});
