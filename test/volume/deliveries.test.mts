import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { meetAll, names, sizes, textOf, type TextRecipe, texts } from '../generated/hostile/recipes.mts';
import { arrive } from '../engine/arrival.mts';

const AMOUNT = 10_000;

/** The trigger takes bodies of this size, in bytes, unless told otherwise. */
const MAX_SIZE = 1024 * 1024;

const SMALLEST_EVENT = '{},';

/** Makes a body of about so many bytes. */
const BODIES: { [kind: string]: (size: number, text: string, name: string) => string } = {
	'deep lists': (size) => `{"id":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`,
	'deep objects': (size) => '{"message":'.repeat(size / 11),
	'empty events': (size) =>
		`[${Array(Math.ceil(size / 3))
			.fill('{}')
			.join()}]`,
	events: (size) =>
		`[${Array.from({ length: Math.ceil(size / 70) }, (_, index) => `{"event":"new-agent-message","message":{"id":${index},"status":"x"}}`).join()}]`,
	members: (size) => `{"id":1,"status":"x",${numbered(size / 10)}}`,
	'members of a message': (size) =>
		`{"event":"new-agent-message","data":{"id":1,"status":"x",${numbered(size / 10)}}}`,
	numbers: (size) => `{"id":1,"contents":[${'1,'.repeat(size / 2)}1]}`,
	'long IDs': (size, text) =>
		JSON.stringify({ id: text.repeat(size / text.length), status: text, contents: [] }),
	'long numbers': (size) => `{"id":${'9'.repeat(size)},"status":"x"}`,
	kinds: (size, text) =>
		JSON.stringify({ event: text.repeat(size / text.length), type: text, message: { id: 1, status: 1 } }),
	names: (_size, text, name) =>
		`{${JSON.stringify(name)}:{"id":1},"message":{"id":${JSON.stringify(text)},${JSON.stringify(name)}:{"polluted":true},"status":"x"}}`,
	escapes: (size) => `{"id":"${'\\u0041'.repeat(size / 6)}","status":"x"}`,
	'quotes that stay open': (size) => `{"id":"${'\\"'.repeat(size / 2)}`,
	text: (_size, text) => text,
};

const numbered = (count: number) =>
	Array.from({ length: Math.ceil(count) }, (_, index) => `"k${index}":${index}`).join();

interface DeliveryRecipe {
	kind: string;
	size: number;
	text: TextRecipe;
	name: string;
	output: 'message' | 'raw';
	filters: INodeParameters;
	ignoreRedeliveries: boolean;
}

const deliveries: fc.Arbitrary<DeliveryRecipe> = fc.record({
	kind: fc.constantFrom(...Object.keys(BODIES)),
	size: fc.oneof(
		{ weight: 99, arbitrary: sizes(100_000) },
		{ weight: 1, arbitrary: fc.constant(MAX_SIZE - 100) },
	),
	text: texts(5000),
	name: names,
	output: fc.constantFrom('message', 'raw'),
	filters: fc.constantFrom<INodeParameters[]>(
		{},
		{ status: 'x' },
		{ conversation: Array.from({ length: 2000 }, (_, index) => index).join() },
	),
	ignoreRedeliveries: fc.boolean(),
});

it(`${AMOUNT} deliveries made to wear the trigger out are refused, or start a workflow with no more items than their body holds`, async () => {
	// The first delivery loads n8n.
	await arrive();
	const statuses = new Map<number, number>();
	const staticData = {};
	await meetAll(
		deliveries,
		AMOUNT,
		async ({ kind, size, text, name, output, filters, ignoreRedeliveries }) => {
			const body = Buffer.from(BODIES[kind](size, textOf(text), name)).subarray(0, MAX_SIZE);
			const { status, items, answer } = await arrive({
				body,
				// All are deliveries to one trigger.
				workflowId: 'worn',
				staticData,
				parameters: { output, filters, additionalOptions: { passUnknown: true, ignoreRedeliveries } },
			});
			answer(200);
			expect([undefined, 200, 400, 413, 415]).toContain(status);
			expect((items?.length ?? 0) * SMALLEST_EVENT.length).toBeLessThanOrEqual(body.length + 1);
			statuses.set(status ?? 0, (statuses.get(status ?? 0) ?? 0) + 1);
		},
	);
	expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	// Otherwise the cases would show nothing.
	expect(statuses.get(0)).toBeGreaterThan(AMOUNT / 10);
	expect(statuses.get(400)).toBeGreaterThan(AMOUNT / 10);
});
