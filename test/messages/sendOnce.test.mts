import { setTimeout } from 'node:timers/promises';

import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { labelOf } from '../description/labels.mts';
import { executionMode, type NodeRun, type NodeRunOptions } from '../engine/engine.mts';
import { ProcessedData } from '../engine/processedData.mts';
import { REFUSED_ADDRESS } from '../engine/refusedAddress.mts';
import {
	type Answers,
	brokenOff,
	inOrder,
	refusal,
	ScriptedTenant,
	sentMessages,
} from '../engine/scriptedTenant.mts';
import { skippedTemplate, skippedText } from '../engine/summaryOfSent.mts';
import { byId } from '../engine/tenant.mts';

const store = ProcessedData.inEachTest();
const tenant = ScriptedTenant.inEachTest();

// Attempts, and steps of the store, are counted here.
beforeEach(() => (tenant.startsRefused = false));
const otherTenant = ScriptedTenant.inEachTest();

const SEND = 'POST /conversations/7/messages';
const TEMPLATE = 'POST /chatapp/send-template';

/** Sends the text of the item, which is its key. */
const message: INodeParameters = {
	...{ resource: 'message', operation: 'send', conversationId: '7', messageType: 'text' },
	text: '={{ $json.text }}',
	options: { sendOnce: { values: { key: '={{ $json.text }}' } } },
};
const keyed = (key: string, options: INodeParameters = {}, hours?: unknown): INodeParameters => ({
	...message,
	text: 'Hello',
	options: {
		sendOnce: { values: { key, ...(hours !== undefined && { hours }) } },
		...options,
	} as INodeParameters,
});
const sendTemplate: INodeParameters = {
	...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '+49 171 1234567', agentId: byId(11) },
	...{
		templateName: byId('welcome'),
		templateLanguage: 'en_US',
		options: { sendOnce: { values: { key: 'a' } } },
	},
};

const ROW = skippedTemplate('welcome', '491711234567');

const retrying: NodeRunOptions['settings'] = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const going: Partial<NodeRunOptions> = { onError: 'continueRegularOutput' };
const itemsOf = (...texts: unknown[]): INodeExecutionData[] =>
	texts.map((text) => ({ json: { text } as IDataObject }));
const numbered = (count: number, of = count) =>
	itemsOf(...Array.from({ length: count }, (_, index) => `k${index % of}`));

const sentTexts = () => tenant.bodies(SEND).map(({ text }) => (text as { content: string }).content);
const sentCount = () => tenant.requests.filter((request) => request.startsWith('POST')).length;

const skipped = (key: string, hours = ' (Hours: 24)') => ({
	result: 'skipped',
	reason: `The key "${key}" of Send Once was used before${hours}`,
	send_once_key: key,
});

/** What came out of each item: its ID, whether it was skipped, or its error. */
const outcomes = ({ items }: NodeRun) =>
	items.map(({ json, error }) => error?.message ?? json.error ?? json.id ?? json.result ?? json);

const hints = ({ run }: NodeRun) =>
	(run.data.resultData.runData.Node.at(-1)?.hints ?? []).map(({ message: told }) => told);

const send = async (...texts: unknown[]) => await tenant.run(message, { items: itemsOf(...texts), ...going });

beforeEach(() => tenant.answer({ [SEND]: sentMessages(), [TEMPLATE]: sentMessages() }));

it('the words about a key are those of its parameters', async () => {
	expect(skipped('a').reason).toBe(
		`The key "a" of ${await labelOf('options.sendOnce')} was used before (${await labelOf('options.sendOnce.values.hours')}: 24)`,
	);
});

