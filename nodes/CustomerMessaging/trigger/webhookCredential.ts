import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

const CREDENTIAL = 'customerMessagingWebhookApi';

/** How long a credential that was read is used: a secret that was taken back is accepted no longer than this. */
const KEPT_MS = 10_000;

/** A credential that a delivery does not fit is read again no more often than this, however many strangers call. */
const READ_AGAIN_AFTER_MS = 1_000;

interface Kept {
	readAt: number;
	credential: Promise<ICredentialDataDecryptedObject>;
}

/** What was read lately, by workflow, node and credential. */
const kept = new Map<string, Kept>();

/**
 * The trigger's credential, as it was at most so many milliseconds ago.
 *
 * n8n starts an interpreter of its own each time a trigger reads its credential (2.41), which takes longer than all else that
 * a delivery needs.
 *
 * @throws Error when the credential is missing or cannot be read
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
 * Whether a delivery fits the trigger's credential. Before it is refused, the credential is looked at as it is now.
 *
 * @throws Error when the credential is missing or cannot be read
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
