import { PassThrough, Readable } from 'node:stream';

import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { describedFields } from '../../nodes/CustomerMessaging/editor/describedFields.ts';
import { withApi } from '../../nodes/CustomerMessaging/api/client.ts';
import { type RunOptions, TenantInMemory } from '../context/tenantInMemory.mts';
import { settled, VirtualTime } from '../context/virtualTime.mts';

const time = VirtualTime.inEachTest();
const tenant = TenantInMemory.inEachTest();

const PLACES = [{ endpoint: 'POST /tags' }] as const;

/** What the editor reads of a tenant's description. */
async function read(options?: RunOptions) {
	const { getCredentials, getNode, helpers } = tenant.run(options)();
	const editor = withApi({ getCredentials, getNode, helpers } as unknown as ILoadOptionsFunctions);
	return await time.until(describedFields(editor, 'POST /tags', PLACES));
}

/** The description that the test writes. */
function describing(): PassThrough {
	const body = new PassThrough();
	tenant.answer(() => ({ body }));
	return body;
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
		const body = describing();
		body.end(COLOUR);
		expect(await read()).toMatchObject([{ id: 'colour' }]);
		await expectAllGivenBack(body);
	});

	it('says that it cannot where it is not UTF-8', async () => {
		const latin = Buffer.from(COLOUR.replace('colour', 'größe'), 'latin1');
		tenant.answer(() => ({ body: Readable.from([latin]) }));
		expect(await read()).toBe(
			'its description cannot be read: The response of the service is not valid UTF-8',
		);
	});

	it('asks for it again where it breaks off', async () => {
		const broken = new PassThrough();
		broken.write('openapi: ');
		tenant.answerInTurn({ body: broken }, { body: Readable.from([Buffer.from(COLOUR)]) });
		const reading = read();
		await settled();
		broken.destroy();
		expect(await reading).toMatchObject([{ id: 'colour' }]);
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
		expect(await read()).toBe('its description cannot be read: No');
		await time.pass(9_000);
		await read();
		expect(requests()).toBe(1);
		await time.pass(1_001);
		await read();
		expect(requests()).toBe(2);
	});
});
