import type { IDataObject } from 'n8n-workflow';

import { Deliveries, deliveryKey } from '../../nodes/CustomerMessaging/trigger/deliveries.ts';
import { arrive, type Arrival, eventOf, newMessage, outcome } from './arrival.mts';

const WINDOW = 60;
const MAX_IN_PROCESS = 10_000;
const MAX_KEPT = 1_000;

let triggers = 0;
const newTrigger = () => `trigger ${++triggers}`;
const open = (trigger: string, staticData: IDataObject = {}, now = 1000) =>
	new Deliveries(trigger, staticData, WINDOW, now);
const keyOf = (id: number) => deliveryKey({ id });

/** What n8n writes. */
const written = (staticData: IDataObject) =>
	JSON.parse(JSON.stringify(staticData)) as { deliveries?: string };

/** What is kept once that delivery was accepted and n8n writes. */
function keptAfter(trigger: string, now: number, key: string, staticData: IDataObject = {}): string {
	const deliveries = open(trigger, staticData, now);
	deliveries.accept(key);
	deliveries.keep();
	return String(written(staticData).deliveries);
}

describe('the key of a delivery', () => {
	it('is that of each message with the same kind, ID and status', () => {
		const key = deliveryKey({ id: 7, status: 'created' }, 'a');
		expect(deliveryKey({ id: '7', status: 'created', text: 'a' }, 'a')).toBe(key);
		expect(deliveryKey({ id: 7 })).toBe(deliveryKey({ id: 7, status: null }));
		expect(deliveryKey({ id: 7 })).toBe(deliveryKey({ id: 7, status: '' }));
		for (const id of [7, undefined, ''])
			expect(deliveryKey({ id, text: 'a' })).toBe(deliveryKey({ id, text: 'a' }));
	});

	it('differs for all others', () => {
		const keys = [
			...['a', 'b', 'a:1'].map((kind) => deliveryKey({ id: '1', status: 'x' }, kind)),
			...['a', 'b'].map((kind) => deliveryKey({ text: 'a' }, kind)),
			...['', null].map((id) => deliveryKey({ id, text: 'b' }, 'a')),
			...['1:x', '1|x', '1\0x', '1/x', '1,x', '1 x', 'x'].map((id) => deliveryKey({ id, status: '' }, 'a')),
			...['', 'x ', 'X'].map((status) => deliveryKey({ id: '1', status }, 'a')),
			deliveryKey({ id: '["1","x"]', status: null }, 'a'),
			deliveryKey({ id: '1', status: 'x', latest_error: { id: 3 } }, 'a'),
			...['__proto__', 'constructor', 'toString'].map((id) => deliveryKey({ id })),
		];
		expect(new Set(keys).size).toBe(keys.length);
		for (const key of keys) expect(key).toHaveLength(10);
	});
});

describe('the memory of a process', () => {
	it('accepts each delivery once, for each trigger, to the last second of the window', () => {
		const [one, other] = [newTrigger(), newTrigger()];
		for (const trigger of [one, other]) {
			expect(open(trigger).accept(keyOf(1))).toBe(true);
			expect(open(trigger).accept(keyOf(1))).toBe(false);
			expect(open(trigger, {}, 1000 + WINDOW).accept(keyOf(1))).toBe(false);
		}
		for (const trigger of [one, other])
			expect(open(trigger, {}, 1000 + WINDOW + 1).accept(keyOf(1))).toBe(true);
	});

	it('holds the last 10,000 deliveries', () => {
		const trigger = newTrigger();
		const deliveries = open(trigger);
		for (let index = 0; index < MAX_IN_PROCESS; index++) deliveries.accept(`delivery-${index}`);
		expect(open(trigger).accept('delivery-0')).toBe(false);
		deliveries.accept('one more');
		expect(open(trigger).accept('delivery-1')).toBe(false);
		expect(open(trigger).accept('delivery-0')).toBe(true);
	});
});

