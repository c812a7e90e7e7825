import { setTimeout as wait } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../engine/agentTool.mts';
import { type NodeRunOptions, runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { ProcessedData } from '../engine/processedData.mts';
import { REFUSED_ADDRESS } from '../engine/refusedAddress.mts';
import { byId } from '../engine/tenant.mts';
import {
	answerWith,
	created,
	numbered,
	outcomes,
	refusal,
	reset,
	sendTemplate,
	sendText,
	writes,
} from './messages.mts';

const tenant = OddTenant.inEachTest();
const store = ProcessedData.inEachTest();

const keyed = (sendOnceKey: string, options: INodeParameters = {}): INodeParameters => ({
	...sendText,
	options: { ...options, sendOnceKey },
});

async function run(parameters: INodeParameters, options: Partial<NodeRunOptions> = {}) {
	return await runNode({ credentials: tenant.credentials, ...options, parameters });
}

/** How many messages reached the service. */
const sent = () => writes(tenant).length;

const SKIPPED = (send_once_key: unknown = expect.any(String)): IDataObject => ({
	skipped: true,
	reason: expect.stringMatching(/\w{4}/) as string,
	send_once_key: send_once_key as string,
});

const retrying = (maxTries = 3) => ({ settings: { retryOnFail: true, maxTries, waitBetweenTries: 1 } });

beforeEach(() => answerWith(tenant));

describe.each<[operation: string, parameters: INodeParameters]>([
	['Send', sendText],
	['Send Template', sendTemplate],
])('%s sends once for each key', (_operation, parameters) => {
	const once = (sendOnceKey: string): INodeParameters => ({ ...parameters, options: { sendOnceKey } });

	it('in one run, and the second item says that it was skipped', async () => {
		const { items } = await run(once('order-1'), { items: numbered(2) });
		expect(items.map(({ json }) => json)).toEqual([
			expect.not.objectContaining({ skipped: true }),
			expect.objectContaining(SKIPPED('order-1')),
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(sent()).toBe(1);
	});

	it('in two runs', async () => {
		await run(once('order-1'));
		const { items } = await run(once('order-1'));
		expect(outcomes({ items } as never)).toEqual([expect.objectContaining(SKIPPED('order-1'))]);
		expect(sent()).toBe(1);
	});

	it('in two executions at the same instant', async () => {
		answerWith(tenant, {
			send: async () => await wait(50, created()),
			sendTemplate: async () => await wait(50, created()),
		});
		const runs = await Promise.all(Array.from({ length: 8 }, async () => await run(once('order-1'))));
		expect(sent()).toBe(1);
		expect(runs.flatMap(({ items }) => items).filter(({ json }) => json.skipped)).toHaveLength(7);
	});

	it("by n8n's routing engine it fails before it sends, or sends once", async () => {
		for (let time = 0; time < 2; time++) await run(once('order-1'), { byRoutingEngine: true });
		expect(sent()).toBeLessThanOrEqual(1);
	});

	it('as a tool before the third agent it fails before it sends', async () => {
		const call = await agentTool({ credentials: tenant.credentials, parameters: once('order-1') });
		const said = await call({}).then(JSON.stringify, String);
		expect(said).toMatch(/Send Once Key|key/i);
		expect(sent()).toBe(0);
	});
});

describe('A key', () => {
	it.each([
		['nothing', '={{ $json.nowhere }}'],
		['null', '={{ null }}'],
		['an object', '={{ { a: 1 } }}'],
		['an empty object', '={{ {} }}'],
		['a list', '={{ [1] }}'],
		['an empty list', '={{ [] }}'],
		['an empty text', '={{ "" }}'],
		['spaces', '={{ " \\n\\t " }}'],
		['a text with null in it', '={{ $json.nowhere ?? null }}-shipped'],
		['a text with a missing field in it', '={{ $json.nowhere }}-shipped'],
		['a text put together with a missing field', '={{ $json.nowhere + "-shipped" }}'],
		['no number', '={{ NaN }}'],
	])('that is %s fails the item, and nothing is sent', async (_name, key) => {
		const result = await run(keyed(key), { items: numbered(2), onError: 'continueRegularOutput' });
		expect(outcomes(result)).toEqual([
			expect.stringMatching(/Send Once Key/),
			expect.stringMatching(/Send Once Key/),
		]);
		expect(sent()).toBe(0);
	});

	it.each([
		['a text with a record in it', '={{ $json }}-shipped'],
		['a text with [object Object] in it', '={{ "" + $json + "-shipped" }}'],
	])('that is %s does not make all items share one', async (_name, key) => {
		await run(keyed(key), { items: numbered(2), onError: 'continueRegularOutput' });
		expect(sent()).not.toBe(1);
	});

	it('of spaces as the person wrote it is not the same as none set', async () => {
		const result = await run(keyed('  '), { onError: 'continueRegularOutput' });
		expect(outcomes(result)).toEqual([expect.stringMatching(/Send Once Key/)]);
		expect(sent()).toBe(0);
	});

	it.each([
		['a number', '={{ 7 }}'],
		['zero', '={{ 0 }}'],
		['true', '={{ true }}'],
		['very long', `={{ "x".repeat(100000) }}`],
		['unicode', '={{ "Größe-😀-\\u0000-\\u202e" }}'],
		['half a character', '={{ "\\ud83d" }}'],
		['named after the prototype', '__proto__'],
		['a date', '={{ $today.toISODate() }}'],
		['with quotes', `a'b"c\`d;--`],
	])('that is %s sends once or fails, in two runs', async (_name, key) => {
		const results = [];
		for (let time = 0; time < 2; time++)
			results.push(...outcomes(await run(keyed(key), { onError: 'continueRegularOutput' })));
		if (sent() === 0) expect(results).toEqual([expect.any(String), expect.any(String)]);
		else {
			expect(sent()).toBe(1);
			expect(results[1]).toMatchObject(SKIPPED(expect.anything()));
		}
	});

	it('that is a number is the same as its digits', async () => {
		await run(keyed('={{ 7 }}'));
		await run(keyed('7'));
		expect(sent()).toBe(1);
	});

	it.each([
		['A', 'a'],
		['a', 'a '],
		['a', 'á'],
		[`${'x'.repeat(5000)}1`, `${'x'.repeat(5000)}2`],
		['1', '01'],
		['constructor', '__proto__'],
	])('%.10s is another one than %.10s, or the same, but never fails', async (one, other) => {
		await run(keyed(one));
		const { error } = await run(keyed(other));
		expect(error).toBeUndefined();
		if (one.trim() !== other.trim()) expect(sent()).toBe(2);
	});

	it('is not in the store as it was written', async () => {
		await run(keyed('491710000001-birthday'));
		expect(JSON.stringify([...store.lists])).not.toContain('491710000001');
	});

	it('of one node is not that of another', async () => {
		await run(keyed('a'));
		await run(keyed('a'), { settings: { id: 'copy' } });
		expect(sent()).toBe(2);
	});
});

describe('Send Once Hours', () => {
	it.each([0, 0.001, 0.5, 24, 1_000_000, '24'])('of %j is taken', async (sendOnceHours) => {
		for (let time = 0; time < 2; time++) {
			const { error } = await run(keyed('a', { sendOnceHours }));
			expect(error).toBeUndefined();
		}
		expect(sent()).toBe(1);
	});

	it.each([-1, 'soon', '', '={{ 0.5 }}', 1e300, -0])(
		'of %j fails the item or counts, but never switches the key off',
		async (sendOnceHours) => {
			for (let time = 0; time < 2; time++)
				await run(keyed('a', { sendOnceHours }), { onError: 'continueRegularOutput' });
			expect(sent()).toBeLessThanOrEqual(1);
		},
	);

	it.each([-1, 'soon'])('of %j fails with its name, and nothing is sent', async (sendOnceHours) => {
		const result = await run(keyed('a', { sendOnceHours }), { onError: 'continueRegularOutput' });
		expect(outcomes(result)).toEqual([expect.stringContaining('Send Once Hours')]);
		expect(sent()).toBe(0);
	});

	describe('end', () => {
		afterEach(() => jest.restoreAllMocks());

		/** Has it be so many hours later. */
		const later = (hours: number) => {
			const now = Date.now;
			jest.spyOn(Date, 'now').mockImplementation(() => now() + hours * 3_600_000);
		};

		it.each([0, 1, 5, 11, 17, 23.9])('not after %d of 24', async (hours) => {
			await run(keyed('a'));
			later(hours);
			await run(keyed('a'));
			expect(sent()).toBe(1);
		});

		it.each([30.1, 31, 48, 1000])('after %d, where 24 are set', async (hours) => {
			await run(keyed('a'));
			later(hours);
			await run(keyed('a'));
			expect(sent()).toBe(2);
		});

		it.each([30, 100_000])('never where 0 are set: not after %d', async (hours) => {
			await run(keyed('a', { sendOnceHours: 0 }));
			later(hours);
			await run(keyed('a', { sendOnceHours: 0 }));
			expect(sent()).toBe(1);
		});
	});
});

describe('A key is given back if the message was certainly not sent', () => {
	it.each([400, 401, 403, 404, 422])('refused with %d', async (status) => {
		answerWith(tenant, { send: refusal(status) });
		expect((await run(keyed('a'))).error).toBeDefined();
		answerWith(tenant);
		const { items } = await run(keyed('a'));
		expect(items[0].json).not.toHaveProperty('skipped');
		expect(sent()).toBe(2);
	});

	it('refused for the first item, sent for the second of the same key', async () => {
		let calls = 0;
		answerWith(tenant, {
			send: async (request: FastifyRequest, reply: FastifyReply) =>
				++calls === 1 ? await refusal(422)(request, reply) : created(),
		});
		const result = await run(keyed('a'), { items: numbered(3), onError: 'continueRegularOutput' });
		const [first, second, third] = outcomes(result);
		expect(first).toEqual(expect.any(String));
		expect(second).not.toMatchObject({ skipped: true });
		expect(third).toMatchObject(SKIPPED('a'));
		expect(sent()).toBe(2);
	});

	it('a value that the node refuses', async () => {
		await run({ ...keyed('a'), conversationId: '={{ null }}' });
		expect(sent()).toBe(0);
		await run(keyed('a'));
		expect(sent()).toBe(1);
	});

	it('a tenant that is not there', async () => {
		const elsewhere = { ...tenant.credentials, tenantDomain: REFUSED_ADDRESS };
		const parameters = { ...keyed('a'), requestLimits: { maximumTries: 1 } };
		const messages = [];
		for (let time = 0; time < 2; time++)
			messages.push((await run(parameters, { credentials: elsewhere })).error?.message);
		expect(messages).toEqual([
			expect.stringMatching(/Nothing answers/),
			expect.stringMatching(/Nothing answers/),
		]);
	});

	it('a recipient without consent uses none', async () => {
		const consenting: INodeParameters = {
			...sendTemplate,
			options: { sendOnceKey: 'a', withoutConsent: 'skip' },
		};
		const [skipped] = outcomes(await run(consenting));
		expect(skipped).toMatchObject({ skipped: true });
		expect(skipped).not.toHaveProperty('send_once_key');
		expect(sent()).toBe(0);
		await run({ ...sendTemplate, options: { sendOnceKey: 'a' } });
		expect(sent()).toBe(1);
	});

	it('a dry run uses none, and is not skipped where the key was used', async () => {
		const dry: INodeParameters = { ...sendTemplate, options: { sendOnceKey: 'a', dryRun: true } };
		const [shown] = outcomes(await run(dry));
		expect(shown).toMatchObject({ preview: true });
		await run({ ...sendTemplate, options: { sendOnceKey: 'a' } });
		expect(sent()).toBe(1);
		expect(outcomes(await run(dry))).toEqual([expect.objectContaining({ preview: true })]);
		expect(sent()).toBe(1);
	});

	it('a loop that is stopped uses none', async () => {
		const inLoop = await run(keyed('a', { fromAutomation: true }), {
			sourceType: 'n8n-nodes-customer-messaging.customerMessagingTrigger',
		});
		expect(inLoop.error).toBeDefined();
		expect(sent()).toBe(0);
		await run(keyed('a'));
		expect(sent()).toBe(1);
	});
});

describe('A key stays used if the message may have been sent', () => {
	it.each<[string, object]>([
		['the connection breaks', reset],
		['an internal error', refusal(500)],
		[
			'an unreadable answer',
			(_request: FastifyRequest, reply: FastifyReply) => reply.type('text/html').send('<p>'),
		],
		[
			'a text for JSON',
			(_request: FastifyRequest, reply: FastifyReply) => reply.type('application/json').send('{"da'),
		],
	])('%s', async (_name, send) => {
		answerWith(tenant, { send });
		const first = await run(keyed('a'), { onError: 'continueRegularOutput' });
		answerWith(tenant);
		const [second] = outcomes(await run(keyed('a')));
		// A write that the service calls a success is one, even if its answer is unreadable.
		expect(outcomes(first)).toHaveLength(1);
		expect(second).toMatchObject(SKIPPED('a'));
		expect(sent()).toBe(1);
	});

	it('it is not delivered', async () => {
		answerWith(tenant, { send: created({ latest_error: { user_friendly_message: 'Session over' } }) });
		await run(keyed('a', { ifUndelivered: 'error' }));
		await run(keyed('a', { ifUndelivered: 'error' }));
		expect(sent()).toBe(1);
	});
});

describe('With Retry On Fail', () => {
	it('a refused message is sent again with the same key', async () => {
		let calls = 0;
		answerWith(tenant, {
			send: async (request: FastifyRequest, reply: FastifyReply) =>
				++calls === 1 ? await refusal(422)(request, reply) : created(),
		});
		const { items, error } = await run(keyed('a'), retrying());
		expect(error).toBeUndefined();
		expect(items[0].json).not.toHaveProperty('skipped');
		expect(calls).toBe(2);
	});

	it('the items of the first try come back as they were, not as skipped', async () => {
		let calls = 0;
		answerWith(tenant, {
			send: async (request: FastifyRequest, reply: FastifyReply) =>
				++calls === 2 ? await refusal(422)(request, reply) : created(),
		});
		const { items, error } = await run(keyed('=key-{{ $json.number }}'), {
			items: numbered(4),
			...retrying(),
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(4);
		expect(items.filter(({ json }) => json.skipped)).toEqual([]);
		expect(calls).toBe(5);
	});

	it('an unclear outcome is not tried again', async () => {
		answerWith(tenant, { send: refusal(500) });
		const { error } = await run(keyed('a'), retrying());
		expect(error?.message).toMatch(/unclear/);
		expect(sent()).toBe(1);
	});
});

describe('Where the store of n8n', () => {
	it.each(['check', 'count'])('fails in %s, the item fails and nothing is sent', async (failing) => {
		store.meanwhile = (call) => {
			if (call === failing) throw new Error('database is locked');
		};
		const result = await run(keyed('a'), { onError: 'continueRegularOutput' });
		if (sent() > 0) expect(store.calls[failing]).toBeUndefined();
		else expect(outcomes(result)).toEqual([expect.any(String)]);
	});

	it('fails while a key is taken back, the refusal is still what the item tells', async () => {
		store.meanwhile = (call) => {
			if (call === 'remove') throw new Error('database is locked');
		};
		answerWith(tenant, { send: refusal(422, 'No such conversation') });
		const result = await run(keyed('a'), { onError: 'continueRegularOutput' });
		expect(JSON.stringify(result.items)).toContain('No such conversation');
	});
});

it('600 items with 60 keys send 60 messages', async () => {
	const result = await run(keyed('=k{{ $json.number % 60 }}'), { items: numbered(600) });
	expect(result.error).toBeUndefined();
	expect(result.items).toHaveLength(600);
	expect(sent()).toBe(60);
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
		numbered(600).map((_, item) => ({ item })),
	);
	for (const { json } of result.items.filter(({ json }) => json.skipped))
		expect(json).toMatchObject(SKIPPED());
});

it('keys in runs at the same instant, some refused, send each once', async () => {
	const refused = new Set<string>();
	const got: string[] = [];
	answerWith(tenant, {
		send: async (request: FastifyRequest, reply: FastifyReply) => {
			const { content } = (request.body as { text: { content: string } }).text;
			await wait(5);
			if (!refused.has(content)) {
				refused.add(content);
				return await refusal(422)(request, reply);
			}
			got.push(content);
			return created();
		},
	});
	const parameters = { ...keyed('=k{{ $json.number % 10 }}'), text: '=t{{ $json.number % 10 }}' };
	await Promise.all(
		Array.from({ length: 4 }, async () =>
			run(parameters, { items: numbered(20), onError: 'continueRegularOutput' }),
		),
	);
	expect(got.sort()).toEqual(Array.from({ length: 10 }, (_, number) => `t${number}`));
});

it('an agent ID that is wrong does not use the key', async () => {
	await run({ ...sendTemplate, agentId: byId('={{ "x" }}'), options: { sendOnceKey: 'a' } });
	expect(sent()).toBe(0);
	await run({ ...sendTemplate, options: { sendOnceKey: 'a' } });
	expect(sent()).toBe(1);
});
