import { setTimeout as wait } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';

const tenant = OddTenant.inEachTest();

const byId = (value: number) => ({ __rl: true, mode: 'id', value });

/** Operations that read before they write, and lists of many pages. */
const OPERATIONS: Array<[resource: string, operation: string, parameters: INodeParameters]> = [
	['profile', 'addTags', { profileId: byId(1), tagIds: [1] }],
	['profile', 'addGroups', { profileId: byId(1), groupIds: [1] }],
	['customer', 'addUsers', { customerId: byId(1), userIds: [1] }],
	['customer', 'removeUsers', { customerId: byId(1), userIds: [2] }],
	['customer', 'getAll', { returnAll: true }],
];

describe.each([60, 130, 200])('Where the answer comes %d ms after the stop', (late) => {
	it.each(OPERATIONS)('%s: %s sends nothing more', async (resource, operation, parameters) => {
		let stoppedAt = Infinity;
		const after: string[] = [];
		let stop = () => {};
		tenant.answer(async (request) => {
			if (Date.now() > stoppedAt) after.push(`${request.method} ${request.url} +${Date.now() - stoppedAt}`);
			if (stoppedAt === Infinity) {
				stoppedAt = Date.now();
				stop();
			}
			await wait(late);
			return {
				data: [{ id: 2, title: 'x' }],
				links: { next: `/third-party/v1/customers?page=2&x=${Math.random()}` },
			};
		});
		await runNode({
			parameters: { ...parameters, resource, operation },
			credentials: tenant.credentials,
			onStart: (cancel) => (stop = cancel),
		});
		await wait(800);
		expect(after).toEqual([]);
	});
});
