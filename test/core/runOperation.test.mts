import type { IExecuteFunctions, IHttpRequestOptions, NodeExecutionHint } from 'n8n-workflow';

import type { Operations, Run } from '../../nodes/CustomerMessaging/core/operation.ts';
import { customOperations } from '../../nodes/CustomerMessaging/core/engines.ts';
import { type Reply, type RunOptions, TenantInMemory } from '../context/tenantInMemory.mts';
import { settled, VirtualTime } from '../context/virtualTime.mts';

const time = VirtualTime.inEachTest();
const tenant = TenantInMemory.inEachTest();

/** Sends a message for each item. */
const carryOut: Run = async ({ api, context }) => {
	const item = context.getItemIndex();
	const options: IHttpRequestOptions = { method: 'POST', url: `/conversations/${item}/messages` };
	if ((await api.send(options)).content === 'failed') api.note('were not delivered');
	return [{ json: { item } }];
};

const { message } = customOperations({
	message: {
		send: { run: { each: { endpoint: 'GET /me', fields: [], run: carryOut } } },
	} as unknown as Operations,
});

const sentTo = () => tenant.requests.map((line) => Number(line.split('/')[2]));
const itemOf = (line: string) => Number(line.split('/')[2]);
const REFUSED: Reply = { status: 422, body: { message: 'No such conversation' } };
const DONE: Reply = { body: { data: { id: 1 } } };

/** A run for so many items. */
const begin = (count: number, options: RunOptions = {}): IExecuteFunctions =>
	tenant.batch({ items: Array.from({ length: count }, () => ({ json: {} })), ...options });

const outputOf = async (context: IExecuteFunctions) => {
	const output = (await message.send.call(context)) as Array<Array<{ json: { item?: number } }>>;
	return output[0];
};

/** Answers that come when the test says so, by item. */
function held(): (item: number, reply?: Reply) => Promise<void> {
	const open = new Map<number, (reply: Reply) => void>();
	tenant.answer(async ({ request: line }) => {
		return await new Promise<Reply>((resolve) => open.set(itemOf(line), resolve));
	});
	return async (item, reply = DONE) => {
		open.get(item)?.(reply);
		open.delete(item);
		await settled();
	};
}

describe('the items of a run', () => {
	it('come out in the order of the input, whatever the order of the answers', async () => {
		const answer = held();
		const run = outputOf(begin(6));
		await settled();
		for (const item of [3, 0, 5, 1, 2, 4]) await answer(item);
		const output = await time.until(run);
		expect(output).toEqual(
			Array.from({ length: 6 }, (_, item) => ({ json: { item }, pairedItem: { item } })),
		);
	});

	it.each([1, 3])('are carried out at most so many at a time: %i', async (maximumInFlight) => {
		tenant.answer(async () => {
			await settled();
			return DONE;
		});
		await time.until(outputOf(begin(20, { advanced: { maximumInFlight } })));
		expect(tenant.most).toBe(maximumInFlight);
		expect(sentTo()).toEqual(Array.from({ length: 20 }, (_, item) => item));
	});
});

describe('after an item has failed without Continue', () => {
	it('no other begins, and the error is that of the first that failed', async () => {
		const answer = held();
		const run = outputOf(begin(100)).catch((error: unknown) => error);
		await settled();
		expect(sentTo()).toHaveLength(6);
		await answer(4, REFUSED);
		for (const item of [5, 0, 1, 2, 3]) await answer(item, item === 5 ? REFUSED : DONE);
		expect(await time.until(run)).toMatchObject({
			message: 'No such conversation',
			context: { itemIndex: 4 },
		});
		expect(sentTo()).toHaveLength(6);
		await time.pass(1_000);
		expect(time.pending).toBe(0);
	});

	it('what the tenant had refused is not sent again', async () => {
		const answer = held();
		const run = outputOf(begin(3)).catch((error: unknown) => error);
		await settled();
		for (const item of [1, 2]) await answer(item, { status: 429, headers: { 'retry-after': '1' } });
		await answer(0, REFUSED);
		expect(await time.until(run)).toMatchObject({ message: 'No such conversation' });
		expect(sentTo()).toEqual([0, 1, 2]);
	});

	it('Retry On Fail sends anew, and counts what went another way only once', async () => {
		const hints: NodeExecutionHint[] = [];
		const context = begin(2, { hints });
		tenant.answer(({ request: line }) => (itemOf(line) === 0 ? { body: 'failed' } : REFUSED));
		await expect(time.until(outputOf(context))).rejects.toThrow('No such conversation');
		tenant.asked.splice(0);
		tenant.answer(({ request: line }) => (itemOf(line) === 0 ? { body: 'failed' } : DONE));
		expect(await time.until(outputOf(context))).toHaveLength(2);
		expect(sentTo()).toEqual([0, 1]);
		expect(hints.map((hint) => hint.message)).toEqual(['1 of 2 items were not delivered.']);
	});
});

