import type { IHttpRequestOptions } from 'n8n-workflow';

import { pathOf, readRecord, orUndefinedIfForbidden } from '../../nodes/CustomerMessaging/api/records.ts';
import { broken, type Reply, TenantInMemory } from '../context/tenantInMemory.mts';
import { told } from '../context/told.mts';
import { VirtualTime } from '../context/virtualTime.mts';

const time = VirtualTime.inEachTest();
const tenant = TenantInMemory.inEachTest();
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(1));

const PAGE = '\n<!doctype html><title>Just a moment...</title>';
const TOLD = 'The service answered with a page in place of JSON';
const IN_ITS_PLACE = 'A proxy, a login page or a bot check may be answering in its place.';

const GET: IHttpRequestOptions = { url: '/profiles/7' };
const POST: IHttpRequestOptions = { method: 'POST', url: '/tags', body: { title: 'VIP' } };
const DELETE: IHttpRequestOptions = { method: 'DELETE', url: '/tags/1' };

interface Failure {
	message: string;
	description: string;
	httpCode?: string;
	context: { outcome?: string };
}

/** Why a request fails, in a run of its own. */
async function failure(options: IHttpRequestOptions, advanced = {}, user?: string): Promise<Failure> {
	const sending = tenant.run({ advanced, user })().api.send(options);
	return await time.until(
		sending.then(
			() => Promise.reject(new Error('It did not fail')),
			(caught: unknown) => told(caught) as Failure,
		),
	);
}

const page = (status: number, body = PAGE): Reply => ({
	status,
	body,
	headers: { 'retry-after': undefined },
});

describe('a page in place of JSON', () => {
	it.each([
		[400, 1, 1, IN_ITS_PLACE],
		[401, 1, 1, IN_ITS_PLACE],
		[403, 1, 1, IN_ITS_PLACE],
		[404, 1, 1, IN_ITS_PLACE],
		[409, 1, 1, IN_ITS_PLACE],
		[422, 1, 1, IN_ITS_PLACE],
		[429, 9, 9, 'under Advanced in the credential'],
		[500, 4, 1, 'Try again later.'],
		[502, 4, 1, 'Try again later.'],
		[503, 4, 1, 'Try again later.'],
	])(
		'with the status %i is told as one, and asked again as that status is',
		async (status, gets, posts, remedy) => {
			tenant.answerInTurn(page(status));
			const read = await failure(GET);
			expect(tenant.requests).toEqual(Array(gets).fill('GET /profiles/7'));
			tenant.asked.splice(0);
			const write = await failure(POST, {}, 'another');
			expect(tenant.asked.map(({ request: one, body }) => [one, body])).toEqual(
				Array(posts).fill(['POST /tags', { title: 'VIP' }]),
			);
			for (const { message, httpCode } of [read, write]) {
				expect(message).toBe(`${TOLD} (HTTP ${status})`);
				expect(httpCode).toBe(String(status));
			}
			expect(read.description).toContain(remedy);
			expect(write.context.outcome).toBe(status >= 500 ? 'unknown' : undefined);
		},
	);

	it.each([
		[302, 'The service answered with a redirect, which is not followed'],
		[407, 'The proxy refused its login'],
	])('with the status %i says what its status says', async (status, message) => {
		tenant.answerInTurn(page(status));
		expect((await failure(GET)).message).toBe(`${message} (HTTP ${status})`);
	});

	it('that says no hides no record: nobody knows whether it is there', async () => {
		const read = async () =>
			await orUndefinedIfForbidden(readRecord(tenant.run()().api, 'GET /profiles/{id}', { id: 7 }));
		const url = pathOf('GET /profiles/{id}', { id: 7 });
		for (const status of [403, 404]) {
			tenant.answerInTurn({ status, body: { message: 'No' } });
			expect(await time.until(read())).toBeUndefined();
			tenant.answerInTurn(page(status));
			const caught = await time.until(read().catch((error: Error) => error));
			expect(told(caught).message).toBe(`${TOLD} (HTTP ${status})`);
		}
		expect(tenant.requests).toEqual(Array(4).fill(`GET ${url}`));
	});

	it('does not tell that a delete is done whose first try met no answer', async () => {
		tenant.answerInTurn(broken('ECONNRESET'), page(404));
		const { message, context } = await failure(DELETE);
		expect(tenant.requests).toEqual(['DELETE /tags/1', 'DELETE /tags/1']);
		expect([message, context.outcome]).toEqual(['The service did not answer', 'unknown']);
	});
});

describe('with a proxy in the credential', () => {
	const advanced = { proxy: 'http://proxy.example:3128' };

	it.each([PAGE, '', 'Proxy credentials required.'])('407 names the proxy: %j', async (body) => {
		tenant.answerInTurn(page(407, body));
		const { message, description } = await failure(GET, advanced);
		expect(`${message}\n${description}`).toContain('The proxy refused its login (HTTP 407)');
		expect(description).toContain('in Proxy, under Advanced in the credential.');
	});

	it.each([401, 404, 422])('the status %i is not its own', async (status) => {
		tenant.answerInTurn({ status, body: { message: 'No' } });
		expect((await failure(GET, advanced)).description).not.toContain('proxy');
	});
});
