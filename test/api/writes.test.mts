import type { INodeParameters } from 'n8n-workflow';

import { firstCases } from '../contract/firstCases.mts';
import { ANY_IDS } from '../contract/operationCases.mts';
import { runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId } from '../engine/tenant.mts';

const tenant = OddTenant.inEachTest();

const CREATE: INodeParameters = { resource: 'tag', operation: 'create', title: 'VIP' };
const UPDATE: INodeParameters = {
	...{ resource: 'user', operation: 'update', userId: byId(3) },
	updateFields: { name: 'B' },
};
const SEND: INodeParameters = {
	...{ resource: 'message', operation: 'send', conversationId: '4', messageType: 'text' },
	...{ text: 'hi', simple: false },
};
const DELETE: INodeParameters = { resource: 'tag', operation: 'delete', tagId: byId(3) };
const BULK_DELETE: INodeParameters = {
	...{ resource: 'customer', operation: 'bulkDelete', customerIds: [1, 2] },
	confirmedCount: 2,
};
const IMPORT: INodeParameters = {
	...{ resource: 'customer', operation: 'bulkImport' },
	columns: { mappingMode: 'defineBelow', value: { displayId: '491710000001', name: 'Nora' } },
};

async function answered(
	parameters: INodeParameters,
	body: Buffer | string,
	{ status = 200, type = 'application/json' } = {},
) {
	tenant.asked.splice(0);
	tenant.answer(async (_request, reply) => {
		reply.status(status).header('content-type', type);
		return await reply.send(body === '' ? undefined : Buffer.from(body as string));
	});
	return await runNode({
		credentials: tenant.credentials,
		parameters: { advanced: { maximumTries: 2 }, ...parameters },
	});
}

describe('a write', () => {
	const record = { id: 9, title: 'VIP', status: 'created' };

	it.each<[string, object, object]>([
		['wrapped', { data: record }, {}],
		['bare', record, {}],
		['201 and wrapped', { data: record }, { status: 201 }],
		['202 and bare', record, { status: 202 }],
		['text/html', record, { type: 'text/html; charset=UTF-8' }],
		['application/vnd.api+json', { data: record }, { type: 'application/vnd.api+json' }],
		['a wrapper with success', { success: true, data: record, message: 'Done' }, {}],
	])('gives the same item answered %s, also behind a byte order mark', async (_how, body, more) => {
		for (const parameters of [CREATE, SEND, UPDATE]) {
			for (const mark of ['', '\uFEFF']) {
				const { items } = await answered(parameters, mark + JSON.stringify(body), more);
				expect(items.map(({ json }) => json)).toEqual([record]);
			}
		}
	});

	it.each([
		...['', '{}', '[]', 'null', 'OK [1]', '{"data":null}'],
		...['{"id":1,"title":"X"', ' {"id":NaN}', '[{"id":1}x'],
	])('is done where the answer shows nothing of it, and an unclear message: %s', async (body) => {
		for (const parameters of [CREATE, UPDATE]) {
			const { items, error } = await answered(parameters, body);
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({ success: true });
			expect(tenant.asked).toHaveLength(1);
		}
		const { error } = await answered(SEND, body);
		expect(error).toMatchObject({ message: 'It is unclear whether the message was sent' });
		expect(tenant.asked).toHaveLength(1);
	});

	it('with a page in place of the answer is no success, and does not invite to a repeat', async () => {
		for (const parameters of [CREATE, SEND, UPDATE, DELETE, BULK_DELETE, IMPORT]) {
			const { items, error } = await answered(parameters, '\n<!doctype html><title>Log in</title>', {
				type: 'text/html',
			});
			expect(items).toEqual([]);
			expect(`${error?.message} ${error?.description}`).toMatch(/a page in place of JSON|unclear whether/);
			expect(`${error?.message} ${error?.description}`).toMatch(/may have been carried out|unclear whether/);
		}
	});

	it.each<[string, object]>([
		['a message without an ID', { data: { conversation_id: 7, status: 'created' } }],
		['a message whose ID is null', { id: null, status: 'created' }],
		['a list of messages', { data: [{ id: 7 }] }],
		['a message under another member', { message: { id: 7 } }],
	])('of a message is unclear where the answer is %s', async (_what, body) => {
		const { error } = await answered(SEND, JSON.stringify(body));
		expect(error).toMatchObject({
			message: 'It is unclear whether the message was sent',
			context: { outcome: 'unknown' },
		});
		expect(tenant.asked).toHaveLength(1);
	});

	it('of a message is unclear where the answer cannot be read, and its hint says why', async () => {
		const { error } = await answered(SEND, Buffer.from([0x89, 0x50, 0xff, 0xfe]), { type: 'image/png' });
		expect(error).toMatchObject({ message: 'It is unclear whether the message was sent' });
		expect(tenant.asked).toHaveLength(1);
	});

	it.each([
		{ success: false, message: 'No way' },
		{ success: false, message: 'No way', data: { id: 9 } },
	])('is no success where the body says failure: %j', async (body) => {
		for (const parameters of [CREATE, SEND, DELETE, BULK_DELETE]) {
			const { items, error } = await answered(parameters, JSON.stringify(body));
			expect(items).toEqual([]);
			expect(error).toBeDefined();
			expect(tenant.asked).toHaveLength(1);
		}
	});

	it.each([
		['303', 303, ''],
		['302', 302, ''],
	])('that may be done is not repeated, and said to be unclear: %s', async (_what, status, body) => {
		const { error } = await answered(SEND, body, { status });
		expect(error).toMatchObject({ message: 'It is unclear whether the message was sent' });
		expect(tenant.asked).toHaveLength(1);
	});
});

/** Operations that write; a preview only reads. */
const EACH_WRITE = firstCases(ANY_IDS).filter(
	({ endpoint, waits, operation }) =>
		endpoint && endpoint.method !== 'GET' && !waits && operation !== 'previewTemplate',
);

describe.each(EACH_WRITE)('$name', ({ resource, operation, parameters, items }) => {
	/** What the operation does where each of its writes is answered like this, and what it looks up has one record. */
	async function outcome(status: number, body: string) {
		const writes: string[] = [];
		tenant.answer(async ({ method, url }, reply) => {
			if (method === 'GET') return { data: [{ id: 3, title: 'VIP' }] };
			writes.push(url);
			return await reply.status(status).header('content-type', 'application/json').send(body);
		});
		const run = await runNode({
			credentials: tenant.credentials,
			parameters: { ...parameters, resource, operation, advanced: { maximumTries: 1 } },
			items,
		});
		return { ...run, writes };
	}
	const isMessage = resource === 'message';

	it('sends its write once, and is done where the response is empty', async () => {
		for (const [status, body] of [
			[204, ''],
			[200, 'null'],
			[200, '{}'],
			[201, '{"data":[]}'],
		] as const) {
			const { error, items: made, writes } = await outcome(status, body);
			expect(error?.message).toBe(isMessage ? 'It is unclear whether the message was sent' : undefined);
			expect([body, made.length]).toEqual([body, isMessage ? 0 : 1]);
			expect(writes).toHaveLength(1);
		}
	});

	it('fails with the words of the service that refuses it', async () => {
		for (const status of [200, 422]) {
			const {
				error,
				items: made,
				writes,
			} = await outcome(status, '{"success":false,"message":"No such thing"}');
			expect(`${error?.message} ${error?.description}`).toContain('No such thing');
			expect([made, writes.length]).toEqual([[], 1]);
		}
	});
});