describe.each<[operation: string, parameters: INodeParameters, row: IDataObject]>([
	['Send', keyed('a'), skippedText(7, 'Hello')],
	['Send Template', sendTemplate, ROW],
])('%s sends once for each key', (_operation, parameters, row) => {
	it('in one run, in the next, and in executions at the same time', async () => {
		const { items } = await tenant.run(parameters, { items: itemsOf(1, 2) });
		expect(items).toMatchObject([
			{ json: { id: 1 }, pairedItem: { item: 0 } },
			{ json: { ...row, ...skipped('a') }, pairedItem: { item: 1 } },
		]);
		const runs = await Promise.all([1, 2, 3].map(async () => await tenant.run(parameters)));
		expect(runs.map(({ items: [{ json }] }) => json)).toEqual(
			[1, 2, 3].map(() => ({ ...row, ...skipped('a') })),
		);
		expect(sentCount()).toBe(1);
	});

	it('and not at all where n8n gives no store', async () => {
		const { error } = await tenant.run(parameters, { byRoutingEngine: true });
		expect(error?.message).toBe('Send Once cannot be used here; nothing was sent');
		const call = await tenant.tool(parameters, {});
		expect(JSON.stringify(await call({}).catch(String))).toContain('Send Once cannot be used here');
		expect(tenant.requests).toEqual([]);
	});
});

const SAME = 'does not tell one message from another';

