import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { workbench } from '../../engine/engine.mts';
import { TRIGGER_NODE } from './arrival.mts';

/** What a person sees who presses Test in the trigger's credential. */
async function check(data: ICredentialDataDecryptedObject | undefined) {
	const { nodeType } = await workbench({ type: TRIGGER_NODE, parameters: {} });
	const test = nodeType.methods?.credentialTest?.checkWebhookSecret;
	return await test?.call(
		{} as never,
		{ id: '1', name: 'Webhook', type: 'customerMessagingWebhookApi', data } as never,
	);
}

const SIXTEEN = 'sixteen letters.';
const METHODS: Array<[string, ICredentialDataDecryptedObject, string, string, RegExp]> = [
	['basicAuth', { user: 'tenant', password: SIXTEEN }, 'user', 'password', /^The user name is empty/],
	['headerSecret', { headerName: 'X', secret: SIXTEEN }, 'headerName', 'secret', /^The header name is empty/],
	[
		'hmac',
		{ signatureHeaderName: 'X', secret: SIXTEEN },
		'signatureHeaderName',
		'secret',
		/^The header name is empty/,
	],
];

describe.each(METHODS)('with the method %s', (method, complete, nameField, secretField, emptyName) => {
	const data = { method, ...complete };

	it('a secret of exactly 16 characters is enough', async () => {
		expect(SIXTEEN).toHaveLength(16);
		expect(await check(data)).toMatchObject({ status: 'OK', message: expect.stringMatching(/^Complete/) });
	});

	it.each([SIXTEEN.slice(1), 'x', '', undefined])(
		'%j is too short, and the message says of what',
		async (secret) => {
			const result = await check({ ...data, [secretField]: secret } as never);
			expect(result?.status).toBe('Error');
			expect(result?.message).toMatch(new RegExp(`^The ${secretField} has fewer than 16 characters`));
		},
	);

	it.each(['', '   ', undefined])('%j is no name, and the message says which', async (name) => {
		const result = await check({ ...data, [nameField]: name } as never);
		expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(emptyName) });
	});

	it('what belongs to another method does not help', async () => {
		const others = Object.assign({}, ...METHODS.map(([, fields]) => fields)) as typeof data;
		const left = { ...others, method, [nameField]: '' };
		expect((await check(left))?.status).toBe('Error');
		expect((await check({ ...others, method, [secretField]: '' }))?.status).toBe('Error');
	});
});

it('an empty credential is not complete', async () => {
	expect((await check({}))?.status).toBe('Error');
	expect((await check(undefined))?.status).toBe('Error');
});

it('no message repeats the secret', async () => {
	for (const [method, complete, nameField] of METHODS) {
		const result = await check({ method, ...complete, [nameField]: '' });
		expect(JSON.stringify(result)).not.toContain(SIXTEEN);
	}
});
