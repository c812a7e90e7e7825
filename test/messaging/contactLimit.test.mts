import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeRun, NodeRunOptions } from '../engine/engine.mts';
import { ProcessedData } from '../engine/processedData.mts';
import { brokenOff, inOrder, refusal, ScriptedTenant, sentMessages } from '../engine/scriptedTenant.mts';
import { skippedTemplate } from '../engine/summaryOfSent.mts';
import { byId } from '../engine/tenant.mts';

ProcessedData.inEachTest();
const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /chatapp/send-template';
const REPLY = 'POST /conversations/7/messages';

const DAY = 86_400_000;

const limited = (values: IDataObject, options: IDataObject = {}) =>
	({ options: { contactLimit: { values }, ...options } }) as INodeParameters;

const template = (values: IDataObject = {}, options?: IDataObject): INodeParameters => ({
	...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '={{ $json.to }}', agentId: byId(11) },
	...{ templateName: byId('welcome'), templateLanguage: 'en_US' },
	...limited(values, options),
});

const toCustomer = { ...template(), recipient: 'customer', customerId: byId('={{ $json.to }}') };

const run = async (
	to: Array<number | string>,
	parameters = template(),
	options: Partial<NodeRunOptions> = {},
) =>
	await tenant.run(parameters, {
		items: to.map((one) => ({ json: { to: one } })),
		onError: 'continueRegularOutput',
		...options,
	});

/** What came out of each item: its ID, why it was skipped, or its error. */
const outcomes = ({ items }: NodeRun) =>
	items.map(({ json, error }) => error?.message ?? json.error ?? json.reason ?? json.id);

const had = (messages = '1 message', days = '7 days') =>
	`The recipient has got ${messages} of this node in the last ${days}`;

const JO = '+49 171 1234567';
const ANN = '+49 171 7654321';

beforeEach(() =>
	tenant.answer({
		[SEND]: sentMessages(),
		[REPLY]: sentMessages(),
		'GET /customers/101': () => ({ data: { id: 101, display_id: '491711234567' } }),
		'GET /customers/102': () => ({ data: { id: 102, display_id: null } }),
	}),
);

afterEach(() => jest.restoreAllMocks());

it('a person gets one message, in one run and over executions; others get theirs', async () => {
	const ran = await run([JO, '0049 (0)171/1234567', ANN]);
	expect(outcomes(ran)).toEqual([1, had(), 2]);
	expect(ran.items[1]).toEqual({
		json: { result: 'skipped', reason: had(), ...skippedTemplate('welcome', '491711234567') },
		pairedItem: { item: 1 },
	});
	expect(ran.run.data.resultData.runData.Node[0].hints?.map(({ message }) => message)).toEqual([
		'1 of 3 items were skipped, because their recipients have got as many messages as Contact Limit allows.',
	]);
	expect(outcomes(await run([ANN, JO]))).toEqual([had(), had()]);
	expect(tenant.bodies(SEND)).toHaveLength(2);
});

it('as many as the limit allows, also at the same time', async () => {
	const parameters = {
		...template({ messages: 3, days: 30 }),
		advanced: { maximumTries: 1, maximumInFlight: 10 },
	};
	const ran = await run([JO, JO, JO, JO, JO], parameters);
	expect(tenant.bodies(SEND)).toHaveLength(3);
	expect(outcomes(ran).filter((one) => one === had('3 messages', '30 days'))).toHaveLength(2);
	const others = await Promise.all([1, 2, 3].map(async () => await run([ANN], parameters)));
	expect(others.flatMap(outcomes)).toEqual([4, 5, 6]);
});

it('a number and the customer who has it are one person; a customer without a number is known by ID', async () => {
	expect(outcomes(await run([JO]))).toEqual([1]);
	expect(outcomes(await run([101, 102, 102], toCustomer))).toEqual([had(), 2, had()]);
});

it('a message counts for the days, and for a quarter more at most', async () => {
	const now = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-05-12T10:00:00Z'));
	const at = async (days: number) => {
		now.mockReturnValue(Date.parse('2026-05-12T10:00:00Z') + days * DAY);
		return outcomes(await run([JO]));
	};
	expect(await at(0)).toEqual([1]);
	expect(await at(6.99)).toEqual([had()]);
	expect(await at(8.75)).toEqual([2]);
});

it('what was refused does not count, what is unclear does', async () => {
	tenant.answer({ [SEND]: inOrder(refusal(422), brokenOff, sentMessages()) });
	expect(outcomes(await run([JO, JO, JO]))).toEqual([
		'Refused',
		'It is unclear whether the message was sent',
		had(),
	]);
});

it('what another option skips does not count', async () => {
	const once = (key: string) => ({ sendOnce: { values: { key } } });
	expect(outcomes(await run([ANN], template({}, once('a'))))).toEqual([1]);
	expect(outcomes(await run([JO], template({}, once('a'))))).toEqual([
		'The key "a" of Send Once was used before (Hours: 24)',
	]);
	expect(outcomes(await run([JO], template({}, once('b'))))).toEqual([2]);
	// The limit has given the key back.
	expect(outcomes(await run([JO], template({}, once('c'))))).toEqual([had()]);
	expect(outcomes(await run(['+49 171 5555555'], template({}, once('c'))))).toEqual([3]);
});

it('in a conversation, its messages count', async () => {
	const reply = {
		...{ resource: 'message', operation: 'send', conversationId: '7', messageType: 'text', text: 'Hi' },
		...limited({ messages: 2, days: 1 }),
	};
	expect(outcomes(await run([1, 2, 3], reply))).toEqual([1, 2, had('2 messages', 'day')]);
});

it('after another number of messages the earlier ones count, after another number of days they do not', async () => {
	expect(outcomes(await run([JO]))).toEqual([1]);
	expect(outcomes(await run([JO, JO], template({ messages: 2 })))).toEqual([2, had('2 messages')]);
	expect(outcomes(await run([JO], template({ days: 8 })))).toEqual([3]);
});

it('it is refused where n8n gives no memory', async () => {
	const ran = await run([JO], template(), { byRoutingEngine: true });
	expect(outcomes(ran)).toEqual(['Contact Limit cannot be used here; nothing was sent']);
	expect(tenant.requests).toEqual([]);
});

it.each<[IDataObject, string]>([
	[{ messages: 0 }, 'Contact Limit (Messages) 0 is less than 1'],
	[{ messages: 21 }, 'Contact Limit (Messages) 21 is more than 20'],
	[{ messages: 1.5 }, 'Contact Limit (Messages) "1.5" is not a whole number'],
	[{ days: 0 }, 'Contact Limit (Days) 0 is less than 1'],
	[{ days: 367 }, 'Contact Limit (Days) 367 is more than 366'],
])('%j is refused, and nothing goes out', async (values, problem) => {
	expect(outcomes(await run([JO], template(values)))).toEqual([problem]);
	expect(tenant.requests).toEqual([]);
});