describe('a key', () => {
	it('is the same in composed and decomposed letters, and with spaces around it', async () => {
		const items = itemsOf('Caf\u00e9', 'Cafe\u0301', ' Caf\u00e9 ', 'Cafe');
		const run = await tenant.run(keyed('={{ $json.text }}'), { items });
		expect(run.items.map(({ json }) => json.result ?? 'sent')).toEqual([
			'sent',
			'skipped',
			'skipped',
			'sent',
		]);
	});

	it('is used once by many items, and by executions at the same time', async () => {
		const parameters = { ...message, advanced: { maximumTries: 1, maximumInFlight: 10 } };
		const run = await tenant.run(parameters, { items: numbered(60, 12) });
		expect(sentTexts().sort()).toEqual(
			numbered(12)
				.map(({ json }) => json.text as string)
				.sort(),
		);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(numbered(60).map((_, item) => ({ item })));
		expect(run.items[12].json).toEqual({ ...skippedText(7, 'k0'), ...skipped('k0') });
		expect(hints(run)).toEqual(['12 of 60 sent, 48 skipped.']);
		tenant.arrived.splice(0);
		const runs = await Promise.all(Array.from({ length: 10 }, async () => await send('a', 'b')));
		expect(sentTexts().sort()).toEqual(['a', 'b']);
		expect(runs.flatMap(outcomes).filter((one) => one === 'skipped')).toHaveLength(18);
	});

	it('is sent by one of several executions after others were refused', async () => {
		const refused = new Set<string>();
		tenant.answer({
			[SEND]: async ({ body }, reply) => {
				const { content } = (body as { text: { content: string } }).text;
				if (refused.has(content)) return { data: { id: content } };
				refused.add(content);
				return await reply.code(422).send({ message: 'Not now' });
			},
		});
		const runs = await Promise.all([1, 2, 3, 4].map(async () => await send('a', 'b', 'c', 'a', 'b', 'c')));
		const ids = runs.flatMap(outcomes).filter((one) => ['a', 'b', 'c'].includes(String(one)));
		expect(ids.sort()).toEqual(['a', 'b', 'c']);
	});

	it('is looked up in one step for all items that begin together', async () => {
		await send(...numbered(40).map(({ json }) => json.text));
		store.calls.check = 0;
		const advanced = { maximumTries: 1, maximumInFlight: 40 };
		const parameters = { ...message, conversationId: '={{ $json.text }}', advanced };
		// Where they take longer than a turn of the event loop, they do not begin together.
		const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
		const run = await tenant.run(parameters, { items: numbered(40) });
		clock.mockRestore();
		expect(new Set(outcomes(run))).toEqual(new Set(['skipped']));
		expect(store.calls.check).toBe(1);
	});

	it('is nowhere in the store, and neither is a number', async () => {
		const keys = ['order-7 491711234567', 491711234567];
		expect(outcomes(await send(...keys))).toEqual([1, 2]);
		for (const entry of store.entries) expect(entry).toMatch(/^[\w+/]{22}==$/);
		expect(outcomes(await send(...keys))).toEqual(['skipped', 'skipped']);
	});

	it.each([
		['a field that the item lacks', '={{ $json.missing }}', 'is empty'],
		['null', '={{ null }}', 'is empty'],
		['spaces', '={{ " \\n\\t " }}', 'is empty'],
		['nothing', '', 'is empty'],
		['an object', '={{ { "id": 1 } }}', '"{"id":1}" is not text'],
		['a truth', '={{ true }}', `"true" ${SAME}`],
		['an object within a text', '={{ "order-" + {} }}', `"order-[object Object]" ${SAME}`],
		['a missing field within a text', '={{ "order-" + $json.missing }}', `"order-undefined" ${SAME}`],
		[
			'a missing field beside a text',
			'={{ $json.missing }}-shipped',
			'"-shipped" lacks a part: {{ $json.missing }} gives nothing',
		],
		['null within a text', '={{ null + "-shipped" }}', `"null-shipped" ${SAME}`],
		[
			'a date that does not exist within a text',
			'=due-{{ DateTime.fromISO("x") }}',
			`"due-Invalid DateTime" ${SAME}`,
		],
		['what nobody sees', '={{ "\u200b" }}', 'is empty'],
		['no number beside a text', '={{ NaN }}-shipped', '"-shipped" lacks a part: {{ NaN }} gives nothing'],
	])('is not %s', async (_what, key, problem) => {
		const { items } = await tenant.run(keyed(key), { items: itemsOf('a', 'b'), ...going });
		const label = `${await labelOf('options.sendOnce')} (${await labelOf('options.sendOnce.values.key')})`;
		expect(items.map(({ json }) => json.error)).toEqual([`${label} ${problem}`, `${label} ${problem}`]);
		expect(tenant.requests).toEqual([]);
	});

	it.each<INodeParameters>([{}, { values: {} }, { values: { hours: 2 } }])(
		'is not left out of the option: %j',
		async (sendOnce) => {
			const { error } = await tenant.run({ ...message, text: 'Hello', options: { sendOnce } });
			expect(error?.message).toBe('Send Once (Key) is empty');
			expect(tenant.requests).toEqual([]);
		},
	);

	it.each([
		['zero', '={{ 0 }}'],
		['very long', `={{ "x".repeat(100000) }}`],
		['unicode', '={{ "Größe-😀-\\u0000-\\u202e" }}'],
		['half a character', '={{ "\\ud83d" }}'],
		['named after the prototype', '__proto__'],
		['a date', '={{ $today.toISODate() }}'],
		['with quotes', `a'b"c\`d;--`],
	])('may be %s', async (_name, key) => {
		expect(outcomes(await tenant.run(keyed(key)))).toEqual([1]);
		expect(outcomes(await tenant.run(keyed(key)))).toEqual(['skipped']);
	});

	it.each([
		['={{ 7 }}', '7', true],
		['a', ' a ', true],
		['A', 'a', false],
		['a', 'á', false],
		[`${'x'.repeat(5000)}1`, `${'x'.repeat(5000)}2`, false],
		['1', '01', false],
		['constructor', '__proto__', false],
	])('%.12s and %.12s are the same: %3$s', async (one, other, isSame) => {
		await tenant.run(keyed(one));
		expect(outcomes(await tenant.run(keyed(other)))).toEqual([isSame ? 'skipped' : 2]);
	});

	it('belongs to a node, to a length of the window, and to a tenant', async () => {
		await send('a');
		otherTenant.answer({ [SEND]: sentMessages() });
		for (const options of [{ settings: { id: 'other' } }, {}]) {
			const { items } = await otherTenant.run(message, { items: itemsOf('a'), ...options });
			expect(items[0].json.id).toEqual(expect.any(Number));
		}
		const values = { key: '={{ $json.text }}', hours: 12 };
		const hours = { ...message, options: { sendOnce: { values } } };
		expect(outcomes(await tenant.run(hours, { items: itemsOf('a') }))).toEqual([2]);
		// What another tenant, node or window has used changes nothing here.
		expect(outcomes(await send('a'))).toEqual(['skipped']);
		expect(outcomes(await otherTenant.run(message, { items: itemsOf('a') }))).toEqual(['skipped']);
	});
});

