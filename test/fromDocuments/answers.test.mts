import type { INodeParameters } from 'n8n-workflow';

import { runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId } from '../engine/tenant.mts';

const tenant = OddTenant.inEachTest();

const WRITES: Record<string, { parameters: INodeParameters; record: object }> = {
	'Tag: Create': {
		parameters: { resource: 'tag', operation: 'create', title: 'VIP' },
		record: { id: 3, title: 'VIP' },
	},
	'Customer: Create': {
		parameters: {
			resource: 'customer',
			operation: 'create',
			channel: 'chatapp',
			displayId: '4915112345678',
			name: 'A',
		},
		record: { id: 3, name: 'A' },
	},
	'User: Update': {
		parameters: { resource: 'user', operation: 'update', userId: byId(3), updateFields: { name: 'B' } },
		record: { id: 3, name: 'B' },
	},
	'Message: Send': {
		parameters: {
			resource: 'message',
			operation: 'send',
			conversationId: '4',
			messageType: 'text',
			text: 'hi',
			simple: false,
		},
		record: { id: 9, status: 'created' },
	},
};

const DELETES: Record<string, INodeParameters> = {
	'Customer: Delete': { resource: 'customer', operation: 'delete', customerId: byId(3) },
	'Customer: Bulk Delete': {
		resource: 'customer',
		operation: 'bulkDelete',
		customerIds: [1, 2],
		confirmedCount: 2,
	},
	'Tag: Delete': { resource: 'tag', operation: 'delete', tagId: byId(3) },
};

async function answered(
	parameters: INodeParameters,
	body: string,
	{ status = 200, type = 'application/json' } = {},
) {
	tenant.answer(async (_request, reply) => {
		reply.status(status).header('content-type', type);
		return await reply.send(body === '' ? undefined : Buffer.from(body));
	});
	return await runNode({
		credentials: tenant.credentials,
		parameters: { requestLimits: { maximumTries: 2 }, ...parameters },
	});
}

describe.each(Object.entries(WRITES))('%s', (_, { parameters, record }) => {
	it.each([
		['wrapped', { data: record }, {}],
		['bare', record, {}],
		['201 and wrapped', { data: record }, { status: 201 }],
		['202 and bare', record, { status: 202 }],
		['text/html', record, { type: 'text/html; charset=UTF-8' }],
		['application/vnd.api+json', { data: record }, { type: 'application/vnd.api+json' }],
		['a wrapper with success', { success: true, data: record, message: 'Done' }, {}],
	])('gives the same item answered %s', async (_how, body, more) => {
		const { items } = await answered(parameters, JSON.stringify(body), more);
		expect(items.map(({ json }) => json)).toEqual([record]);
		const { items: withMark } = await answered(parameters, `\uFEFF${JSON.stringify(body)}`, more);
		expect(withMark.map(({ json }) => json)).toEqual([record]);
	});

	it.each(['', '{}', '[]', 'null', 'OK', '{"data":null}'])(
		'is done once when the answer is unreadable: %s',
		async (body) => {
			const { items, error } = await answered(parameters, body);
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({ success: true });
			expect(tenant.asked).toHaveLength(1);
		},
	);

	it('does not invite to a repeat after a page in place of the answer', async () => {
		const { error } = await answered(parameters, '<!doctype html><title>Hello</title>', {
			type: 'text/html',
		});
		expect(`${error?.message} ${error?.description}`).toMatch(/may have been carried out|unclear whether/);
	});
});

const FAILURES = [
	{ success: false, message: 'No way' },
	{ ok: false, error: 'no_way' },
	{ status: 'error', message: 'No way' },
	{ error: { message: 'No way' } },
	{ errors: [{ title: 'No way' }] },
	{ success: false, message: 'No way', request_id: 'r1' },
	{ success: false, message: 'No way', timestamp: '2030-01-01T00:00:00Z' },
	{ success: false, error: { message: 'No way' }, meta: {} },
	{ success: false, message: 'No way', error_code: 17 },
	{ data: { success: false, message: 'No way' } },
	{ timestamp: 1, status: 422, error: 'Unprocessable Entity', message: 'No way', path: '/x' },
];

describe.each([...Object.entries(DELETES), ['Tag: Create', WRITES['Tag: Create'].parameters] as const])(
	'%s is no success when the body says failure',
	(_, parameters) => {
		it.each(FAILURES)('%j', async (body) => {
			const { items, error } = await answered(parameters, JSON.stringify(body));
			expect(items).toEqual([]);
			expect(error).toBeDefined();
		});
	},
);
