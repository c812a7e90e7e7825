import type { IWebhookFunctions } from 'n8n-workflow';

import { nodeKey, ProcessMemory } from '../n8nInternals/processMemory';
import { type Caller, problemOf, type Proof, proofOf } from './proofs';
import { Refused } from './refusals';

const CREDENTIAL = 'customerMessagingWebhookApi';
const KEPT_MS = 10_000;

/** Minimum time between two reads of the credential for requests that do not match it, however many strangers send them. */
const READ_AGAIN_AFTER_MS = 1_000;

/** The proofs by workflow, node and credential. They contain no credential. */
const proofs = new ProcessMemory<{ readAt: number; proof: Promise<Proof> }>('webhook proofs', KEPT_MS);

/**
 * Returns what the trigger's credential asks of a request. It is at most `oldestMs` old: n8n 2.41 starts a new interpreter
 * for each read of the credential, which takes longer than all other work for a delivery.
 *
 * @throws Error when the credential is unreadable
 */
async function readProof(context: IWebhookFunctions, oldestMs = KEPT_MS): Promise<Proof> {
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
 * Checks a caller by the trigger's credential, which it reads again before it refuses one. Returns what the credential asks for;
 * undefined if the trigger asks for nothing.
 *
 * @throws Refused for a stranger
 * @throws Error when the credential is unreadable
 */
export async function proveCaller(context: IWebhookFunctions, caller: Caller): Promise<Proof | undefined> {
	if (context.getNodeParameter('authentication', 'credential') === 'none') return undefined;
	if (!context.getNode().credentials?.[CREDENTIAL]) throw new Refused('credential');
	const known = await readProof(context);
	const problem = await problemOf(known, caller);
	if (problem === undefined) return known;
	const current = await readProof(context, READ_AGAIN_AFTER_MS);
	const remaining = current === known ? problem : await problemOf(current, caller);
	if (remaining !== undefined) throw new Refused('proof', remaining);
	return current;
}