describe('a message that was not sent', () => {
	it.each([400, 401, 403, 404, 422])(
		'gives its key back when the service refuses it with %i',
		async (status) => {
			tenant.answer({ [SEND]: inOrder(refusal(status), sentMessages()) });
			expect(outcomes(await send('a'))).toEqual(['Refused']);
			expect([...outcomes(await send('a')), ...outcomes(await send('a'))]).toEqual([1, 'skipped']);
			expect(sentTexts()).toEqual(['a', 'a']);
		},
	);

	it('gives its key back when nothing answers', async () => {
		const { error } = await tenant.run(message, {
			items: itemsOf('a'),
			credentials: { tenantDomain: REFUSED_ADDRESS, accessToken: 'x' },
		});
		expect(error?.message).toBe('Nothing answers at the Tenant Domain');
		expect(store.calls.remove).toBe(1);
	});

	it.each<[string, INodeParameters, Partial<NodeRunOptions>]>([
		['its file cannot be uploaded', { ...keyed('a'), messageType: 'image', mediaSource: 'binary' }, {}],
		['a value is refused', { ...keyed('a'), conversationId: '={{ null }}' }, {}],
		['its ID is none', { ...sendTemplate, agentId: byId('={{ "x" }}') }, {}],
		[
			'it is stopped as a loop',
			keyed('a', { fromAutomation: true }),
			{ sourceType: 'n8n-nodes-customer-messaging.customerMessagingTrigger' },
		],
	])('uses no key when %s', async (_what, parameters, options) => {
		expect((await tenant.run(parameters, options)).error).toBeDefined();
		expect(sentCount()).toBe(0);
		const whole = parameters.operation === 'send' ? keyed('a') : sendTemplate;
		expect(outcomes(await tenant.run(whole))).toEqual([1]);
	});

	it('uses no key when its recipient has not consented', async () => {
		tenant.answer({ 'GET /profiles': () => ({ data: [] }), [TEMPLATE]: sentMessages() });
		const options = { sendOnce: { values: { key: 'a' } }, withoutConsent: 'skip' };
		const { items } = await tenant.run({ ...sendTemplate, options });
		expect(items[0].json).toMatchObject({ result: 'skipped' });
		expect(items[0].json).not.toHaveProperty('send_once_key');
		expect(outcomes(await tenant.run(sendTemplate))).toEqual([1]);
	});

	it('gives its key to a later item of the same run', async () => {
		tenant.answer({ [SEND]: inOrder(refusal(422), sentMessages()) });
		expect(outcomes(await send('a', 'a', 'a'))).toEqual(['Refused', 1, 'skipped']);
	});

	it.each([2, 60])(
		'of %i items gives back their keys, so that a failed run leaves nothing',
		async (count) => {
			const perLane = { ...message, advanced: { maximumInFlight: 1 } };
			tenant.answer({ [SEND]: inOrder(refusal(422), refusal(422), sentMessages()) });
			await tenant.run(perLane, { items: itemsOf('x') });
			const marks = store.entries;
			const { error } = await tenant.run(perLane, { items: numbered(count) });
			expect(error?.message).toBe('Refused');
			expect(store.entries).toEqual(marks);
			const run = await tenant.run(perLane, { items: numbered(count) });
			expect(outcomes(run)).toEqual(numbered(count).map((_, index) => index + 1));
		},
	);

	it('tells when its key stays used', async () => {
		tenant.answer({ [SEND]: refusal(422) });
		store.meanwhile = (call) => {
			if (call === 'remove') throw new Error('The database is gone');
		};
		const { error } = await tenant.run(message, { items: itemsOf('a') });
		expect(error).toMatchObject({
			message: 'Refused',
			description: expect.stringContaining(
				'n8n could not take the key of Send Once back, so it counts as used.',
			),
		});
	});

	it('is sent by Retry On Fail, without what was sent, which comes out as it was', async () => {
		const sent = sentMessages();
		tenant.answer({ [SEND]: inOrder(sent, refusal(422), sent) });
		const run = await tenant.run(message, { items: itemsOf('a', 'b', 'c'), settings: retrying });
		expect(outcomes(run)).toEqual([1, 2, 3]);
		expect(sentTexts()).toEqual(['a', 'b', 'b', 'c']);
	});
});

