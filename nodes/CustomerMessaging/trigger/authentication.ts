import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { isSignedBy, sameText, type SignatureScheme } from './signature';

/** Headers in the form of Node.js, with lower-case names. */
export type Headers = Record<string, string | string[] | undefined>;

/** The parts of a request that the check reads. */
interface Caller {
	headers: Headers;
	/** Returns the body as it arrived, or undefined if it is unreadable. Only signature checks call it. */
	rawBody: () => Promise<Buffer | undefined>;
	/** Milliseconds since 1970. */
	now: number;
}

/** Returns the value of a header that occurs exactly once. */
function headerOf(headers: Headers, name: unknown): string | undefined {
	const value = headers[String(name).trim().toLowerCase()];
	return typeof value === 'string' ? value : undefined;
}

/**
 * Whether a webhook request proves what the credential asks for. An empty secret never matches.
 *
 * @param credential of type `customerMessagingWebhookApi`
 */
export async function isAuthentic(
	credential: ICredentialDataDecryptedObject,
	caller: Caller,
): Promise<boolean> {
	const { headers } = caller;
	switch (credential.method) {
		case 'headerSecret': {
			const secret = String(credential.secret ?? '');
			return secret !== '' && sameText(headerOf(headers, credential.headerName) ?? '', secret);
		}
		case 'basicAuth': {
			const user = String(credential.user ?? '');
			const password = String(credential.password ?? '');
			if (user === '' || password === '') return false;
			const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
			return sameText(headerOf(headers, 'authorization') ?? '', expected);
		}
		case 'hmac': {
			const signature = headerOf(headers, credential.signatureHeaderName);
			const timestampHeader = String(credential.timestampHeaderName ?? '').trim();
			const timestamp = timestampHeader === '' ? undefined : headerOf(headers, timestampHeader);
			if (signature === undefined || (timestampHeader !== '' && timestamp === undefined)) return false;
			const scheme: SignatureScheme = {
				secret: String(credential.secret ?? ''),
				algorithm: credential.algorithm as SignatureScheme['algorithm'],
				encoding: credential.encoding as SignatureScheme['encoding'],
				prefix: String(credential.prefix ?? ''),
				toleranceSeconds: Number(credential.toleranceSeconds ?? 300),
			};
			const body = await caller.rawBody();
			return body !== undefined && isSignedBy(scheme, body, signature, timestamp, caller.now);
		}
		default:
			return false;
	}
}
