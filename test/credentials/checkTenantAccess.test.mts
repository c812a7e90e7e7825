import type { ICredentialTestFunctions, IDataObject } from 'n8n-workflow';

import { checkTenantAccess } from '../../nodes/CustomerMessaging/editor/checkTenantAccess.ts';
import { VirtualTime } from '../context/virtualTime.mts';

const time = VirtualTime.inEachTest();

it('the test of a credential asks n8n’s older client for the stream of the account, and follows no redirect', async () => {
	let asked: IDataObject = {};
	const helpers = {
		request: async (options: IDataObject) => {
			asked = options;
			return { statusCode: 200, headers: {}, body: { data: { id: 1, name: 'Jo' } } };
		},
	};
	const result = await checkTenantAccess.call(
		{ helpers } as unknown as ICredentialTestFunctions,
		{
			data: { tenantDomain: 'acme.example', accessToken: 'Bearer a-token' },
		} as never,
	);
	expect(result).toEqual({ status: 'OK', message: 'The service accepts the access token.' });
	expect(asked).toEqual({
		url: 'https://acme.example/third-party/v1/me',
		headers: { Authorization: 'Bearer a-token' },
		json: true,
		timeout: 30_000,
		useStream: true,
		resolveWithFullResponse: true,
		simple: false,
		followRedirect: false,
		followAllRedirects: false,
		sendCredentialsOnCrossOriginRedirect: false,
	});
});

it('a tenant that never answers is given up after one try, since a person waits', async () => {
	let times = 0;
	const helpers = {
		request: async ({ timeout }: { timeout: number }) => {
			times++;
			time.now += timeout;
			throw Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' });
		},
	};
	const testing = checkTenantAccess.call(
		{ helpers } as unknown as ICredentialTestFunctions,
		{
			data: { tenantDomain: 'acme.example', accessToken: 'a-token-2' },
		} as never,
	);
	expect(await time.until(testing)).toMatchObject({
		status: 'Error',
		message: expect.stringMatching(/^The service did not answer\. /),
	});
	expect(times).toBe(1);
});
