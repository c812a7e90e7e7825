import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { Api } from '../../nodes/CustomerMessaging/api/client.ts';
import { MAX_PER_REQUEST, sendBatches } from '../../nodes/CustomerMessaging/core/batches.ts';
import { nodeOf } from '../engine/otherNodes.mts';

/** The part of n8n that batches need. */
function contextOf(node: Partial<INode> = {}) {
	const part: Pick<IExecuteFunctions, 'getNode' | 'continueOnFail'> = {
		getNode: () => ({ ...nodeOf('Node', 'test.node'), ...node }),
		continueOnFail: () => node.onError !== undefined,
	};
	return new Api(part as IExecuteFunctions).context;
}

const rowsOf = (...items: number[]) => items.map((item) => ({ item, value: `row ${item}` }));
const failing = (failure: unknown) => async () => {
	throw failure;
};

/** Two whole requests. */
const many = rowsOf(...Array.from({ length: 2 * MAX_PER_REQUEST }, (_, index) => index + 1));

it('500 rows go out at once', () => {
	expect(MAX_PER_REQUEST).toBe(500);
});

describe.each<[string, unknown, string, string | undefined]>([
	['an error without more words', new Error('Broken'), 'Item 0: Broken', undefined],
	['words alone', 'Broken', 'Item 0: Broken', undefined],
	[
		'an error that says what to do',
		new UserError('Broken', { description: 'Mend it.' }),
		'Item 0: Broken\nMend it.',
		'Mend it.',
	],
])('a request that fails with %s', (_what, failure, description, remedy) => {
	it('is told with what is known of it', async () => {
		await expect(sendBatches(contextOf(), rowsOf(0), failing(failure))).rejects.toMatchObject({
			message: '1 of 1 records failed',
			description,
			context: { itemIndex: 0 },
		});
	});

	it('gives the same with Continue', async () => {
		const context = contextOf({ onError: 'continueRegularOutput' });
		expect(await sendBatches(context, rowsOf(3), failing(failure))).toEqual([
			{
				json: { error: 'Broken', ...(remedy !== undefined && { details: { description: remedy } }) },
				pairedItem: { item: 3 },
			},
		]);
	});
});

describe('the items that failed', () => {
	it.each([
		[[0], 'Item 0: '],
		[[0, 1], 'Items 0 to 1: '],
		[[4, 7, 8, 9], 'Items 4, 7 to 9: '],
		[[1, 2, 3, 5], 'Items 1 to 3, 5: '],
		[[1, 3, 5], 'Items 1, 3, 5: '],
		[[1, 2, 5, 6, 9], 'Items 1 to 2, 5 to 6, 9: '],
	])('%j are named %s', async (items, words) => {
		await expect(sendBatches(contextOf(), rowsOf(...items), failing(new Error('Broken')))).rejects.toThrow(
			expect.objectContaining({ description: `${words}Broken` }),
		);
	});

	it('are counted over all requests', async () => {
		await expect(sendBatches(contextOf(), many, failing(new Error('Broken')))).rejects.toMatchObject({
			message: '1000 of 1000 records failed',
			description: 'Items 1 to 500: Broken\nItems 501 to 1000: Broken',
			context: { itemIndex: 1 },
		});
	});
});

it('requests go out one after another, each with the values of its rows', async () => {
	const sent: string[][] = [];
	let open = 0;
	const results = await sendBatches(contextOf(), many, async (rows) => {
		expect(++open).toBe(1);
		await Promise.resolve();
		open--;
		sent.push(rows.map(({ value }) => value));
		return { count: rows.length };
	});
	expect(sent).toEqual([many.slice(0, 500), many.slice(500)].map((rows) => rows.map(({ value }) => value)));
	expect(results).toEqual(
		[many.slice(0, 500), many.slice(500)].map((rows) => ({
			json: { count: 500 },
			pairedItem: rows.map(({ item }) => ({ item })),
		})),
	);
});

describe('several requests under way at once', () => {
	/** Sends five whole requests, and answers the one that is asked for. */
	function sending(inFlight: number) {
		const log: string[] = [];
		const open = new Map<number, { resolve(): void; reject(error: Error): void }>();
		const rows = rowsOf(...Array.from({ length: 5 * MAX_PER_REQUEST }, (_, index) => index));
		const results = sendBatches(
			contextOf({ onError: 'continueRegularOutput' }),
			rows,
			async ([{ item }]) => {
				const place = item / MAX_PER_REQUEST;
				log.push(`${place} goes out`);
				await new Promise<void>((resolve, reject) => open.set(place, { resolve, reject }));
				return { place };
			},
			inFlight,
		);
		const answer = async (place: number, error?: Error) => {
			log.push(`${place} ${error ? 'fails' : 'is answered'}`);
			if (error) open.get(place)?.reject(error);
			else open.get(place)?.resolve();
			await new Promise(setImmediate);
		};
		return { log, answer, results };
	}

	it('are as many as may be, and come out in the order of their rows', async () => {
		const { log, answer, results } = sending(4);
		expect(log).toEqual([0, 1, 2, 3].map((place) => `${place} goes out`));
		await answer(1);
		expect(log.slice(4)).toEqual(['1 is answered', '4 goes out']);
		for (const place of [4, 0, 3, 2]) await answer(place);
		expect((await results).map(({ json }) => json)).toEqual([0, 1, 2, 3, 4].map((place) => ({ place })));
	});

	it('follow also a request that failed', async () => {
		const { log, answer, results } = sending(1);
		await answer(0, new Error('Broken'));
		expect(log).toEqual(['0 goes out', '0 fails', '1 goes out']);
		for (const place of [1, 2, 3, 4]) await answer(place);
		const failed = Array.from({ length: MAX_PER_REQUEST }, () => ({ error: 'Broken' }));
		expect((await results).map(({ json }) => json)).toEqual([
			...failed,
			...[1, 2, 3, 4].map((place) => ({ place })),
		]);
	});
});

it('without rows nothing is sent', async () => {
	expect(await sendBatches(contextOf(), [], failing(new Error('Broken')))).toEqual([]);
});
