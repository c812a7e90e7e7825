import { createHmac } from 'node:crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { proofOf } from '../../../nodes/CustomerMessaging/trigger/authentication.ts';
import { isAllowedIp } from '../../../nodes/CustomerMessaging/trigger/ipAllowList.ts';
import { isFromTenant, webhookProof } from '../../../nodes/CustomerMessaging/trigger/webhookProof.ts';
import { arrive, type Arrival } from './arrival.mts';

const SECRET = 'sixteen-or-more-characters';

const headerSecret: ICredentialDataDecryptedObject = {
	method: 'headerSecret',
	headerName: 'X-Webhook-Secret',
	secret: SECRET,
};
const login: ICredentialDataDecryptedObject = { method: 'basicAuth', user: 'tenant', password: SECRET };
const hmac: ICredentialDataDecryptedObject = {
	method: 'hmac',
	signatureHeaderName: 'X-Signature',
	secret: SECRET,
	algorithm: 'sha256',
	encoding: 'hex',
	prefix: '',
	timestampHeaderName: '',
	toleranceSeconds: 300,
};
const timed: ICredentialDataDecryptedObject = { ...hmac, timestampHeaderName: 'X-Timestamp' };

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const BODY = JSON.stringify({ event: 'new-agent-message', message: { id: 1, status: 'created' } });
const signature = (text = BODY) => createHmac('sha256', SECRET).update(text).digest('hex');
const signedAgo = (seconds: number) => {
	const timestamp = String(Math.floor(Date.now() / 1000) - seconds);
	return { 'x-timestamp': timestamp, 'x-signature': signature(`${timestamp}.${BODY}`) };
};

/** Whether a delivery of that body starts the workflow, or the status that refuses it. */
async function outcome(arrival: Arrival): Promise<number | 'started'> {
	const { items, status } = await arrive({ body: Buffer.from(BODY), ...arrival });
	return items ? 'started' : (status ?? 0);
}

describe('the tenant is let in', () => {
	it.each<[string, ICredentialDataDecryptedObject, () => Record<string, string>]>([
		[
			'where spaces stand around the name of the header',
			{ ...headerSecret, headerName: ' X-Webhook-Secret ' },
			() => ({ 'x-webhook-secret': SECRET }),
		],
		['with a login', login, () => ({ authorization: basic(`tenant:${SECRET}`) })],
		[
			'where spaces stand around the name of the signature header',
			{ ...hmac, signatureHeaderName: '\tX-Signature ' },
			() => ({ 'x-signature': signature() }),
		],
		[
			'where the name of the timestamp header is blank',
			{ ...hmac, timestampHeaderName: '  ' },
			() => ({ 'x-signature': signature() }),
		],
		[
			'where the credential knows neither a prefix nor a timestamp header',
			{ ...hmac, prefix: undefined, timestampHeaderName: undefined } as never,
			() => ({ 'x-signature': signature() }),
		],
		[
			'where a space follows the prefix',
			{ ...hmac, prefix: 'v1:' },
			() => ({ 'x-signature': `v1: ${signature()}` }),
		],
		['at the edge of a short tolerance', { ...timed, toleranceSeconds: 60 }, () => signedAgo(58)],
		[
			'for five minutes where the credential names no tolerance',
			{ ...timed, toleranceSeconds: undefined } as never,
			() => signedAgo(298),
		],
		[
			'with a time that names its zone',
			timed,
			() => {
				const timestamp = new Date().toISOString().replace('Z', '+00:00');
				return { 'x-timestamp': timestamp, 'x-signature': signature(`${timestamp}.${BODY}`) };
			},
		],
	])('%s', async (_, credential, headers) => {
		expect(await outcome({ credential, headers: headers() })).toBe('started');
	});
});

