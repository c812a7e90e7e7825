import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { StoreFull, UsedKeys, Window } from '../../../nodes/CustomerMessaging/messaging/delivery/usedKeys.ts';
import type { NodeRun, NodeRunOptions } from '../../engine/engine.mts';
import { ProcessedData } from '../../engine/processedData.mts';
import { brokenOff, inOrder, refusal, ScriptedTenant, sentMessages } from '../guards/scriptedTenant.mts';

const store = ProcessedData.inEachTest();
const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /conversations/7/messages';

const message = {
	resource: 'message',
	operation: 'send',
	conversationId: '7',
	messageType: 'text',
	text: '={{ $json.text }}',
	options: { sendOnceKey: '={{ $json.text }}' },
};

const withHours = (sendOnceHours: number) => ({
	...message,
	options: { ...message.options, sendOnceHours },
});

const retrying: NodeRunOptions['settings'] = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

const items = (...texts: unknown[]): INodeExecutionData[] =>
	texts.map((text) => ({ json: { text } as IDataObject }));

const sentTexts = () => tenant.bodies(SEND).map(({ text }) => (text as { content: string }).content);

const hints = ({ run }: NodeRun) =>
	(run.data.resultData.runData.Node.at(-1)?.hints ?? []).map(({ message: told }) => told);

async function send(...texts: unknown[]): Promise<NodeRun> {
	return await tenant.run(message, { items: items(...texts), onError: 'continueRegularOutput' });
}

describe('a key', () => {
	it('is used once by 1,000 items of one run with 100 keys', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		const texts = Array.from({ length: 1000 }, (_, index) => `k${index % 100}`);
		const run = await tenant.run(
			{ ...message, requestLimits: { maximumTries: 1, maximumInFlight: 10 } },
			{ items: items(...texts) },
		);
		expect(run.error).toBeUndefined();
		expect(sentTexts().sort()).toEqual([...new Set(texts)].sort());
		expect(run.items).toHaveLength(1000);
		expect(run.items.filter(({ json }) => json.skipped)).toHaveLength(900);
		expect(run.items[100]).toEqual({
			json: {
				skipped: true,
				reason: 'The Send Once Key "k0" was used before (Send Once Hours: 24)',
				send_once_key: 'k0',
			},
			pairedItem: { item: 100 },
		});
		expect(hints(run)).toEqual([
			'900 of 1,000 items were skipped, because their Send Once Key was used before.',
		]);
	});

	it('is looked up for all items of a run in a few steps', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		const texts = Array.from({ length: 400 }, (_, index) => `k${index}`);
		await send(...texts);
		store.calls.check = 0;
		const run = await send(...texts);
		expect(run.items.every(({ json }) => json.skipped)).toBe(true);
		expect(store.calls.check).toBe(1);
	});

	it('is used once by executions at the same time', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		const runs = await Promise.all(Array.from({ length: 20 }, async () => await send('a', 'b')));
		expect(sentTexts().sort()).toEqual(['a', 'b']);
		expect(runs.flatMap((run) => run.items).filter(({ json }) => json.skipped)).toHaveLength(38);
	});

	it('is nowhere in the store, and neither is a number', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		const run = await send('order-7 491711234567', 491711234567);
		expect(run.items.map(({ json }) => json.id)).toEqual([1, 2]);
		expect(store.entries.every((entry) => /^[\w+/]{22}==$/.test(entry))).toBe(true);
		expect((await send('order-7 491711234567', 491711234567)).items.map(({ json }) => json.skipped)).toEqual([
			true,
			true,
		]);
	});

	it.each([
		['a field that the item lacks', '={{ $json.missing }}', 'Send Once Key is empty'],
		['null', '={{ null }}', 'Send Once Key is empty'],
		['spaces', '={{ "  " }}', 'Send Once Key is empty'],
		['nothing', '', 'Send Once Key is empty'],
		['an object', '={{ { "id": 1 } }}', 'Send Once Key "{"id":1}" is not text'],
		['a truth', '={{ true }}', 'Send Once Key "true" does not tell one message from another'],
		[
			'an object within a text',
			'={{ "order-" + {} }}',
			'Send Once Key "order-[object Object]" does not tell one message from another',
		],
		[
			'a missing field within a text',
			'={{ "order-" + $json.missing }}',
			'Send Once Key "order-undefined" does not tell one message from another',
		],
	])('is not %s', async (_what, sendOnceKey, problem) => {
		const { error } = await tenant.run({ ...message, options: { sendOnceKey } }, { items: items('a') });
		expect(error?.message).toBe(problem);
		expect(tenant.requests).toEqual([]);
	});

	it('belongs to a node of a workflow, to a tenant and to a length of the window', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		await send('a');
		for (const parameters of [message, withHours(12)])
			await tenant.run(parameters, { items: items('a'), settings: { id: 'other' } });
		expect(sentTexts()).toEqual(['a', 'a', 'a']);
	});
});

