import type { IDataObject } from 'n8n-workflow';

import { Deliveries, deliveryKey } from '../../../nodes/CustomerMessaging/trigger/deliveries.ts';
import { arrive, type Arrival, newMessage } from './arrival.mts';

const WINDOW = 60;
const MAX_IN_PROCESS = 10_000;

/** What n8n writes. */
const written = (staticData: IDataObject) =>
	JSON.parse(JSON.stringify(staticData)) as { deliveries?: string };

describe('the memory of a process', () => {
	let triggers = 0;
	const newTrigger = () => `memory ${++triggers}`;
	const open = (trigger: string, now: number, staticData: IDataObject = {}) =>
		new Deliveries(trigger, staticData, WINDOW, now);
	const keyOf = (id: number) => deliveryKey({ id });

	/** What is kept once that delivery was accepted and n8n writes. */
	function keptAfter(trigger: string, now: number, key: string, staticData: IDataObject = {}): string {
		const deliveries = open(trigger, now, staticData);
		deliveries.accept(key);
		deliveries.keep();
		return String(written(staticData).deliveries);
	}

	it('holds a delivery to the last second of the window', () => {
		const trigger = newTrigger();
		open(trigger, 1000).accept(keyOf(1));
		expect(open(trigger, 1000 + WINDOW).accept(keyOf(1))).toBe(false);
		expect(open(trigger, 1000 + WINDOW + 1).accept(keyOf(1))).toBe(true);
	});

	it('holds the last 10,000 deliveries', () => {
		const trigger = newTrigger();
		const deliveries = open(trigger, 1000);
		for (let index = 0; index < MAX_IN_PROCESS; index++) deliveries.accept(`delivery-${index}`);
		expect(open(trigger, 1000).accept('delivery-0')).toBe(false);
		deliveries.accept('one more');
		expect(open(trigger, 1000).accept('delivery-1')).toBe(false);
		expect(open(trigger, 1000).accept('delivery-0')).toBe(true);
	});

	it('keeps each delivery once', () => {
		expect(keptAfter(newTrigger(), 1000, keyOf(1))).toBe(`${keyOf(1)}${(1000).toString(36)}`);
	});

	it('does not keep what has run out of the window, also where it is read again', () => {
		const trigger = newTrigger();
		const text = keptAfter(trigger, 1000, keyOf(1));
		const late = 1000 + WINDOW + 1;
		open(trigger, late, { deliveries: text }).accept(keyOf(2));
		const after = keptAfter(trigger, late, keyOf(3), { deliveries: text });
		expect(after).toBe(`${keyOf(3)}${late.toString(36)}`);
	});

	it('takes over what another process has kept, as old as it was there', () => {
		const trigger = newTrigger();
		open(trigger, 1000).accept(keyOf(1));
		const deliveries = keptAfter(newTrigger(), 950, keyOf(2));
		expect(open(trigger, 1000, { deliveries }).accept(keyOf(2))).toBe(false);
		expect(open(trigger, 1015, { deliveries }).accept(keyOf(2))).toBe(true);
	});

	it('believes itself rather than another process about a delivery that both had', () => {
		const trigger = newTrigger();
		open(trigger, 1050).accept(keyOf(1));
		const deliveries = keptAfter(newTrigger(), 1000, keyOf(1));
		expect(open(trigger, 1070, { deliveries }).accept(keyOf(1))).toBe(false);
	});

	it.each([
		['nothing', ''],
		['a key without a time', 'ABCDEFGHIJ'],
		['words', 'not what was written'],
		['an empty part', ' '],
	])('is not harmed by %s in what was kept', (_, damage) => {
		const first = `${keyOf(1)}${(1000).toString(36)}`;
		const staticData = { deliveries: `${first} ${damage}` };
		const after = keptAfter(newTrigger(), 1000, keyOf(2), staticData);
		expect(after).toBe(`${first} ${keyOf(2)}${(1000).toString(36)}`);
	});

	it.each([7, {}, null, ['x']])('is not harmed by %j in place of what was kept', (deliveries) => {
		const after = keptAfter(newTrigger(), 1000, keyOf(1), { deliveries } as IDataObject);
		expect(after).toBe(`${keyOf(1)}${(1000).toString(36)}`);
	});

	it('knows a message without a status by its ID', () => {
		const without = deliveryKey({ id: 7 });
		expect(deliveryKey({ id: 7, status: '' })).toBe(without);
		expect(deliveryKey({ id: 7, status: 'created' })).not.toBe(without);
		expect(deliveryKey({ id: 8 })).not.toBe(without);
	});

	it('tells an ID with a status in it from an ID and a status', () => {
		expect(deliveryKey({ id: '7', status: 'created' })).not.toBe(deliveryKey({ id: '7,created' }));
	});
});