describe('nobody is let in', () => {
	it.each<[string, ICredentialDataDecryptedObject, () => Arrival['headers']]>([
		[
			'with the timestamp of a longer tolerance than the credential has',
			{ ...timed, toleranceSeconds: 60 },
			() => signedAgo(62),
		],
		[
			'after five minutes where the credential names no tolerance',
			{ ...timed, toleranceSeconds: undefined } as never,
			() => signedAgo(302),
		],
		['with an empty timestamp', timed, () => ({ 'x-timestamp': '', 'x-signature': signature(`.${BODY}`) })],
		[
			'with a signature that came several times',
			{ ...hmac, signatureHeaderName: 'Set-Cookie' },
			() => ({ 'set-cookie': [signature(), signature()] }),
		],
		[
			'with a secret that came several times',
			{ ...headerSecret, headerName: 'Set-Cookie', secret: '\0' },
			() => ({ 'set-cookie': [SECRET] }),
		],
		['without a login where the user has no name', { ...login, user: '' }, () => ({})],
		['with a user alone', { ...login, password: '' }, () => ({ authorization: basic('tenant:') })],
		['with a password alone', { ...login, user: '' }, () => ({ authorization: basic(`:${SECRET}`) })],
		[
			'where login and password are both empty',
			{ method: 'basicAuth' },
			() => ({ authorization: basic(':') }),
		],
		['where the secret is missing', { ...headerSecret, secret: undefined } as never, () => ({})],
		[
			'where the secret is missing, with the word for that',
			{ ...headerSecret, secret: undefined } as never,
			() => ({ 'x-webhook-secret': 'undefined' }),
		],
	])('%s', async (_, credential, headers) => {
		expect(await outcome({ credential, headers: headers() })).toBe(401);
	});

	it('whose signed body cannot be read', async () => {
		const headers = { 'x-signature': signature() };
		expect(await outcome({ credential: hmac, headers, body: new Error('aborted') })).toBe(401);
	});

	it.each<ICredentialDataDecryptedObject>([
		{},
		{ method: 'none' },
		{ ...headerSecret, method: 'Header Secret' },
	])('by a credential like %j: the answer is a plain no', async (credential) => {
		const headers = { 'x-webhook-secret': SECRET };
		const caller = { headers, rawBody: async () => Buffer.from(BODY), now: Date.now() };
		expect(await proofOf(credential).isGivenBy(caller)).toBe(false);
	});
});

describe('addresses', () => {
	it.each([
		['  ', 'started'],
		[' 192.0.2.7 ', 'started'],
		['198.51.100.1 , 192.0.2.0/24 ', 'started'],
		[' , ', 403],
		['198.51.100.1 192.0.2.7', 403],
	])('the allow list %j: %s', async (ipAllowList, expected) => {
		expect(await outcome({ parameters: { additionalOptions: { ipAllowList } } })).toBe(expected);
	});

	it('an address of the newer kind means that one alone', () => {
		expect(isAllowedIp('2001:db8::1', '2001:db8::1')).toBe(true);
		expect(isAllowedIp('2001:db8::1', '2001:db8::2')).toBe(false);
	});

	it('the address is looked at before the credential is read', async () => {
		const arrived = await arrive({
			credential: headerSecret,
			parameters: { additionalOptions: { ipAllowList: '198.51.100.1' } },
		});
		expect(arrived).toMatchObject({ status: 403, credentialReads: 0 });
	});
});

