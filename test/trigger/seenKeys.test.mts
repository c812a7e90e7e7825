import type { IDataObject } from 'n8n-workflow';

import { SeenKeys } from '../../nodes/CustomerMessaging/trigger/seenKeys.ts';
import { arrive, type Arrival, eventOf, newMessage, outcome } from '../engine/arrival.mts';

const WINDOW = 24 * 60 * 60;
const MAX_IN_PROCESS = 10_000;
const MAX_KEPT = 1_000;

let triggers = 0;
const newTrigger = () => `trigger ${++triggers}`;
const open = (trigger: string, staticData: IDataObject = {}, now = 1000) => {
	jest.spyOn(Date, 'now').mockReturnValue(now * 1000);
	return new SeenKeys(trigger, staticData);
};

afterEach(() => jest.restoreAllMocks());

/** What n8n writes. */
const written = (staticData: IDataObject) =>
	JSON.parse(JSON.stringify(staticData)) as { deliveries?: string };

/** What is kept once that delivery was accepted and n8n writes. */
function keptAfter(trigger: string, now: number, id: number, staticData: IDataObject = {}): string {
	const seen = open(trigger, staticData, now);
	seen.accept([id]);
	seen.keep();
	return String(written(staticData).deliveries);
}

describe('the memory of a process', () => {
	it('accepts each key once, for each trigger, to the last second of the window', () => {
		const [one, other] = [newTrigger(), newTrigger()];
		for (const trigger of [one, other]) {
			expect(open(trigger).accept([1])).toBe(true);
			expect(open(trigger).accept([1])).toBe(false);
			expect(open(trigger, {}, 1000 + WINDOW).accept([1])).toBe(false);
		}
		for (const trigger of [one, other]) expect(open(trigger, {}, 1000 + WINDOW + 1).accept([1])).toBe(true);
	});

	it('holds the last 10,000 keys', () => {
		const trigger = newTrigger();
		const seen = open(trigger);
		for (let index = 0; index < MAX_IN_PROCESS; index++) seen.accept([index]);
		expect(open(trigger).accept([0])).toBe(false);
		seen.accept(['one more']);
		expect(open(trigger).accept([1])).toBe(false);
		expect(open(trigger).accept([0])).toBe(true);
	});
});

describe('what n8n keeps', () => {
	it('is each key once, the newest thousand of them', () => {
		const kept = keptAfter(newTrigger(), 1000, 1);
		expect(kept).toMatch(/^[\w-]{10}rs$/);
		const data: IDataObject = { deliveries: kept };
		const before = open(newTrigger(), data);
		for (let index = 0; index <= MAX_KEPT; index++) before.accept([index]);
		before.keep();
		expect(written(data).deliveries?.split(' ')).toHaveLength(MAX_KEPT);
		const after = open(newTrigger(), written(data));
		expect([MAX_KEPT, 0, 1].map((id) => after.accept([id]))).toEqual([false, false, true]);
	});

	it('does not hold what has run out of the window, also where it is read again', () => {
		const trigger = newTrigger();
		const text = keptAfter(trigger, 1000, 1);
		const late = 1000 + WINDOW + 1;
		open(trigger, { deliveries: text }, late).accept([2]);
		expect(keptAfter(trigger, late, 3, { deliveries: text })).toBe(keptAfter(newTrigger(), late, 3));
	});

	it('is taken over from another process, as old as it was there', () => {
		const trigger = newTrigger();
		open(trigger).accept([1]);
		const deliveries = keptAfter(newTrigger(), 950, 2);
		expect(open(trigger, { deliveries }).accept([2])).toBe(false);
		expect(open(trigger, { deliveries }, 955 + WINDOW).accept([2])).toBe(true);
	});

	it('counts less than what the process itself knows of a delivery that both had', () => {
		const trigger = newTrigger();
		open(trigger, {}, 1050).accept([1]);
		const deliveries = keptAfter(newTrigger(), 1000, 1);
		expect(open(trigger, { deliveries }, 1010 + WINDOW).accept([1])).toBe(false);
	});

	it.each(['', 'ABCDEFGHIJ', 'not what was written', ' ', 7, {}, null, ['x'], [[1]]])(
		'is not harmed by %j in it, or in its place',
		(damage) => {
			const [first, second] = [1, 2].map((id) => keptAfter(newTrigger(), 1000, id));
			const keptWith = (deliveries: unknown) =>
				keptAfter(newTrigger(), 1000, 2, { deliveries } as IDataObject);
			expect(keptWith(`${first} ${String(damage)}`)).toBe(`${first} ${second}`);
			expect(keptWith(damage)).toBe(second);
		},
	);
});

