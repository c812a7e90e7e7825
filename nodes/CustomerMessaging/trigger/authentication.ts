import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

import { nodeKey, ProcessMemory } from '../n8nInternals/processMemory';
import { numericOf } from '../values/numbers';
import { stringOf } from '../values/text';
import { isInTime, isSignedBy, sameText, type SignatureScheme } from './signature';

export type Headers = Record<string, string | string[] | undefined>;

export interface Caller {
	headers: Headers;
	/** Returns the body as it arrived, or undefined if it is unreadable. */
	rawBody: () => Promise<Buffer | undefined>;
	now: number;
}

/** What a credential asks of a webhook request. It does not contain the credential, so it can be kept. */
export interface Proof {
	isGivenBy: (caller: Caller) => Promise<boolean>;
	headers: string[];
	/** Says what is wrong with the time of a request; undefined if nothing is. */
	timeProblem?: (caller: Pick<Caller, 'headers' | 'now'>) => string | undefined;
}

/** Makes digests that nobody can compare with those of another process. */
const DIGEST_KEY = randomBytes(32);

const digestOf = (words: string) => createHmac('sha256', DIGEST_KEY).update(words).digest('hex');

const headerName = (typed: unknown) => stringOf(typed).trim().toLowerCase();

const valueOf = (headers: Headers, name: string): string | undefined =>
	typeof headers[name] === 'string' ? headers[name] : undefined;

const NO_PROOF: Proof = { isGivenBy: async () => false, headers: [] };

const byDigest = (name: string, digest: string, asSent = (value: string) => value): Proof => ({
	isGivenBy: async ({ headers }) => {
		const value = valueOf(headers, name);
		return value !== undefined && sameText(digestOf(asSent(value)), digest);
	},
	headers: [name],
});

const bySignature = (scheme: SignatureScheme, name: string, timestampName: string): Proof => ({
	isGivenBy: async ({ headers, rawBody, now }) => {
		const signature = valueOf(headers, name);
		const timestamp = timestampName === '' ? undefined : valueOf(headers, timestampName);
		if (signature === undefined || (timestampName !== '' && timestamp === undefined)) return false;
		const body = await rawBody();
		return body !== undefined && isSignedBy(scheme, body, signature, timestamp, now);
	},
	headers: [name, timestampName].filter(Boolean),
	timeProblem: ({ headers, now }) =>
		timestampName === '' || isInTime(scheme, valueOf(headers, timestampName) ?? '', now)
			? undefined
			: `The time in the header "${timestampName}" differs from now by more than the tolerance.`,
});

/**
 * Returns what a credential asks of a webhook request. Nobody can prove an empty secret. A header holds no spaces at
 * its ends.
 */
export function proofOf(credential: ICredentialDataDecryptedObject): Proof {
	const secret = stringOf(credential.secret);
	switch (credential.method) {
		case 'headerSecret': {
			const sent = secret.trim();
			return sent === '' ? NO_PROOF : byDigest(headerName(credential.headerName), digestOf(sent));
		}
		case 'basicAuth': {
			const user = stringOf(credential.user);
			const password = stringOf(credential.password);
			if (user === '' || password === '') return NO_PROOF;
			const login = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
			// The name of the scheme counts in any letters.
			return byDigest('authorization', digestOf(login), (value) => value.replace(/^basic +/i, 'Basic '));
		}
		case 'hmac': {
			if (secret === '') return NO_PROOF;
			const scheme: SignatureScheme = {
				secret: createSecretKey(secret, 'utf8'),
				encoding: credential.encoding as SignatureScheme['encoding'],
				prefix: stringOf(credential.prefix),
				toleranceSeconds: numericOf(credential.toleranceSeconds ?? 300),
			};
			const name = headerName(credential.signatureHeaderName);
			return bySignature(scheme, name, headerName(credential.timestampHeaderName));
		}
		default:
			return NO_PROOF;
	}
}

const CREDENTIAL = 'customerMessagingWebhookApi';
const KEPT_MS = 10_000;

/** Minimum time between two reads of the credential for requests that do not match it, however many strangers send them. */
const READ_AGAIN_AFTER_MS = 1_000;

/** The proofs by workflow, node and credential. They contain no credential. */
const proofs = new ProcessMemory<{ readAt: number; proof: Promise<Proof> }>('webhook proofs', KEPT_MS);

export const hasWebhookCredential = (context: IWebhookFunctions) =>
	context.getNode().credentials?.[CREDENTIAL] !== undefined;

/**
 * Returns what the trigger's credential asks of a request. It is at most `oldestMs` old: n8n 2.41 starts a new interpreter
 * for each read of the credential, which takes longer than all other work for a delivery.
 *
 * @throws Error when the credential is missing or unreadable
 */
export async function webhookProof(context: IWebhookFunctions, oldestMs = KEPT_MS): Promise<Proof> {
	const key = `${nodeKey(context)}/${context.getNode().credentials?.[CREDENTIAL]?.id}`;
	const now = Date.now();
	const known = proofs.get(key);
	if (known && now - known.readAt < oldestMs) return await known.proof;
	const proof = context.getCredentials(CREDENTIAL).then(proofOf);
	proofs.set(key, { readAt: now, proof });
	proof.catch(() => proofs.delete(key));
	return await proof;
}

/**
 * Whether a caller proves what the trigger's credential asks for. Before a refusal, it reads the credential again.
 *
 * @throws Error when the credential is missing or unreadable
 */
export async function isFromTenant(context: IWebhookFunctions, caller: Caller): Promise<boolean> {
	const known = await webhookProof(context);
	if (await known.isGivenBy(caller)) return true;
	const current = await webhookProof(context, READ_AGAIN_AFTER_MS);
	return current !== known && (await current.isGivenBy(caller));
}
