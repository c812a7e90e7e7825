import { pathOf, readRecord } from '../../nodes/CustomerMessaging/api/records.ts';
import { TenantInMemory } from '../context/tenantInMemory.mts';
import { told as toldOf } from '../context/told.mts';
import { VirtualTime } from '../context/virtualTime.mts';

VirtualTime.inEachTest();
const tenant = TenantInMemory.inEachTest();

const read = async (body: unknown) => {
	tenant.answerInTurn({ body });
	return await readRecord(tenant.run()().api, 'GET /support/media-size-limits', {});
};

it('a record is in data', async () => {
	expect(await read({ data: { regular_mb: { image: 5 } } })).toEqual({ regular_mb: { image: 5 } });
});

it.each<[unknown, string]>([
	[{ data: [7] }, 'a record'],
	[{ data: [] }, 'a record'],
	[{ data: null }, 'a record'],
	['openapi: 3.1.0', 'JSON'],
])('%j is no record', async (body, expected) => {
	expect(toldOf(await read(body).catch((error: unknown) => error)).message).toBe(
		`The service answered with something other than ${expected} (HTTP 200)`,
	);
});

it('a value in a path is one part of it, whatever it holds', () => {
	expect(pathOf('GET /files/{uuid}/x', { uuid: '../a?b#c' })).toBe('/files/..%2Fa%3Fb%23c/x');
});