describe('a message that was not sent', () => {
	it('gives its key back when the service refuses it', async () => {
		tenant.answer({ [SEND]: inOrder(refusal(422), sentMessages()) });
		expect((await send('a')).items[0].json.error).toBe('Refused');
		expect((await send('a')).items[0].json.id).toBe(1);
		expect((await send('a')).items[0].json.skipped).toBe(true);
		expect(sentTexts()).toEqual(['a', 'a']);
	});

	it('gives its key back when nothing answers', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		const { error } = await tenant.run(message, {
			items: items('a'),
			credentials: { tenantDomain: 'http://127.0.0.1:1', accessToken: 'x' },
		});
		expect(error?.message).toBe('Nothing answers at the tenant domain');
		expect(store.calls.remove).toBe(1);
	});

	it('gives its key back when its file cannot be uploaded', async () => {
		const image = { ...message, messageType: 'image', mediaSource: 'binary', binaryPropertyName: 'data' };
		const { error } = await tenant.run(image, { items: items('a') });
		expect(error).toBeDefined();
		tenant.answer({ [SEND]: sentMessages() });
		expect((await send('a')).items[0].json.id).toBe(1);
	});

	it('gives its key to a later item of the same run', async () => {
		tenant.answer({ [SEND]: inOrder(refusal(422), sentMessages()) });
		const { items: given } = await send('a', 'a', 'a');
		expect(given.map(({ json }) => json.error ?? json.id ?? json.skipped)).toEqual(['Refused', 1, true]);
	});

	it('gives back the keys of the items behind it', async () => {
		tenant.answer({ [SEND]: inOrder(refusal(422), sentMessages()) });
		const texts = Array.from({ length: 300 }, (_, index) => `k${index}`);
		const { error } = await tenant.run(message, { items: items(...texts) });
		expect(error?.message).toBe('Refused');
		// Nothing is left but the marks about the list itself.
		expect(store.entries).toHaveLength(5);
		const { items: given } = await send(...texts);
		expect(given.map(({ json }) => json.id)).toEqual(texts.map((_, index) => index + 1));
	});

	it('tells when its key stays used', async () => {
		tenant.answer({ [SEND]: refusal(422) });
		store.meanwhile = (call) => {
			if (call === 'remove') throw new Error('The database is gone');
		};
		const { error } = await tenant.run(message, { items: items('a') });
		expect(error?.message).toBe('Refused');
		expect((error as { description?: string }).description).toContain(
			'n8n could not take the Send Once Key back, so it counts as used.',
		);
	});

	it('keeps its key when that is unclear', async () => {
		tenant.answer({ [SEND]: inOrder(brokenOff, sentMessages()) });
		expect((await send('a')).items[0].json.error).toBe('It is unclear whether the message was sent');
		expect((await send('a')).items[0].json.skipped).toBe(true);
		expect(sentTexts()).toEqual(['a']);
	});

	it('is sent by Retry On Fail, without what was sent or may have been', async () => {
		const sent = sentMessages();
		tenant.answer({ [SEND]: inOrder(sent, refusal(422), sent) });
		const { items: given, error } = await tenant.run(message, {
			items: items('a', 'b', 'c'),
			settings: retrying,
		});
		expect(error).toBeUndefined();
		expect(given.map(({ json }) => json.id)).toEqual([1, 2, 3]);
		expect(sentTexts()).toEqual(['a', 'b', 'b', 'c']);
	});

	it('stays unclear for Retry On Fail', async () => {
		tenant.answer({ [SEND]: brokenOff });
		const { error } = await tenant.run(message, { items: items('a'), settings: retrying });
		expect(error?.message).toBe('It is unclear whether the message was sent');
		expect(sentTexts()).toEqual(['a']);
	});
});

