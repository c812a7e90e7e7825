import type { IDataObject } from 'n8n-workflow';

import { byId } from '../engine/tenant.mts';
import { type Answers, inOrder, refusal, ScriptedTenant, sentMessages } from '../engine/scriptedTenant.mts';
import { rowOfSent, skippedTemplate } from '../engine/summaryOfSent.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /chatapp/send-template';
const DIGITS = '491711234567';
const SEARCH = `GET /profiles?search=${DIGITS}`;
const REASON = 'The recipient has not opted in to marketing messages';
const NO_PROFILE = 'The recipient has no profile that could have opted in to marketing messages';

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

const skipped = (profile_id: number | null, recipient: IDataObject = {}) => [
	{
		json: {
			...skippedTemplate('welcome', DIGITS),
			...{ result: 'skipped', reason: profile_id === null ? NO_PROFILE : REASON },
			...(profile_id !== null && { profile_id }),
			...recipient,
		},
		pairedItem: { item: 0 },
	},
];

const other = { id: 1, phone_number: `${DIGITS}8` };
const another = { id: 2, phone_number: `1${DIGITS}` };
const recipient = { id: 3, phone_number: DIGITS };

const UNREADABLE_LIST = /^The service answered with a list that cannot be read/;
const UNTOLD = 'The service does not say whether the recipient has opted in';

