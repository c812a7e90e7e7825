import { execFileSync } from 'node:child_process';
import path from 'node:path';

import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { Deliveries, deliveryKey } from '../../../nodes/CustomerMessaging/trigger/deliveries.ts';
import { SeenDeliveries } from '../../../nodes/CustomerMessaging/trigger/seenDeliveries.ts';
import { workbench } from '../../engine/engine.mts';
import { leaksIn, LogWatch } from '../../engine/leaks.mts';
import { arrive, type Arrival, newMessage, TRIGGER_NODE } from './arrival.mts';

const log = LogWatch.inEachTest();

const SECRET = 'sixteen-or-more-characters';
const credential = { method: 'headerSecret', headerName: 'X-Secret', secret: SECRET };
const headers = { 'x-secret': SECRET };

/** The errors in n8n's log. */
const lines = () =>
	log.lines.filter(([level]) => level === 'error').map((words) => words.map(String).join(' '));

const unreadable = Object.defineProperty({}, 'deliveries', {
	get() {
		throw new Error('No memory');
	},
});

describe('a failure that the sender has not caused', () => {
	it.each<[string, Arrival]>([
		['a credential that cannot be read', { credential: new Error('No key'), headers }],
		['a memory that cannot be read', { staticData: unreadable }],
	])('is %s: the sender is asked to repeat it, and n8n logs why', async (_, arrival) => {
		expect(await arrive(arrival)).toMatchObject({ status: 500, items: undefined });
		expect(lines()).toEqual([expect.stringMatching(/could not take a delivery.*No (key|memory)/)]);
		expect(leaksIn(log.lines, SECRET)).toEqual([]);
	});

	it('makes nobody lose the delivery: it starts the workflow when it comes again', async () => {
		const payload = { message: newMessage() };
		const same = {
			payload,
			workflowId: 'repeated',
			parameters: { additionalOptions: { includeHeaders: true } },
		};
		const reading = { ...same, credentialId: 'repeated', headers };
		expect((await arrive({ ...reading, credential: new Error('No key') })).status).toBe(500);
		expect((await arrive({ ...reading, credential })).items).toHaveLength(1);
		expect((await arrive({ ...reading, credential })).items).toBeUndefined();
	});

	it('is not a credential that nobody has chosen: that is refused, as the trigger itself tells in the editor', async () => {
		const arrived = await arrive({ credential, headers, isCredentialChosen: false });
		expect(arrived).toMatchObject({ status: 403, credentialReads: 0 });
		expect(lines()).toEqual([]);
	});

	it('is not a delivery that cannot be read', async () => {
		for (const body of [Buffer.from('{'), Buffer.from('"text"'), new Error('aborted')]) {
			expect((await arrive({ body })).status).toBe(400);
		}
		expect(lines()).toEqual([]);
	});
});

describe('the kind of an event', () => {
	const startsAfter = async (first: IDataObject, second: IDataObject) => {
		const workflowId = `kinds ${JSON.stringify([first, second])}`;
		const message = newMessage();
		const parameters = { additionalOptions: { passUnknown: true } };
		await arrive({ workflowId, parameters, payload: { ...first, message } });
		return (await arrive({ workflowId, parameters, payload: { ...second, message } })).items !== undefined;
	};

	it('makes another event of the same message', async () => {
		expect(await startsAfter({ event: 'message-read' }, { event: 'new-agent-message' })).toBe(true);
		expect(await startsAfter({ event: 'message-read' }, { event: 'message-sent' })).toBe(true);
	});

	it('is the same in each spelling of a new agent message, and where it is not told', async () => {
		expect(await startsAfter({ event: 'new-agent-message' }, { event: 'New_Agent.Message' })).toBe(false);
		expect(await startsAfter({ event: 'new-agent-message' }, {})).toBe(false);
	});

	it('is part of the key of a message with an ID and of one without', () => {
		for (const message of [{ id: 7 }, { text: 'a' }, { id: '' }])
			expect(deliveryKey(message, 'a')).not.toBe(deliveryKey(message, 'b'));
	});
});