describe('what n8n keeps', () => {
	it('is each delivery once, the newest thousand of them', () => {
		const key = keyOf(1);
		expect(keptAfter(newTrigger(), 1000, key)).toBe(`${key}${(1000).toString(36)}`);
		const data: IDataObject = {};
		const before = open(newTrigger(), data);
		for (let index = 0; index <= MAX_KEPT; index++) before.accept(keyOf(index));
		before.keep();
		expect(written(data).deliveries?.split(' ')).toHaveLength(MAX_KEPT);
		const after = open(newTrigger(), written(data));
		expect([MAX_KEPT, 1, 0].map((id) => after.accept(keyOf(id)))).toEqual([false, false, true]);
	});

	it('does not hold what has run out of the window, also where it is read again', () => {
		const trigger = newTrigger();
		const text = keptAfter(trigger, 1000, keyOf(1));
		const late = 1000 + WINDOW + 1;
		open(trigger, { deliveries: text }, late).accept(keyOf(2));
		const after = keptAfter(trigger, late, keyOf(3), { deliveries: text });
		expect(after).toBe(`${keyOf(3)}${late.toString(36)}`);
	});

	it('is taken over from another process, as old as it was there', () => {
		const trigger = newTrigger();
		open(trigger).accept(keyOf(1));
		const deliveries = keptAfter(newTrigger(), 950, keyOf(2));
		expect(open(trigger, { deliveries }).accept(keyOf(2))).toBe(false);
		expect(open(trigger, { deliveries }, 1015).accept(keyOf(2))).toBe(true);
	});

	it('counts less than what the process itself knows of a delivery that both had', () => {
		const trigger = newTrigger();
		open(trigger, {}, 1050).accept(keyOf(1));
		const deliveries = keptAfter(newTrigger(), 1000, keyOf(1));
		expect(open(trigger, { deliveries }, 1070).accept(keyOf(1))).toBe(false);
	});

	it.each(['', 'ABCDEFGHIJ', 'not what was written', ' '])('is not harmed by %j in it', (damage) => {
		const first = `${keyOf(1)}${(1000).toString(36)}`;
		const after = keptAfter(newTrigger(), 1000, keyOf(2), { deliveries: `${first} ${damage}` });
		expect(after).toBe(`${first} ${keyOf(2)}${(1000).toString(36)}`);
	});

	it.each([7, {}, null, ['x'], [[1, 2, 3]]])('is not harmed by %j in its place', (deliveries) => {
		const after = keptAfter(newTrigger(), 1000, keyOf(1), { deliveries } as IDataObject);
		expect(after).toBe(`${keyOf(1)}${(1000).toString(36)}`);
	});
});

describe('a delivery that n8n', () => {
	const begun = (trigger: string, id: number, options = {}) => {
		const data: IDataObject = {};
		const delivery = open(trigger, data);
		expect(delivery.accept(keyOf(id))).toBe(true);
		delivery.keep(options);
		return { delivery, write: () => written(data) };
	};

	it('could not start may come again', () => {
		const trigger = newTrigger();
		begun(trigger, 1).delivery.answered(500);
		const { delivery, write } = begun(trigger, 1);
		write();
		delivery.answered(500);
		expect(open(trigger).accept(keyOf(1))).toBe(false);
	});

	it('lost on the way to its database is kept with the next', () => {
		const trigger = newTrigger();
		begun(trigger, 1).delivery.answered(200);
		expect(open(newTrigger(), begun(trigger, 2).write()).accept(keyOf(1))).toBe(false);
	});

	it('answers at the end of an execution is kept once that has ended well', () => {
		const trigger = newTrigger();
		const { delivery, write } = begun(trigger, 1, { isAnsweredAtEnd: true });
		expect(open(newTrigger(), write()).accept(keyOf(1))).toBe(true);
		expect(open(trigger).accept(keyOf(1))).toBe(false);
		delivery.answered(200);
		const next = begun(trigger, 2, { isAnsweredAtEnd: true }).write();
		expect(open(newTrigger(), next).accept(keyOf(1))).toBe(false);
	});

	it.each([
		['onReceived', 500, 'started'],
		['onReceived', 503, 'started'],
		['lastNode', 500, 'started'],
		['responseNode', 502, 'started'],
		['onReceived', 200, 200],
		['lastNode', 200, 200],
		['lastNode', 404, 200],
		['responseNode', 200, 200],
		['responseNode', 499, 200],
	])(
		'with Respond set to %s answered by %i, does this when it comes again: %s',
		async (responseMode, status, next) => {
			const arrival: Arrival = {
				payload: eventOf(),
				workflowId: `${responseMode} ${status}`,
				parameters: { responseMode },
			};
			const { items, answer } = await arrive(arrival);
			expect(items).toHaveLength(1);
			answer(status);
			expect(await outcome(arrival)).toBe(next);
		},
	);
});