describe('whose consent counts', () => {
	it.each<[string, IDataObject[]]>([
		['the only one that is found', [recipient]],
		['the first of several', [recipient, other, another]],
		['the second of several', [other, recipient, another]],
		['the last of several', [other, another, recipient]],
		['one whose number is a number', [other, { id: 3, phone_number: Number(DIGITS) }]],
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

	it.each([101, '101'])(
		'for a customer, that of the profile of customer %j, whatever its number',
		async (id) => {
			const moved = { id: 3, customer_id: id, phone_number: '4930999999' };
			const taken = { id: 4, customer_id: 102, phone_number: DIGITS };
			tenant.answer(answering([taken, moved], [3]));
			expect((await tenant.run(toCustomer('skip'))).items).toMatchObject([{ json: { id: 1 } }]);
			expect(tenant.requests).toEqual(['GET /customers/101', SEARCH, consentOf(3), SEND]);

			tenant.answer(answering([taken, moved], [4]));
			expect((await tenant.run(toCustomer('skip'))).items).toEqual(skipped(3, { customer_id: 101 }));
		},
	);

	it('for a customer, not that of another customer with the same number', async () => {
		tenant.answer(answering([{ id: 4, customer_id: 102, phone_number: DIGITS }], [4]));
		expect((await tenant.run(toCustomer('skip'))).items).toEqual(skipped(null, { customer_id: 101 }));
		expect(tenant.requests).toEqual(['GET /customers/101', SEARCH]);
	});

	it('for a number, that of the profile with that number, whoever its customer is', async () => {
		tenant.answer(answering([{ id: 4, customer_id: 102, phone_number: DIGITS }], [4]));
		expect((await tenant.run(toNumber('skip'))).items).toMatchObject([{ json: { id: 1 } }]);
	});

	it('for a customer without a number, that of the profile of this customer, found by name', async () => {
		const profiles = [
			{ id: 3, customer_id: 102, name: 'Jo Smith' },
			{ id: 4, customer_id: 101, name: 'Jo Smith' },
		];
		tenant.answer({
			...answering(profiles, [4]),
			'GET /customers/101': () => ({ data: { id: 101, display_id: null, name: 'Jo Smith' } }),
		});
		expect((await tenant.run(toCustomer('skip'))).items).toMatchObject([{ json: { id: 1 } }]);
		expect(tenant.requests).toEqual([
			'GET /customers/101',
			'GET /profiles?search=Jo%20Smith',
			consentOf(4),
			SEND,
		]);
	});

	it('for a customer without a number, nobody’s whose profile names no customer', async () => {
		tenant.answer({
			...answering(
				[
					{ id: 3, name: 'Jo Smith', phone_number: null },
					{ id: 4, name: 'Jo Smith' },
				],
				[3, 4],
			),
			'GET /customers/101': () => ({ data: { id: 101, display_id: '', name: 'Jo Smith' } }),
		});
		expect((await tenant.run(toCustomer('skip'))).items).toEqual(
			skipped(null, { name: 'Jo Smith', phone_number: '', customer_id: 101 }),
		);
		expect(tenant.requests).not.toContain(SEND);
	});

	/** Answers of a search with several pages. */
	const paged =
		(pages: IDataObject[][], lastPage = pages.length) =>
		({ request }: { request: string }) => {
			const page = Number(/[?&]page=(\d+)/.exec(request)?.[1] ?? 1);
			return { data: pages[page - 1], meta: { current_page: page, last_page: lastPage } };
		};

	it('that of somebody on the last page', async () => {
		tenant.answer({
			...answering([other, another, recipient], [3]),
			'GET /profiles': paged([[other], [another], [recipient]]),
		});
		expect((await tenant.run(toNumber('skip'))).items).toMatchObject([{ json: { id: 1 } }]);
		expect(tenant.requests).toEqual([SEARCH, `${SEARCH}&page=2`, `${SEARCH}&page=3`, consentOf(3), SEND]);
	});

	describe('that of all who have the number', () => {
		const second = { id: 4, phone_number: `+${DIGITS}` };

		it.each<[string, IDataObject[][]]>([
			['on one page', [[recipient, other, second]]],
			['on several pages', [[recipient], [other], [second]]],
		])('%s', async (_where, pages) => {
			const answers = (optedIn: number[]) => ({
				...answering([recipient, second], optedIn),
				'GET /profiles': paged(pages),
			});
			tenant.answer(answers([3, 4]));
			expect((await tenant.run(toNumber('skip'))).items).toMatchObject([{ json: { id: 1 } }]);
			expect(tenant.requests.slice(pages.length)).toEqual([consentOf(3), consentOf(4), SEND]);

			for (const [optedIn, without] of [
				[3, 4],
				[4, 3],
			]) {
				tenant.arrived.splice(0);
				tenant.answer(answers([optedIn]));
				expect((await tenant.run(toNumber('skip'))).items).toEqual(skipped(without));
				const { error } = await tenant.run(toNumber('fail'));
				expect(error?.message).toBe(REASON);
				expect(tenant.requests).not.toContain(SEND);
			}
		});

		it('for a customer too, where the profiles name no customer or this one twice', async () => {
			tenant.answer(answering([recipient, second], [3]));
			expect((await tenant.run(toCustomer('skip'))).items).toEqual(skipped(4, { customer_id: 101 }));
			const own = [
				{ id: 3, customer_id: 101 },
				{ id: 4, customer_id: 101 },
			];
			tenant.answer(answering(own, [4]));
			expect((await tenant.run(toCustomer('skip'))).items).toEqual(skipped(3, { customer_id: 101 }));
			expect(tenant.requests).not.toContain(SEND);
		});

		it.each<[string, IDataObject]>([
			['with the 0 that is not dialled from abroad', { id: 4, phone_number: '+49 0171 1234567' }],
			['as a number of plain digits with it', { id: 4, phone_number: '4901711234567' }],
		])('also where the other one has it stored %s', async (_how, stored) => {
			tenant.answer(answering([recipient, stored], [3]));
			expect((await tenant.run(toNumber('skip'))).items).toEqual(skipped(4));
			tenant.answer(answering([stored], [4]));
			expect((await tenant.run(toNumber('skip'))).items).toMatchObject([{ json: { id: 1 } }]);
		});

		it('also where they share a uuid', async () => {
			const both = [recipient, second].map((profile) => ({ ...profile, uuid: 'a' }));
			tenant.answer(answering(both, [3]));
			expect((await tenant.run(toNumber('skip'))).items).toEqual(skipped(4));
			expect(tenant.requests).toEqual([SEARCH, consentOf(3), consentOf(4)]);
		});

		it('is not told where one of them has no ID', async () => {
			tenant.answer(answering([recipient, { phone_number: DIGITS }], [3]));
			expect((await tenant.run(toNumber('skip'))).error?.message).toMatch(UNREADABLE_LIST);
			expect(tenant.requests).not.toContain(SEND);
		});
	});
});

describe('whose number has two writings', () => {
	const [SHORT, LONG] = ['551187654321', '5511987654321'];
	const own = { id: 3, phone_number: LONG };
	const under = { id: 4, phone_number: SHORT };

	/** A tenant whose search is literal. */
	function finds(profiles: IDataObject[], optedIn: number[], customer: IDataObject = {}): void {
		tenant.arrived.splice(0);
		tenant.answer({
			...answering(profiles, optedIn),
			'GET /customers/101': () => ({ data: { id: 101, display_id: LONG, ...customer } }),
			'GET /profiles': ({ request }) => ({
				data: profiles.filter(({ name, phone_number: number }) =>
					[number, name].includes(/search=(.*?)(&|$)/.exec(request)?.[1]),
				),
			}),
		});
	}
	const brazilian = { ...toNumber('skip'), phoneNumber: '+55 11 98765-4321' };

	it('is left out where the withdrawal stands under the other one, and the number is sent as it was given', async () => {
		finds([own, under], [3]);
		expect((await tenant.run(brazilian)).items).toMatchObject([
			{ json: { result: 'skipped', reason: REASON, profile_id: 4, phone_number: LONG } },
		]);
		finds([under], []);
		expect((await tenant.run(brazilian)).items).toMatchObject([
			{ json: { result: 'skipped', profile_id: 4 } },
		]);
		expect(tenant.requests).not.toContain(SEND);
		finds([own, under], [3, 4]);
		expect((await tenant.run(brazilian)).items).toMatchObject([{ json: { status: 'created' } }]);
		expect(tenant.bodies(SEND)).toMatchObject([{ phone_number: Number(LONG) }]);
	});

	it('is left out as a customer too, whichever of them names another customer', async () => {
		const [named, others] = [
			{ ...own, customer_id: 101 },
			{ ...under, customer_id: 102 },
		];
		finds([named, others], [3]);
		expect((await tenant.run(toCustomer('skip'))).items).toMatchObject([
			{ json: { result: 'skipped', profile_id: 4, customer_id: 101 } },
		]);
		finds([named, others], [4]);
		expect((await tenant.run(toCustomer('skip'))).items).toMatchObject([{ json: { profile_id: 3 } }]);
		expect(tenant.requests).not.toContain(SEND);
		finds([named, others], [3, 4]);
		expect((await tenant.run(toCustomer('skip'))).items).toMatchObject([{ json: { status: 'created' } }]);
	});

	it('is looked for by name too, where only the other one is found by number', async () => {
		const moved = { id: 3, customer_id: 101, phone_number: '4930999999', name: 'Jo' };
		finds([moved, { ...under, customer_id: 102 }], [4], { name: 'Jo' });
		expect((await tenant.run(toCustomer('skip'))).items).toMatchObject([
			{ json: { result: 'skipped', profile_id: 3 } },
		]);
		expect(tenant.requests).not.toContain(SEND);
	});

	it('is not told where the own writing finds somebody without a number, and the other one somebody who agreed', async () => {
		tenant.answer({
			...answering([under], [4]),
			'GET /profiles': ({ request }) => ({
				data: request.includes(LONG) ? [{ id: 9, phone_number: null }] : [under],
			}),
		});
		expect((await tenant.run(brazilian)).error?.message).toBe(UNTOLD);
		expect(tenant.requests).not.toContain(SEND);
	});

	it('is no problem for a tenant that finds people without a number too', async () => {
		const unnumbered = { id: 9, phone_number: null };
		tenant.answer({
			...answering([own], [3]),
			'GET /profiles': ({ request }) => ({ data: request.includes(LONG) ? [own] : [unnumbered] }),
		});
		expect((await tenant.run(brazilian)).items).toMatchObject([{ json: { status: 'created' } }]);
	});
});

describe('a tenant whose search is literal', () => {
	it('finds the profile of a customer by name, where its number is written in another form', async () => {
		const written = { id: 3, customer_id: 101, phone_number: '+49 171 1234567', name: 'Jo Doe' };
		tenant.answer({
			...answering([written], [3]),
			'GET /customers/101': () => ({ data: { id: 101, display_id: DIGITS, name: 'Jo Doe' } }),
			'GET /profiles': ({ request }) => ({ data: request.includes('search=Jo') ? [written] : [] }),
		});
		const { items } = await tenant.run(toCustomer('skip'));
		expect(items).toMatchObject([{ json: { status: 'created' } }]);
		expect(tenant.requests).toEqual([
			'GET /customers/101',
			SEARCH,
			expect.stringMatching(/^GET \/profiles\?search=Jo/),
			consentOf(3),
			SEND,
		]);
	});
});

describe('who has not consented', () => {
	it.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['a word', 'true'],
		['a number', 1],
		['an object', {}],
	])(
		'nobody knows of whom the tenant says %s: nothing is sent, and that is an error',
		async (_what, is_opted_in) => {
			tenant.answer({ ...answering([recipient]), [consentOf(3)]: () => ({ data: { id: 8, is_opted_in } }) });
			for (const mode of ['skip', 'fail']) {
				tenant.arrived.splice(0);
				const { error } = await tenant.run(toNumber(mode));
				expect(error?.message).toBe(UNTOLD);
				expect(tenant.requests).toEqual([SEARCH, consentOf(3)]);
			}
		},
	);

	it.each<[string, unknown]>([
		['nobody', { data: [] }],
		['only others', { data: [other, another] }],
	])('somebody for whose number the tenant finds %s', async (_what, found) => {
		tenant.answer({ ...answering([other, another], [1, 2]), 'GET /profiles': () => found });
		expect((await tenant.run(toNumber('skip'))).items).toEqual(skipped(null));
		expect(tenant.requests).toEqual([SEARCH]);
	});

	it('is not known where the tenant finds people without a number, any of whom may be the recipient', async () => {
		const found = { data: [{ id: 4 }, { id: 5, phone_number: null }] };
		tenant.answer({ ...answering([other, another], [1, 2]), 'GET /profiles': () => found });
		const { error } = await tenant.run(toNumber('skip'));
		expect(error?.message).toBe(UNTOLD);
		expect(tenant.requests).toEqual([SEARCH]);
	});

	it('is not known of a customer without a number and a name, for whom nobody can be looked', async () => {
		tenant.answer({ ...answering([recipient], [3]), 'GET /customers/101': () => ({ data: { id: 101 } }) });
		expect((await tenant.run(toCustomer('skip'))).error?.message).toBe(UNTOLD);
		expect(tenant.requests).not.toContain(SEND);
		// Nobody is looked for by a number that was made up.
		expect(tenant.requests.filter((request) => /search=[^&]/.test(request))).toEqual([]);
	});

	it.each<[string, IDataObject]>([
		['without an ID', { phone_number: DIGITS }],
		['whose ID is null', { id: null, phone_number: DIGITS }],
	])('a profile %s, which nobody can ask about', async (_what, profile) => {
		tenant.answer({
			...answering([profile]),
			'GET /profiles/undefined/marketing-opt-in': () => ({ data: { is_opted_in: true } }),
			'GET /profiles/null/marketing-opt-in': () => ({ data: { is_opted_in: true } }),
		});
		expect((await tenant.run(toNumber('skip'))).error?.message).toMatch(UNREADABLE_LIST);
		expect(tenant.requests).toEqual([SEARCH]);
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
		expect(error?.description).toBe(
			'Record the consent first (Profile: Set Marketing Consent), or set If No Marketing Consent to Skip.',
		);
		expect(tenant.requests.filter((request) => request === SEND)).toHaveLength(1);
	});

	it('with Fail an error of its own for somebody without a profile', async () => {
		tenant.answer(answering([other], [1]));
		const { error } = await tenant.run(toNumber('fail'));
		expect(error).toMatchObject({ message: NO_PROFILE, context: { itemIndex: 0 } });
		expect(error?.description).toBe(
			'Check the recipient: no profile has this phone number or customer. To leave out such recipients, set If No Marketing Consent to Skip.',
		);
		expect(tenant.requests).toEqual([SEARCH]);
	});

	it('with Fail and Continue an item with the error', async () => {
		tenant.answer(answering([recipient]));
		const { items } = await tenant.run(toNumber('fail'), { onError: 'continueRegularOutput' });
		expect(items).toMatchObject([
			{ json: { result: 'failed', reason: REASON, error: REASON }, pairedItem: { item: 0 } },
		]);
		expect(tenant.requests).not.toContain(SEND);
	});

	it('without the option they get the message, and nobody is looked up', async () => {
		tenant.answer(answering([recipient]));
		expect((await tenant.run(toNumber())).items).toMatchObject([{ json: { id: 1 } }]);
		expect(tenant.requests).toEqual([SEND]);
	});

	it('their items, and those of people who have, tell the person that was found by number', async () => {
		const jo = { id: 3, customer_id: 101, name: 'Jo Smith', phone_number: `+${DIGITS}` };
		const known = { name: 'Jo Smith', phone_number: DIGITS, customer_id: 101 };
		tenant.answer(answering([jo]));
		expect((await tenant.run(toNumber('skip'))).items).toEqual(skipped(3, known));
		tenant.answer(answering([jo], [3]));
		expect((await tenant.run(toNumber('skip'))).items).toMatchObject([
			{ json: { result: 'sent', ...known } },
		]);
		tenant.answer(answering([jo, { ...jo, id: 4, customer_id: 102 }], [3, 4]));
		const [{ json }] = (await tenant.run(toNumber('skip'))).items;
		expect(json).toMatchObject({ name: '', phone_number: DIGITS });
		expect(json).not.toHaveProperty('customer_id');
		expect(tenant.bodies(SEND)).toEqual([1, 2].map(() => expect.not.objectContaining({ customer_id: 101 })));
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
			{
				json: rowOfSent({ id: 1, conversation_id: 7, status: 'created' }, tenant.bodies(SEND)[0]),
				pairedItem: { item: 1 },
			},
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