describe('a window', () => {
	it('is over after its hours and at most a quarter more', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		const hours = 0.0005;
		await tenant.run(withHours(hours), { items: items('a') });
		expect((await tenant.run(withHours(hours), { items: items('a') })).items[0].json.skipped).toBe(true);
		await new Promise((resolve) => setTimeout(resolve, hours * 1.25 * 3_600_000 + 50));
		expect((await tenant.run(withHours(hours), { items: items('a') })).items[0].json.id).toBe(2);
	});

	it('has no end with 0 hours', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		await tenant.run(withHours(0), { items: items('a') });
		const { items: given } = await tenant.run(withHours(0), { items: items('a') });
		expect(given[0].json.reason).toBe('The Send Once Key "a" was used before');
		expect(store.entries).toHaveLength(2);
	});

	it('is not negative', async () => {
		const { error } = await tenant.run(withHours(-1), { items: items('a') });
		expect(error?.message).toBe('Send Once Hours is less than 0');
		expect(tenant.requests).toEqual([]);
	});
});

describe('the store', () => {
	it('stops the message when it fails', async () => {
		store.meanwhile = (call) => {
			if (call === 'check') throw new Error('The database is gone');
		};
		const { error } = await tenant.run(message, { items: items('a') });
		expect(error?.message).toBe('The Send Once Key could not be recorded; nothing was sent');
		expect((error as { description?: string }).description).toContain('The database is gone');
		expect(tenant.requests).toEqual([]);
	});

	it('may be begun by another process at the same time', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		store.meanwhile = (call, number) => {
			if (call === 'check' && number === 1) store.lists.set('test n:node', '["of another process"]');
		};
		expect((await send('a')).items[0].json.id).toBe(1);
		expect((await send('a')).items[0].json.skipped).toBe(true);
		expect(sentTexts()).toEqual(['a']);
	});

	it('has the key after the message, whatever another process wrote meanwhile', async () => {
		const answer = sentMessages();
		tenant.answer({
			async [SEND](arrived, reply) {
				store.lists.set('test n:node', '["of another process"]');
				return await answer(arrived, reply);
			},
		});
		await send('a');
		expect((await send('a')).items[0].json.skipped).toBe(true);
	});

	it('is missing where n8n gives none, and then nothing is sent', async () => {
		const { error } = await tenant.run(message, { items: items('a'), byRoutingEngine: true });
		expect(error?.message).toBe('Send Once Key cannot be used here; nothing was sent');
		const call = await tenant.tool({ ...message, text: 'a', options: { sendOnceKey: 'a' } }, {});
		expect(JSON.stringify(await call({}).catch((failure: unknown) => String(failure)))).toContain(
			'Send Once Key cannot be used here',
		);
		expect(tenant.requests).toEqual([]);
	});
});