describe('a message that may have been sent', () => {
	it.each<[string, Answers[string]]>([
		['the connection breaks', brokenOff],
		['the service has an internal error', refusal(500)],
		['the answer is a page', async (_arrived, reply) => await reply.type('text/html').send('<p>')],
		['the answer is cut off', async (_arrived, reply) => await reply.type('application/json').send('{"da')],
	])('keeps its key in every later run: %s', async (_what, answer) => {
		tenant.answer({ [SEND]: inOrder(answer, sentMessages()) });
		expect(outcomes(await send('a'))).toEqual(['It is unclear whether the message was sent']);
		for (let run = 0; run < 2; run++) expect(outcomes(await send('a'))).toEqual(['skipped']);
		expect(sentTexts()).toEqual(['a']);
	});

	it('keeps its key where it was not delivered', async () => {
		tenant.answer({ [SEND]: () => ({ data: { id: 1, latest_error: { original_message: 'Over' } } }) });
		for (const expected of ['Over', 'skipped'])
			expect(outcomes(await tenant.run(keyed('a', { ifUndelivered: 'error' }), going))).toEqual([expected]);
		expect(sentCount()).toBe(1);
	});

	it('stays unclear for Retry On Fail', async () => {
		tenant.answer({ [SEND]: brokenOff });
		const { error } = await tenant.run(message, { items: itemsOf('a'), settings: retrying });
		expect(error?.message).toBe('It is unclear whether the message was sent');
		expect(sentTexts()).toEqual(['a']);
	});
});

describe('the window', () => {
	afterEach(() => jest.restoreAllMocks());

	const withHours = (hours: unknown) => keyed('a', {}, hours);

	/** Has it be so many hours later. */
	const later = (hours: number) => {
		const { now } = Date;
		jest.spyOn(Date, 'now').mockImplementation(() => now() + hours * 3_600_000);
	};

	it.each<[hours: unknown, later: number, isSkipped: boolean]>([
		...[0, 1, 5, 11, 17, 23.9].map((after): [number, number, boolean] => [24, after, true]),
		...[30.1, 31, 48, 1000].map((after): [number, number, boolean] => [24, after, false]),
		[undefined, 23.9, true],
		[undefined, 30.1, false],
		['24', 23.9, true],
		[0.001, 0.0005, true],
		[0.001, 0.002, false],
		[1_000_000, 100_000, true],
		[0, 30, true],
		[0, 100_000, true],
	])('of %j hours is open after %d: %j', async (hours, after, isSkipped) => {
		await tenant.run(withHours(hours));
		later(after);
		expect(outcomes(await tenant.run(withHours(hours)))).toEqual([isSkipped ? 'skipped' : 2]);
	});

	it('without end is told as such, and takes one entry for a key', async () => {
		await tenant.run(withHours(0));
		expect((await tenant.run(withHours(0))).items[0].json).toMatchObject(skipped('a', ''));
		const before = store.entries;
		await tenant.run(keyed('b', {}, 0));
		expect(store.entries).toHaveLength(before.length + 1);
	});

	it.each([
		[-1, '-1 is less than 0'],
		['soon', '"soon" is not a number'],
	])('of %j fails with its name, and nothing is sent', async (hours, problem) => {
		const { error } = await tenant.run(withHours(hours));
		expect(error?.message).toBe(
			`${await labelOf('options.sendOnce')} (${await labelOf('options.sendOnce.values.hours')}) ${problem}`,
		);
		expect(tenant.requests).toEqual([]);
	});

	it.each(['', '={{ 0.5 }}', 1e300, -0])('of %j never switches the key off', async (hours) => {
		for (let run = 0; run < 2; run++) await tenant.run(withHours(hours), going);
		expect(sentCount()).toBeLessThanOrEqual(1);
	});
});

