import type { IWebhookFunctions } from 'n8n-workflow';

import { type Caller, type Proof, proofOf } from './authentication';

const CREDENTIAL = 'customerMessagingWebhookApi';

/** Time for which a proof is kept. A changed secret is accepted no longer than this. */
const KEPT_MS = 10_000;

/**
 * Minimum time between two reads of the credential for requests that do not match it. It also holds if many unknown
 * callers send requests.
 */
const READ_AGAIN_AFTER_MS = 1_000;

interface Kept {
	readAt: number;
	proof: Promise<Proof>;
}

/** The kept proofs by workflow, node and credential. They contain no credential. */
const kept = new Map<string, Kept>();

/** Whether a credential is chosen in the trigger. */
export const hasCredential = (context: IWebhookFunctions) =>
	context.getNode().credentials?.[CREDENTIAL] !== undefined;

/**
 * Returns what the trigger's credential asks of a request. It is at most `oldestMs` old.
 *
 * n8n 2.41 starts a new interpreter each time a trigger reads its credential. This takes longer than all other work for
 * a delivery.
 *
 * @param oldestMs maximum age in milliseconds
 * @throws Error when the credential is missing or unreadable
 */
export async function webhookProof(context: IWebhookFunctions, oldestMs = KEPT_MS): Promise<Proof> {
	const { id, credentials } = context.getNode();
	const key = [context.getWorkflow().id, id, credentials?.[CREDENTIAL]?.id].join('/');
	const now = Date.now();
	for (const [other, { readAt }] of kept) if (now - readAt >= KEPT_MS) kept.delete(other);
	const known = kept.get(key);
	if (known && now - known.readAt < oldestMs) return await known.proof;
	const proof = context.getCredentials(CREDENTIAL).then(proofOf);
	kept.set(key, { readAt: now, proof });
	proof.catch(() => kept.delete(key));
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