describe('a flood of events', () => {
	const FLOOD = 10_001;
	const PER_DELIVERY = 1000;
	const messageOf = (id: number, conversation_id: unknown) => ({
		id: `flood ${id}`,
		conversation_id,
		status: 'created',
	});

	/** Whether a message that came before the flood starts the workflow once more after it. */
	async function startsAgainAfter(workflowId: string, conversation: unknown): Promise<boolean> {
		const before = { workflowId, payload: { message: newMessage() } };
		await arrive(before);
		for (let begun = 0; begun < FLOOD; begun += PER_DELIVERY) {
			const payload = Array.from({ length: PER_DELIVERY }, (_, id) => ({
				message: messageOf(begun + id, conversation),
			}));
			expect((await arrive({ workflowId, payload })).items).toHaveLength(PER_DELIVERY);
		}
		return (await arrive(before)).items !== undefined;
	}

	it.each<[string, unknown]>([
		['of one conversation', 'of the flood'],
		['without a conversation', undefined],
	])('%s leaves those of others remembered', async (name, conversation) => {
		expect(await startsAgainAfter(`flood ${name}`, conversation)).toBe(false);
	});

	it('of one conversation leaves those of others in what survives a restart', () => {
		const data: IDataObject = {};
		const deliveries = new Deliveries('flooded', data, 60, 1000);
		deliveries.accept(deliveryKey({ id: 1 }), 'another');
		for (let id = 0; id < FLOOD; id++) deliveries.accept(deliveryKey({ id: `flood ${id}` }), 'flooded');
		deliveries.keep();
		const written = JSON.parse(JSON.stringify(data)) as IDataObject;
		expect(new Deliveries('after', written, 60, 1000).accept(deliveryKey({ id: 1 }))).toBe(false);
	});

	it('may take what nobody else needs', () => {
		const seen = new SeenDeliveries(100);
		for (let id = 0; id < 150; id++) seen.add(`key ${id}`, { second: 1, conversation: 'one' });
		expect([...seen.entries()].map(([key]) => key)).toEqual(
			Array.from({ length: 100 }, (_, index) => `key ${index + 50}`),
		);
	});

	it('gives way to other conversations, the oldest first', () => {
		const seen = new SeenDeliveries(100);
		for (let id = 0; id < 100; id++) seen.add(`flood ${id}`, { second: 1, conversation: 'flood' });
		for (let id = 0; id < 50; id++) seen.add(`other ${id}`, { second: 1, conversation: `other ${id}` });
		for (let id = 100; id < 200; id++) seen.add(`flood ${id}`, { second: 1, conversation: 'flood' });
		const kept = [...seen.entries()].map(([key]) => key);
		expect(kept).toHaveLength(100);
		expect(kept.filter((key) => key.startsWith('other'))).toHaveLength(50);
	});
});

describe('a signature without a timestamp', () => {
	const check = async (data: ICredentialDataDecryptedObject) => {
		const { nodeType } = await workbench({ type: TRIGGER_NODE, parameters: {} });
		return await nodeType.methods?.credentialTest?.checkWebhookSecret.call(
			{} as never,
			{ id: '1', name: 'Webhook', type: 'customerMessagingWebhookApi', data } as never,
		);
	};
	const hmac = { method: 'hmac', signatureHeaderName: 'X-Signature', secret: SECRET };

	it('is told to be replayable', async () => {
		expect((await check(hmac))?.message).toContain('can send it again');
		expect((await check({ ...hmac, timestampHeaderName: 'X-Timestamp' }))?.message).not.toContain('again');
		expect((await check({ method: 'headerSecret', headerName: 'X', secret: SECRET }))?.message).not.toContain(
			'again',
		);
	});
});

it.each<[string, ICredentialDataDecryptedObject, string]>([
	['header secret', credential, 'secret'],
	['login', { method: 'basicAuth', user: 'tenant', password: SECRET }, 'password'],
	['signature', { method: 'hmac', signatureHeaderName: 'X', secret: SECRET, algorithm: 'sha256' }, 'secret'],
])('the %s is not in the memory of the process after the delivery', (_, data, member) => {
	// A process of its own: the memory of this one holds the text of this test.
	const program = `
		const { heapSnapshot } = { heapSnapshot: require('node:v8').getHeapSnapshot };
		const { CustomerMessagingTrigger } = require(process.argv[1]);
		const secretOf = () => ['kept', 'nowhere', 'in', 'memory'].map((word) => word + process.pid).join('-');
		const context = {
			getNode: () => ({ id: 'a', name: 'Trigger', credentials: { customerMessagingWebhookApi: { id: '1' } } }),
			getWorkflow: () => ({ id: 'w' }),
			getNodeParameter: (name, fallback) => fallback,
			getCredentials: async () => ({ ...JSON.parse(process.argv[2]), [process.argv[3]]: secretOf() }),
			getHeaderData: () => ({}),
			getMode: () => 'webhook',
			getRequestObject: () => ({ headers: {} }),
			getResponseObject: () => ({ status: (code) => ({ end: () => { context.status = code; } }) }),
			logger: { error: console.error },
		};
		(async () => {
			await new CustomerMessagingTrigger().webhook.call(context);
			if (context.status !== 401) throw new Error('Answered ' + context.status);
			let found = '', tail = '';
			for await (const chunk of heapSnapshot()) {
				const text = tail + chunk;
				for (const [hit] of text.matchAll(/kept\\d+-nowhere\\d+-in\\d+-memory\\d+/g)) found = hit;
				tail = text.slice(-200);
			}
			console.log(found === '' ? 'nowhere' : 'found');
		})();`;
	const compiled = path.resolve(
		import.meta.dirname,
		'../../../dist/nodes/CustomerMessaging/CustomerMessagingTrigger.node.js',
	);
	const said = execFileSync(
		process.execPath,
		['-e', program, compiled, JSON.stringify({ ...data, [member]: '' }), member],
		{
			encoding: 'utf8',
			env: { ...process.env, NODE_PATH: path.resolve(import.meta.dirname, '../../n8n/node_modules') },
		},
	);
	expect(said.trim()).toBe('nowhere');
});
