import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

const CREDENTIAL = 'customerMessagingWebhookApi';

/** Time for which a credential is kept. A changed secret is accepted no longer than this. */
const KEPT_MS = 10_000;

/**
 * Minimum time between two reads of the credential for requests that do not match it. It also holds if many unknown
 * callers send requests.
 */
const READ_AGAIN_AFTER_MS = 1_000;

interface Kept {
	readAt: number;
	credential: Promise<ICredentialDataDecryptedObject>;
}

/** The kept credentials by workflow, node and credential. */
const kept = new Map<string, Kept>();

/**
 * Returns the trigger's credential. It is at most `oldestMs` old.
 *
 * n8n 2.41 starts a new interpreter each time a trigger reads its credential. This takes longer than all other work for
 * a delivery.
 *
 * @param oldestMs maximum age of the credential in milliseconds
 * @throws Error when the credential is missing or unreadable
 */
export async function webhookCredential(
	context: IWebhookFunctions,
	oldestMs = KEPT_MS,
): Promise<ICredentialDataDecryptedObject> {
	const { id, credentials } = context.getNode();
	const key = [context.getWorkflow().id, id, credentials?.[CREDENTIAL]?.id].join('/');
	const known = kept.get(key);
	if (known && Date.now() - known.readAt < oldestMs) return await known.credential;
	const credential = context.getCredentials(CREDENTIAL);
	kept.set(key, { readAt: Date.now(), credential });
	credential.catch(() => kept.delete(key));
	return await credential;
}

/**
 * Whether a delivery matches the trigger's credential. Before a refusal, it reads the credential again.
 *
 * @param fits checks the delivery against a credential
 * @throws Error when the credential is missing or unreadable
 */
export async function fitsCredential(
	context: IWebhookFunctions,
	fits: (credential: ICredentialDataDecryptedObject) => Promise<boolean>,
): Promise<boolean> {
	const known = await webhookCredential(context);
	if (await fits(known)) return true;
	const current = await webhookCredential(context, READ_AGAIN_AFTER_MS);
	return current !== known && (await fits(current));
}