describe('the store', () => {
	it.each(['check', 'count'])('stops the message when it fails to %s', async (failing) => {
		store.meanwhile = (call) => {
			if (call === failing) throw new Error('The database is gone');
		};
		const { error } = await tenant.run(message, { items: itemsOf('a') });
		expect(error).toMatchObject({
			message: 'The key of Send Once could not be recorded; nothing was sent',
			description: expect.stringContaining('The database is gone'),
		});
		expect(tenant.requests).toEqual([]);
	});

	it('may be begun by another process at the same time', async () => {
		store.meanwhile = (call, number) => {
			if (call === 'check' && number === 1) store.lists.set('test n:node', '["of another process"]');
		};
		expect([...outcomes(await send('a')), ...outcomes(await send('a'))]).toEqual([1, 'skipped']);
	});
});

describe('in queue mode', () => {
	afterEach(() => executionMode('regular'));

	const OTHERS = '["of another process"]';

	it('a key is asked for again after a time, once for all items, and never where n8n is one process', async () => {
		for (const [mode, checks] of [
			['regular', 2],
			['queue', 3],
		] as const) {
			executionMode(mode);
			store.lists.clear();
			await tenant.run(sendTemplate);
			store.calls.check = 0;
			const began = performance.now();
			const parameters = {
				...{ ...sendTemplate, options: message.options },
				...{ phoneNumber: '={{ 491711234567 + $itemIndex }}', advanced: { maximumInFlight: 40 } },
			};
			const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
			const run = await tenant.run(parameters, { items: numbered(40) });
			clock.mockRestore();
			expect(outcomes(run)).not.toContain('skipped');
			if (mode === 'queue') expect(performance.now() - began).toBeGreaterThan(249);
			expect(store.calls.check).toBe(checks);
		}
	});

	it('a key that another process has overwritten is recorded again, and its message is sent once', async () => {
		executionMode('queue');
		store.meanwhile = (call, number) => {
			if (call !== 'check' || number !== 1) return;
			void setTimeout(50).then(() => store.lists.set('test n:node', OTHERS));
		};
		expect(outcomes(await send('a'))).toEqual([1]);
		expect(store.entries[0]).toBe('of another process');
		expect(outcomes(await send('a'))).toEqual(['skipped']);
		expect(sentTexts()).toEqual(['a']);
	});

	it('a message is skipped whose key another process has taken in the same moment', async () => {
		executionMode('queue');
		await send('a');
		// The list as the other process writes it, which has read it before.
		const [...taken] = store.lists;
		store.lists.clear();
		store.meanwhile = (call, number) => {
			if (call !== 'check' || number !== 1) return;
			void setTimeout(50).then(() => store.lists.set(...taken[0]));
		};
		store.calls.check = 0;
		expect(outcomes(await send('a'))).toEqual(['skipped']);
		expect(sentTexts()).toEqual(['a']);
	});

	it('a message that was not sent gives its key back, and no mark stays', async () => {
		executionMode('queue');
		tenant.answer({ [SEND]: inOrder(refusal(422), refusal(422), sentMessages()) });
		await send('x');
		const marks = store.entries;
		expect(outcomes(await send('a'))).toEqual(['Refused']);
		expect(store.entries).toEqual(marks);
		expect(outcomes(await send('a'))).toEqual([1]);
	});
});