describe('a delivery that n8n', () => {
	const begun = (trigger: string, id: number, options = {}) => {
		const data: IDataObject = {};
		const seen = open(trigger, data);
		expect(seen.accept([id])).toBe(true);
		seen.keep(options);
		return { seen, write: () => written(data) };
	};

	it('could not start may come again, unless n8n has written it', () => {
		const trigger = newTrigger();
		begun(trigger, 1).seen.settle(500);
		const { seen, write } = begun(trigger, 1);
		write();
		seen.settle(500);
		expect(open(trigger).accept([1])).toBe(false);
	});

	it('lost on the way to its database is kept with the next', () => {
		const trigger = newTrigger();
		begun(trigger, 1).seen.settle(200);
		expect(open(newTrigger(), begun(trigger, 2).write()).accept([1])).toBe(false);
	});

	it('answers at the end of an execution is kept once that has ended well', () => {
		const trigger = newTrigger();
		const { seen, write } = begun(trigger, 1, { isAnsweredAtEnd: true });
		expect(open(newTrigger(), write()).accept([1])).toBe(true);
		expect(open(trigger).accept([1])).toBe(false);
		seen.settle(200);
		const next = begun(trigger, 2, { isAnsweredAtEnd: true }).write();
		expect(open(newTrigger(), next).accept([1])).toBe(false);
	});

	it.each(
		Object.entries({
			onReceived: [500, 503, 200],
			lastNode: [500, 200, 404],
			responseNode: [502, 200, 499],
		}).flatMap(([responseMode, statuses]) => statuses.map((status) => [responseMode, status] as const)),
	)(
		'with Respond set to %s answered by %i, starts again only after an error of n8n',
		async (responseMode, status) => {
			const workflowId = `${responseMode} ${status}`;
			const arrival = { payload: eventOf(), workflowId, parameters: { responseMode } };
			const { items, answer } = await arrive(arrival);
			expect(items).toHaveLength(1);
			answer(status);
			expect(await outcome(arrival)).toBe(status >= 500 ? 'started' : 200);
		},
	);
});

describe('a message that comes again', () => {
	const passing: Arrival = { parameters: { additionalOptions: { passUnknown: true } } };
	const twice = async (first: Arrival, second: Arrival = {}) => {
		const same = { workflowId: newTrigger(), payload: eventOf() };
		return [await outcome({ ...same, ...first }), await outcome({ ...same, ...first, ...second })];
	};
	const payloads = (...both: IDataObject[]): [Arrival, Arrival] =>
		both.map((payload) => ({ ...passing, payload })) as [Arrival, Arrival];
	const message = { id: 7, conversation_id: 3, status: 'created' };

	const created = { message };
	const failed = { message: { id: 7, status: 'failed' } };
	const updated = { event: 'customer-updated', data: { id: 5, status: 'active', name: 'a' } };
	const listening: Arrival = { mode: 'manual' };

	it.each<[string, Arrival, Arrival?]>([
		['as it is', {}],
		['without its kind', ...payloads({ event: 'new-agent-message', message }, created)],
		['in another place', ...payloads(created, { data: created })],
		['alone', ...payloads(created, { ...message, type: 'text' })],
		['with its ID as text', ...payloads(created, { message: { ...message, id: ' 7 ' } })],
		['with other members', ...payloads(created, { message: { ...message, text: 'x' }, at: 1 })],
		['without a status', ...payloads({ message: { id: 7, status: null } }, { message: { id: 7 } })],
		['failed', ...payloads({ message: { ...message, latest_error: { id: 3 } } }, failed)],
		['as another event', ...payloads(updated, { ...updated })],
	])('%s, is answered and starts nothing', async (_what, first, second = {}) => {
		expect(await twice(first, second)).toEqual(['started', 200]);
	});

	it.each<[string, Arrival, Arrival]>([
		['to a copy of the workflow', {}, { workflowId: 'a copy' }],
		['to another trigger of the workflow', {}, { nodeId: 'another' }],
		['with another status', ...payloads(created, { message: { ...message, status: 'sent' } })],
		['with an error', ...payloads(created, { message: { ...message, latest_error: { id: 3 } } })],
		['with another ID', ...payloads(created, { message: { ...message, id: '7:created' } })],
		['while a person listens', listening, {}],
		['after a person listened', listening, { mode: 'webhook' }],
		['where it is wanted', { parameters: { additionalOptions: { ignoreRedeliveries: false } } }, {}],
		['about another change', ...payloads(updated, { ...updated, data: { ...updated.data, name: 'b' } })],
		['about one that lies flat', ...payloads({ event: 'x', id: 1, at: 1 }, { event: 'x', id: 1, at: 2 })],
		['as another kind', ...payloads({ event: 'message-deleted', message }, created)],
	])('%s, starts the workflow', async (_, first, second) => {
		expect(await twice(first, second)).toEqual(['started', 'started']);
	});

	it('several times in one delivery counts once', async () => {
		const one = { message: newMessage() };
		const { items } = await arrive({ payload: [...Array<typeof one>(999).fill(one), eventOf()] });
		expect(items).toHaveLength(2);
	});
});