describe('a message that comes again', () => {
	const twice = async (first: Arrival, second: Arrival = {}) => {
		const same = { workflowId: newTrigger(), payload: eventOf() };
		return [await outcome({ ...same, ...first }), await outcome({ ...same, ...first, ...second })];
	};

	const passing: Arrival = { parameters: { additionalOptions: { passUnknown: true } } };

	it.each<[string, Arrival, Arrival?]>([
		['', {}],
		[', also of another kind', { ...passing, payload: { event: 'customer-updated', id: 1, at: 1 } }],
	])('is answered and starts nothing%s', async (_what, first, second = {}) => {
		expect(await twice(first, second)).toEqual(['started', 200]);
	});

	it.each<[string, Arrival, Arrival]>([
		['to a copy of the workflow', {}, { workflowId: 'a copy' }],
		['to another trigger of the workflow', {}, { nodeId: 'another' }],
		[
			'with another status',
			{ payload: eventOf({ id: 7, status: 'created' }) },
			{ payload: eventOf({ id: 7, status: 'failed' }) },
		],
		['while a person listens', { mode: 'manual' }, {}],
		['after a person listened', { mode: 'manual' }, { mode: 'webhook' }],
		[
			'where redeliveries are wanted',
			{ parameters: { additionalOptions: { ignoreRedeliveries: false } } },
			{},
		],
		[
			'about another change of the record that lies flat in an event of another kind',
			{ ...passing, payload: { event: 'customer-updated', id: 1, at: 1 } },
			{ payload: { event: 'customer-updated', id: 1, at: 2 } },
		],
		[
			'about another change of a record with a status in an event of another kind',
			{ ...passing, payload: { event: 'customer-updated', data: { id: 5, status: 'active', name: 'a' } } },
			{ payload: { event: 'customer-updated', data: { id: 5, status: 'active', name: 'b' } } },
		],
	])('%s, starts the workflow', async (_, first, second) => {
		expect(await twice(first, second)).toEqual(['started', 'started']);
	});

	it('is the same without its kind', async () => {
		const message = newMessage();
		const first = { payload: { event: 'new-agent-message', message } };
		expect(await twice(first, { payload: { message } })).toEqual(['started', 200]);
	});

	it.each([
		['nobodys-message-read', 'new-agent-message'],
		['nobodys-message-read', 'message-sent'],
		['message-deleted', 'new-agent-message'],
	])('is another as %s and as %s', async (one, other) => {
		const parameters = { additionalOptions: { passUnknown: true } };
		for (const about of [{ message: newMessage() }, { id: 5 }]) {
			const payloads = [one, other].map((event) => ({ payload: { event, ...about } }));
			expect(await twice({ parameters, ...payloads[0] }, payloads[1])).toEqual(['started', 'started']);
		}
	});

	it('several times in one delivery counts once', async () => {
		const one = eventOf();
		const { items } = await arrive({ payload: [...Array<typeof one>(999).fill(one), eventOf()] });
		expect(items).toHaveLength(2);
	});
});
