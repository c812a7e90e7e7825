import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { checkWebhookSecret } from '../../nodes/CustomerMessaging/trigger/proofs.ts';

/** What a person reads who presses Test in the trigger's credential; of what is complete, a status in front. */
async function check(data: IDataObject | undefined) {
	const credential = { id: '1', name: 'Webhook', type: 'customerMessagingWebhookApi', data } as never;
	const { status, message } = await checkWebhookSecret.call({} as never, credential);
	expect(status).toBe(message.startsWith('Complete. ') ? 'OK' : 'Error');
	return message;
}

const SIXTEEN = 'sixteen letters.';

/** Each method with what it needs, and the names of its fields. */
const METHODS: Array<
	[method: string, complete: ICredentialDataDecryptedObject, name: string, secret: string]
> = [
	['basicAuth', { user: 'tenant', password: SIXTEEN }, 'user', 'password'],
	['headerSecret', { headerName: 'X', secret: SIXTEEN }, 'headerName', 'secret'],
	['hmac', { signatureHeaderName: 'X', secret: SIXTEEN }, 'signatureHeaderName', 'secret'],
];

describe.each(METHODS)('with the method %s', (method, complete, nameField, secretField) => {
	const data = { method, ...complete };

	it('a secret of exactly 16 characters is enough, and what belongs to another method does not help', async () => {
		expect(await check(data)).toMatch(/^Complete\./);
		const others = Object.assign({}, ...METHODS.map(([, fields]) => fields)) as typeof data;
		for (const field of [nameField, secretField])
			expect(await check({ ...others, method, [field]: '' })).not.toMatch(/^Complete\./);
	});

	it.each([
		...[SIXTEEN.slice(1), 'x', '', undefined].map((secret) => [secret, 'has fewer than 16 characters']),
		...[`${SIXTEEN}\n`, ` ${SIXTEEN}`, ' '.repeat(16)].map((secret) => [
			secret,
			'begins or ends with a space',
		]),
	])('%j is told to be wrong, and not repeated: %s', async (secret, problem) => {
		const message = await check({ ...data, [secretField]: secret });
		expect(message).toContain(`The ${secretField} ${problem}`);
		expect(message).not.toContain(SIXTEEN);
	});

	it('letters beyond ASCII are told where they stand in a header, and sign otherwise', async () => {
		const message = await check({ ...data, [secretField]: 'Schlüssel-für-Webhooks' });
		expect(message).toMatch(
			method === 'hmac' ? /^Complete\./ : `The ${secretField} has characters that not every`,
		);
	});

	it('a name is none where it is blank, or where no header is named so', async () => {
		for (const name of ['', '   ', undefined])
			expect(await check({ ...data, [nameField]: name })).toMatch(/^The (user|header) name is empty/);
		for (const name of ['bad name', 'X(1)', 'X-Secret:'])
			expect(await check({ ...data, [nameField]: name })).toContain(
				method === 'basicAuth' ? 'Complete.' : `No header is named "${name}"`,
			);
		expect(await check({ ...data, [nameField]: ' X_1-secret ' })).toMatch(/^Complete\./);
	});

	it('says what somebody can do who has recorded a webhook, where its signature holds no time', async () => {
		const isTold = async (timestampHeaderName?: string) =>
			(await check({ ...data, timestampHeaderName })).includes('again');
		expect([await isTold(), await isTold(' ')]).toEqual([method === 'hmac', method === 'hmac']);
		expect(await isTold('X-Timestamp')).toBe(false);
	});
});

it.each([
	[{ timestampHeaderName: 'bad name' }, 'No header is named "bad name"'],
	[{ timestampHeaderName: ' x ' }, 'are in the same header'],
	[{ timestampHeaderName: 'T' }, 'Complete.'],
])('of a signature, the time %j is told where no webhook could match: %s', async (time, told) => {
	const data = { method: 'hmac', signatureHeaderName: 'X', secret: SIXTEEN, ...time };
	expect(await check(data)).toContain(told);
});

it('of Standard Webhooks, the secret is as its specification wants it', async () => {
	const method = 'standardWebhooks';
	for (const secret of ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwBr=='])
		expect(await check({ method, secret })).toMatch(/^Complete\..* account\.$/);
	for (const secret of ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS', 'Schlüssel-für-Webhooks-mit-32-Zeichen', ''])
		expect(await check({ method, secret })).toMatch(
			/^The secret is not whsec_ with at least 24 bytes in Base64\./,
		);
});

it.each([{}, undefined])('the credential %j is not complete', async (data) => {
	expect(await check(data)).toMatch(/empty/);
});
