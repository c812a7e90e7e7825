import { PassThrough, Readable } from 'node:stream';

import type { IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';

import { describedFields } from '../../nodes/CustomerMessaging/tenantDescription/describedFields.ts';
import { withApi } from '../../nodes/CustomerMessaging/api/client.ts';
import { type RunOptions, TenantInMemory } from '../context/tenantInMemory.mts';
import { settled, VirtualTime } from '../context/virtualTime.mts';

const time = VirtualTime.inEachTest();
const tenant = TenantInMemory.inEachTest();

const PLACES = [{ endpoint: 'POST /tags' }] as const;

/** Turns of the event loop that the work for any description takes at most. */
const ALL_TURNS = 5000;

/** What the editor reads of a tenant's description. Some take more than a few turns before time may pass. */
async function read(options?: RunOptions, turns = 0) {
	const { getCredentials, getNode, helpers } = tenant.run(options)();
	const editor = withApi({ getCredentials, getNode, helpers } as unknown as ILoadOptionsFunctions);
	const reading = describedFields(editor, 'POST /tags', PLACES);
	await settled(turns);
	return await time.until(reading);
}

/** The description that the test writes. */
function describing(): { body: PassThrough; signal: () => IHttpRequestOptions['abortSignal'] } {
	const body = new PassThrough();
	body.on('error', () => {});
	let signal: IHttpRequestOptions['abortSignal'];
	tenant.answer((_asked, options) => {
		signal = options.abortSignal;
		return { body };
	});
	return { body, signal: () => signal };
}

/** Nothing of a reading is left. */
async function expectAllGivenBack(body: PassThrough): Promise<void> {
	await time.pass(1000);
	expect(body.destroyed).toBe(true);
	expect(time.pending).toBe(0);
}

const COLOUR = JSON.stringify({
	paths: {
		'/tags': {
			post: {
				requestBody: { content: { 'application/json': { schema: { properties: { colour: {} } } } } },
			},
		},
	},
});

describe('the reading of a description', () => {
	it('leaves nothing behind when it has come', async () => {
		const { body } = describing();
		body.end(COLOUR);
		expect(await read()).toMatchObject({ fields: [{ id: 'colour' }] });
		await expectAllGivenBack(body);
	});

	it('says that it cannot where it is not UTF-8', async () => {
		const latin = Buffer.from(COLOUR.replace('colour', 'größe'), 'latin1');
		tenant.answer(() => ({ body: Readable.from([latin]) }));
		expect(await read()).toEqual({
			problem: 'its description cannot be read: The answer of the service is not valid UTF-8',
		});
	});

	it('ends after ten seconds, and leaves nothing behind', async () => {
		const { body } = describing();
		body.write('openapi: ');
		const startedAt = time.now;
		expect(await read()).toEqual({ problem: 'its description did not come within 10 seconds' });
		expect(time.now - startedAt).toBe(10_000);
		await expectAllGivenBack(body);
	});

	it('asks for it again where it breaks off', async () => {
		const broken = new PassThrough();
		broken.write('openapi: ');
		tenant.answerInTurn({ body: broken }, { body: Readable.from([Buffer.from(COLOUR)]) });
		const reading = read();
		await settled();
		broken.destroy();
		expect(await reading).toMatchObject({ fields: [{ id: 'colour' }] });
	});

	it.each([
		[32 * 1024 * 1024, 'has a part of more than 32 kB that cannot be divided: all of it'],
		[32 * 1024 * 1024 + 1, 'cannot be read: The answer of the service is larger than 32 MB'],
	])('takes 32 MB, and no more: %i bytes', async (bytes, problem) => {
		const { body } = describing();
		body.end(Buffer.alloc(bytes, 'x'));
		expect(await read({}, ALL_TURNS)).toEqual({ problem: `its description ${problem}` });
		await expectAllGivenBack(body);
	});
});

describe('what was read', () => {
	const requests = () => tenant.requests.length;

	it('is kept for five minutes, for each tenant and user', async () => {
		const answer = () => {
			const body = new PassThrough();
			body.end(COLOUR);
			return { body };
		};
		tenant.answer(answer);
		await read();
		await read({ user: 'another' });
		await read({ tenantDomain: 'globex.example' });
		expect(requests()).toBe(3);
		await time.pass(5 * 60_000 - 2000);
		await read();
		expect(requests()).toBe(3);
		await time.pass(2001);
		await read();
		expect(requests()).toBe(4);
	});

	it('is kept for ten seconds where it failed', async () => {
		tenant.answerInTurn({ status: 403, body: { message: 'No' } });
		expect(await read()).toEqual({ problem: 'its description cannot be read: No' });
		await time.pass(9_000);
		await read();
		expect(requests()).toBe(1);
		await time.pass(1_001);
		await read();
		expect(requests()).toBe(2);
	});
});