describe('with Continue', () => {
	it('all items are carried out, each with its own outcome', async () => {
		tenant.answer(({ request: line }) => (itemOf(line) % 2 === 1 ? REFUSED : DONE));
		const node = { onError: 'continueRegularOutput' } as const;
		const hints: NodeExecutionHint[] = [];
		const output = await time.until(outputOf(begin(4, { node, hints })));
		const refused = { error: 'No such conversation', details: { description: expect.any(String) } };
		expect(output.map(({ json }) => json)).toEqual([{ item: 0 }, refused, { item: 2 }, refused]);
		expect(hints.map((hint) => hint.message)).toEqual(['2 of 4 items failed.']);
	});

	it('a tenant that refuses everything ends the run within the time for one request', async () => {
		tenant.answerInTurn({ status: 429, headers: { 'retry-after': '1' } });
		const startedAt = time.now;
		const output = await time.until(
			outputOf(begin(1000, { node: { onError: 'continueRegularOutput' }, advanced: { tryForSeconds: 3 } })),
		);
		expect(output).toHaveLength(1000);
		const told = output.map(({ json }) => String((json as { error?: string }).error));
		expect(
			told.filter((text) => !/^(The service takes no requests for|Too many requests)/.test(text)),
		).toEqual([]);
		expect(time.now - startedAt).toBeLessThanOrEqual(3_000);
		// The first ones, and a few that find out whether it still refuses.
		expect(sentTo().length).toBeLessThan(40);
		tenant.answerInTurn(DONE);
		await time.pass(1_000);
		expect(await time.until(outputOf(begin(1)))).toHaveLength(1);
	});
});

describe('a stopped execution', () => {
	it.each<[string, RunOptions, Reply | undefined]>([
		['while it waits for an answer and for turns', { advanced: { maximumInFlight: 1 } }, undefined],
		['while it waits to try again', {}, { status: 429, headers: { 'retry-after': '30' } }],
	])('sends nothing more, and ends: %s', async (_when, options, reply) => {
		const stop = new AbortController();
		const answer = held();
		const run = outputOf(begin(20, { ...options, stop: stop.signal })).catch((error: unknown) => error);
		await settled();
		const before = sentTo();
		if (reply) for (const item of before) await answer(item, reply);
		await time.pass(100);
		stop.abort();
		// What is under way is ended by n8n, which knows the signal too.
		if (!reply) for (const item of before) await answer(item);
		await time.pass(500);
		await run;
		expect(sentTo()).toEqual(before);
		await time.pass(1_000);
		expect(time.pending).toBe(0);
	});
});

it('an unusable credential fails the items, and nothing is sent', async () => {
	const run = outputOf(begin(2, { advanced: { maximumTries: 0 } }));
	await expect(time.until(run)).rejects.toThrow(
		'In the credential, Advanced (Maximum Tries) 0 is less than 1',
	);
	expect(tenant.requests).toEqual([]);
});

it('nothing that all objects have is taken for an operation', () => {
	expect(message.constructor).toBeUndefined();
	expect(customOperations({}).toString).toBeUndefined();
});