describe('the redelivery window', () => {
	const HOUR_MS = 3_600_000;
	const START = Date.UTC(2026, 0, 1);
	let now = START;

	beforeEach(() => {
		now = START;
		jest.spyOn(Date, 'now').mockImplementation(() => now);
	});
	afterEach(() => jest.restoreAllMocks());

	it.each([
		['a day, unless told otherwise', {}, 24],
		['the hours that the option says', { redeliveryHours: 2 }, 2],
	])('is %s', async (name, additionalOptions, hours) => {
		const arrival: Arrival = {
			payload: { message: newMessage() },
			workflowId: `window: ${name}`,
			parameters: { additionalOptions },
		};
		const startsAfter = async (milliseconds: number) => {
			now = START + milliseconds;
			return (await arrive(arrival)).items !== undefined;
		};
		expect(await startsAfter(0)).toBe(true);
		expect(await startsAfter(1)).toBe(false);
		expect(await startsAfter(hours * HOUR_MS)).toBe(false);
		expect(await startsAfter(hours * HOUR_MS + 1000)).toBe(true);
	});
});

describe('what n8n has to write', () => {
	const writes = async (arrival: Arrival) => {
		const staticData: IDataObject = {};
		await arrive({ ...arrival, staticData });
		return Object.keys(staticData);
	};

	it('a delivery that starts the workflow', async () => {
		expect(await writes({})).toEqual(['deliveries']);
	});

	it.each<[string, Arrival]>([
		['one that is filtered out', { parameters: { filters: { status: 'failed' } } }],
		['one of another kind', { payload: { event: 'customer-created', id: 1 } }],
		['one while a person listens for a test event', { mode: 'manual' }],
		[
			'one where redeliveries are wanted',
			{ parameters: { additionalOptions: { ignoreRedeliveries: false } } },
		],
		['one that a Respond to Webhook node answers', { parameters: { responseMode: 'responseNode' } }],
	])('not %s', async (_, arrival) => {
		expect(await writes(arrival)).toEqual([]);
	});

	it('not a redelivery', async () => {
		const arrival = { payload: { message: newMessage() }, workflowId: 'written once' };
		expect(await writes(arrival)).toEqual(['deliveries']);
		expect(await writes(arrival)).toEqual([]);
	});

	it.each([
		['onReceived', 1],
		['lastNode', 0],
	])('with Respond set to %s: %i delivery at once', async (responseMode, count) => {
		const staticData: IDataObject = {};
		await arrive({ parameters: { responseMode }, staticData });
		expect(written(staticData).deliveries?.split(' ').filter(Boolean)).toHaveLength(count);
	});

	it('in one delivery of several events, all that were new', async () => {
		const staticData: IDataObject = {};
		const [one, two] = [{ message: newMessage() }, { message: newMessage() }];
		await arrive({ payload: [one, two, one], staticData });
		expect(written(staticData).deliveries?.split(' ')).toHaveLength(2);
	});
});

describe('a delivery that n8n answered', () => {
	/** Whether the same delivery starts the workflow once more. */
	async function startsAgain(responseMode: string, status: number): Promise<boolean> {
		const arrival: Arrival = {
			payload: { message: newMessage() },
			workflowId: `${responseMode} ${status}`,
			parameters: { responseMode },
		};
		const { items, answer } = await arrive(arrival);
		expect(items).toHaveLength(1);
		answer(status);
		return (await arrive(arrival)).items !== undefined;
	}

	it.each([
		['onReceived', 500],
		['onReceived', 503],
		['lastNode', 500],
		['responseNode', 502],
	])('with Respond set to %s by %i may come again', async (responseMode, status) => {
		expect(await startsAgain(responseMode, status)).toBe(true);
	});

	it.each([
		['onReceived', 200],
		['lastNode', 200],
		['lastNode', 404],
		['responseNode', 200],
		['responseNode', 499],
	])('with Respond set to %s by %i has come', async (responseMode, status) => {
		expect(await startsAgain(responseMode, status)).toBe(false);
	});

	it('at the end of its execution is written with the next', async () => {
		const same = { workflowId: 'at the end', parameters: { responseMode: 'lastNode' } };
		(await arrive(same)).answer(200);
		const staticData: IDataObject = {};
		await arrive({ ...same, staticData });
		expect(written(staticData).deliveries?.split(' ')).toHaveLength(1);
	});
});