describe('over simulated time', () => {
	/** The store of one node, without hashes and without time. */
	function simulated() {
		let list: string[] = [];
		return {
			get size() {
				return list.length;
			},
			fill(count: number) {
				list = Array.from({ length: count }, (_, index) => `old ${index}`);
			},
			has: (entry: string) => list.includes(entry),
			async checkProcessedAndRecord(given: unknown[], _scope: string, options: { maxEntries?: number }) {
				const known = new Set(list);
				const added = given.map(String).filter((entry) => !known.has(entry));
				for (const entry of added) list.push(entry);
				if (options.maxEntries) list.splice(0, list.length - options.maxEntries);
				return { new: added, processed: given.map(String).filter((entry) => known.has(entry)) };
			},
			async removeProcessed(given: unknown[]) {
				const removed = new Set(given.map(String));
				list = list.filter((entry) => !removed.has(entry));
			},
			async getProcessedDataCount() {
				return list.length;
			},
		};
	}

	let now = 0;
	let node = 0;

	beforeEach(() => {
		now = 1_700_000_000_000;
		jest.spyOn(Date, 'now').mockImplementation(() => now);
	});

	afterEach(() => jest.restoreAllMocks());

	it('no key is used again before its hours are over, and each is after a quarter more', async () => {
		const keys = UsedKeys.of('simulated', String(++node));
		const data = simulated();
		const window = new Window(10);
		const ms = 10 * 3_600_000;
		const sentAt = new Map<string, number>();
		let random = 42;
		const next = () => (random = (random * 48_271) % 2_147_483_647) / 2_147_483_647;
		let sent = 0;
		let skipped = 0;
		for (let round = 0; round < 3000; round++) {
			now += Math.floor(next() * 2_000_000);
			const id = `k${Math.floor(next() * 8)}`;
			const claim = await keys.take(data, window, id);
			const age = now - (sentAt.get(id) ?? -Infinity);
			if (claim) {
				expect(age).toBeGreaterThanOrEqual(ms);
				now += Math.floor(next() * 1000);
				if (next() < 0.2) await claim.release();
				else {
					const kept = claim.keep();
					await keys.record(data, window, () => kept);
					sentAt.set(id, now);
					sent++;
				}
			} else {
				expect(age).toBeLessThanOrEqual(ms * 1.25);
				skipped++;
			}
		}
		expect(sent).toBeGreaterThan(200);
		expect(skipped).toBeGreaterThan(1000);
	});

	it('a full list loses what is older than the window, and takes nothing more where that is not half of it', async () => {
		const keys = UsedKeys.of('simulated', String(++node));
		const data = simulated();
		const window = new Window(10);
		data.fill(499_000);
		(await keys.take(data, window, 'a'))?.keep();
		data.fill(999_999);
		await data.checkProcessedAndRecord(window.entries('', now), 'node', {});
		// The list was half full in this window, so its older half may still count.
		await expect(keys.take(data, window, 'b')).rejects.toThrow(StoreFull);
		now += 12.6 * 3_600_000;
		const claim = await keys.take(data, window, 'b');
		claim?.keep();
		expect(claim).toBeDefined();
		expect(data.size).toBeLessThan(500_100);
		expect(data.has('old 999998')).toBe(true);
		expect(data.has('old 499000')).toBe(false);
		expect(await keys.take(data, window, 'b')).toBeUndefined();
		// It was half full a moment ago.
		for (let more = data.size; more < 999_998; more += 100_000)
			await data.checkProcessedAndRecord(
				Array.from({ length: Math.min(100_000, 999_998 - more) }, (_, index) => `new ${more + index}`),
				'node',
				{},
			);
		await expect(keys.take(data, window, 'c')).rejects.toThrow(StoreFull);
	});

	it('a full list without end takes nothing more', async () => {
		const keys = UsedKeys.of('simulated', String(++node));
		const data = simulated();
		data.fill(1_000_000);
		await expect(keys.take(data, new Window(0), 'a')).rejects.toThrow(StoreFull);
		expect(data.size).toBeLessThanOrEqual(1_000_001);
	});
});
