import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { isSignedBy, sameText, type SignatureScheme } from './signature';

/** Headers as Node.js gives them: lower-case names. */
export type Headers = Record<string, string | string[] | undefined>;

/** What of a request the check looks at. */
export interface Caller {
	headers: Headers;
	/** The body as it arrived, or undefined when it cannot be read; only asked for by signature checks. */
	rawBody: () => Promise<Buffer | undefined>;
	/** Milliseconds since 1970. */
	now: number;
}

/** A header that came exactly once. */
function headerOf(headers: Headers, name: unknown): string | undefined {
	const value = headers[String(name).trim().toLowerCase()];
	return typeof value === 'string' ? value : undefined;
}

/**
 * Whether a webhook comes from whom the credential says. A secret that is empty lets nobody in.
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
