import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { checkWebhookSecret } from '../../nodes/CustomerMessaging/trigger/checkWebhookSecret.ts';

/** What a person sees who presses Test in the trigger's credential. */
const check = async (data: ICredentialDataDecryptedObject | undefined) =>
	await checkWebhookSecret.call(
		{} as never,
		{ id: '1', name: 'Webhook', type: 'customerMessagingWebhookApi', data } as never,
	);

const SIXTEEN = 'sixteen letters.';
const METHODS: Array<[string, ICredentialDataDecryptedObject, string, string, string]> = [
	['basicAuth', { user: 'tenant', password: SIXTEEN }, 'user', 'password', 'The user name is empty'],
	['headerSecret', { headerName: 'X', secret: SIXTEEN }, 'headerName', 'secret', 'The header name is empty'],
	[
		...['hmac', { signatureHeaderName: 'X', secret: SIXTEEN }, 'signatureHeaderName', 'secret'],
		'The header name is empty',
	] as never,
];

describe.each(METHODS)('with the method %s', (method, complete, nameField, secretField, emptyName) => {
	const data = { method, ...complete };

	it('a secret of exactly 16 characters is enough', async () => {
		expect(SIXTEEN).toHaveLength(16);
		expect(await check(data)).toMatchObject({ status: 'OK', message: expect.stringMatching(/^Complete\./) });
	});

	it.each([
		...[SIXTEEN.slice(1), 'x', '', undefined].map((secret) => [secret, 'fewer than 16 characters']),
		...[`${SIXTEEN}\n`, ` ${SIXTEEN}`, ' '.repeat(16)].map((secret) => [
			secret,
			'begins or ends with a space',
		]),
	])('%j is told to have %s, and not repeated', async (secret, problem) => {
		const result = await check({ ...data, [secretField]: secret } as never);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(new RegExp(`^The ${secretField} (has )?${problem}`));
		expect(result.message).not.toContain(SIXTEEN);
	});

	it('letters beyond ASCII are told where they stand in a header, and sign otherwise', async () => {
		const result = await check({ ...data, [secretField]: 'Schlüssel-für-Webhooks' });
		if (method === 'hmac') return expect(result.status).toBe('OK');
		const message = expect.stringMatching(`^The ${secretField} has characters that not every system sends`);
		expect(result).toMatchObject({ status: 'Error', message });
	});

	it.each(['', '   ', undefined])('%j is no name, and the message says which', async (name) => {
		const result = await check({ ...data, [nameField]: name } as never);
		expect(result).toMatchObject({ status: 'Error', message: expect.stringContaining(emptyName) });
		expect(result.message).not.toContain(SIXTEEN);
	});

	it.each(['bad name', 'X(1)', 'X-Secret:'])('%j is a name of a user, and of no header', async (name) => {
		const isUser = method === 'basicAuth';
		expect(await check({ ...data, [nameField]: name } as never)).toMatchObject({
			status: isUser ? 'OK' : 'Error',
			message: expect.stringContaining(isUser ? 'Complete.' : `No header is named "${name}"`),
		});
		expect((await check({ ...data, [nameField]: ' X_1-secret ' } as never)).status).toBe('OK');
	});

	it('what belongs to another method does not help', async () => {
		const others = Object.assign({}, ...METHODS.map(([, fields]) => fields)) as typeof data;
		for (const field of [nameField, secretField])
			expect((await check({ ...others, method, [field]: '' })).status).toBe('Error');
	});

	it('says what somebody can do who has recorded a webhook, where its signature holds no time', async () => {
		const isTold = async (more: object) => (await check({ ...data, ...more })).message.includes('again');
		expect(await isTold({})).toBe(method === 'hmac');
		expect(await isTold({ timestampHeaderName: ' ' })).toBe(method === 'hmac');
		expect(await isTold({ timestampHeaderName: 'X-Timestamp' })).toBe(false);
	});
});

it.each([
	[{ timestampHeaderName: 'bad name' }, 'No header is named "bad name"'],
	[{ timestampHeaderName: ' x ' }, 'are in the same header'],
	[{ timestampHeaderName: 'T', toleranceSeconds: 0 }, 'so every webhook would be refused'],
	[{ timestampHeaderName: 'T', toleranceSeconds: -1 }, 'so every webhook would be refused'],
	[{ timestampHeaderName: 'T' }, undefined],
	[{ timestampHeaderName: 'T', toleranceSeconds: 1 }, undefined],
	[{ toleranceSeconds: 0 }, undefined],
])('of a signature, the time %j is told where no webhook could match: %j', async (time, problem) => {
	const data = { method: 'hmac', signatureHeaderName: 'X', secret: SIXTEEN, ...time };
	const message = expect.stringContaining(problem ?? 'Complete.');
	expect(await check(data as never)).toMatchObject({ status: problem ? 'Error' : 'OK', message });
});

it.each([
	['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', true],
	['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwBr==', true],
	['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS', false],
	['whsec_Schlüssel-für-Webhooks-und-mehr-Zeichen', false],
	['whsec_', false],
	['', false],
])('of Standard Webhooks, the secret %j is as its specification wants it: %j', async (secret, isRight) => {
	const result = await check({ method: 'standardWebhooks', secret });
	expect(result).toMatchObject({
		status: isRight ? 'OK' : 'Error',
		message: expect.stringMatching(isRight ? /^Complete.*account\.$/ : /^The secret is not whsec_/),
	});
	if (secret !== '' && secret !== 'whsec_') expect(result.message).not.toContain(secret);
});

it.each([{}, undefined])('the credential %j is not complete', async (data) => {
	expect((await check(data)).status).toBe('Error');
});