describe('the credential', () => {
	const headers = { 'x-webhook-secret': SECRET };

	it('lets nobody in while it cannot be read, and everybody as soon as it can', async () => {
		const credentialId = 'read again';
		const same = { credentialId, workflowId: 'read again', headers };
		expect(await outcome({ ...same, credential: new Error('No key') })).toBe(500);
		expect(await outcome({ ...same, credential: headerSecret })).toBe('started');
	});

	it('is read once for many deliveries', async () => {
		const same = { credentialId: 'read once', workflowId: 'read once', credential: headerSecret, headers };
		expect((await arrive(same)).credentialReads).toBe(1);
		expect((await arrive(same)).credentialReads).toBe(0);
	});

	it('of another trigger is not taken for this one, however the IDs look together', async () => {
		const ids = [
			{ workflowId: 'a1', nodeId: 'b', credentialId: 'c' },
			{ workflowId: 'a', nodeId: '1b', credentialId: 'c' },
			{ workflowId: 'a', nodeId: '1', credentialId: 'bc' },
		];
		for (const one of ids) {
			const arrived = await arrive({ ...one, credential: headerSecret, headers });
			expect({ ...one, reads: arrived.credentialReads }).toEqual({ ...one, reads: 1 });
		}
	});

	it('that was changed a second ago counts for the very next delivery', async () => {
		let now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
		const same = { credentialId: 'changed', workflowId: 'changed' };
		expect(await outcome({ ...same, headers, credential: headerSecret })).toBe('started');
		now += 1_000;
		const changed = { ...headerSecret, secret: 'another-secret-of-the-tenant' };
		const after = { ...same, headers: { 'x-webhook-secret': changed.secret }, credential: changed };
		const other = { message: { id: 'changed', status: 'created' } };
		expect(await outcome({ ...after, body: Buffer.from(JSON.stringify(other)) })).toBe('started');
		clock.mockRestore();
	});

	let workflows = 0;
	/** As much of n8n's context as reading a credential needs. */
	const contextOf = (credentials: unknown, getCredentials: () => Promise<ICredentialDataDecryptedObject>) => {
		const workflow = { id: `read directly ${++workflows}` };
		const node = { id: 'node', credentials };
		return { getNode: () => node, getWorkflow: () => workflow, getCredentials } as never;
	};

	it.each([undefined, {}])('n8n says why there is none where the node names %j', async (credentials) => {
		const missing = contextOf(credentials, async () => await Promise.reject(new Error('No credentials set')));
		await expect(webhookProof(missing)).rejects.toThrow('No credentials set');
	});

	it('is held against a stranger’s delivery once', async () => {
		const context = contextOf({}, async () => ({ ...hmac, signatureHeaderName: 'X' }));
		const rawBody = jest.fn(async () => Buffer.from(BODY));
		const stranger = { headers: { x: 'a signature' }, rawBody, now: Date.now() };
		expect(await isFromTenant(context, stranger)).toBe(false);
		expect(rawBody).toHaveBeenCalledTimes(1);
	});
});

describe('shown headers', () => {
	const parameters = { additionalOptions: { includeHeaders: true } };
	const sent = {
		cookie: 'session=1',
		authorization: basic(`tenant:${SECRET}`),
		'x-webhook-secret': SECRET,
		'x-signature': signature(),
		'x-request-id': '7',
	};
	const others = { 'content-type': 'application/json', 'x-request-id': '7' };

	it.each<[string, ICredentialDataDecryptedObject, object]>([
		[
			'a secret',
			{ ...headerSecret, headerName: ' X-Webhook-Secret ' },
			{ ...others, 'x-signature': sent['x-signature'] },
		],
		[
			'a signature',
			{ ...hmac, signatureHeaderName: ' X-SIGNATURE ' },
			{ ...others, 'x-webhook-secret': SECRET },
		],
		['a login', login, { ...others, 'x-webhook-secret': SECRET, 'x-signature': sent['x-signature'] }],
	])('leave out %s, logins and cookies, and nothing else', async (_, credential, shown) => {
		const { items } = await arrive({ parameters, credential, headers: sent, body: Buffer.from(BODY) });
		expect(items?.map(({ headers }) => headers)).toEqual([shown]);
	});

	it('leave out logins and cookies where anyone may call', async () => {
		const { items } = await arrive({ parameters, headers: sent });
		expect(items?.[0].headers).toEqual({
			...others,
			'x-webhook-secret': SECRET,
			'x-signature': sent['x-signature'],
		});
	});

	it('are not there unless wanted', async () => {
		expect((await arrive({ headers: sent })).items?.[0]).not.toHaveProperty('headers');
	});
});
