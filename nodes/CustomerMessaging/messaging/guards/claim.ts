import type { IDataObject } from 'n8n-workflow';

/** Why nothing is sent for an item. */
export interface Skip {
	/** What the output item has beside `result: skipped`. */
	json: { reason: string } & IDataObject;
	/** Continues "3 of 40 items …" in the hints; undefined if the guard tells it itself. */
	note?: string;
}

/** Makes the answer of a guard that stops a message. */
export const skip = (reason: string, note?: string, more: IDataObject = {}): Skip => ({
	json: { reason, ...more },
	note,
});

/** What a message takes up before it is sent, such as a key or a part of a budget. Each message takes or gives it back. */
export interface Claim {
	/** The label of the option that asks for it. */
	option: string;
	/** @returns why nothing is to be sent; nothing is taken then */
	take: () => Promise<Skip | undefined>;
	/** After the message was sent, or may have been. */
	keep: () => void;
	/** Gives it back, because the message was certainly not sent. */
	release: () => Promise<void> | void;
}

/** Gives claims back. @returns a sentence about what could not be given back */
export async function releaseAll(claims: readonly Claim[]): Promise<string | undefined> {
	let note: string | undefined;
	for (const claim of claims) {
		try {
			await claim.release();
		} catch {
			note = `n8n could not take the key of ${claim.option} back, so it counts as used.`;
		}
	}
	return note;
}

/**
 * Takes all claims of a message, always in the same order: two items that wait for each other would wait forever.
 *
 * @returns why nothing is to be sent; nothing is taken then
 */
export async function takeAll(claims: readonly Claim[]): Promise<Skip | undefined> {
	for (const [index, claim] of claims.entries()) {
		const taken = claims.slice(0, index);
		const skipped = await claim.take().catch(async (error: unknown) => {
			await releaseAll(taken);
			throw error;
		});
		if (!skipped) continue;
		const note = await releaseAll(taken);
		const { json } = skipped;
		return note ? { ...skipped, json: { ...json, reason: `${json.reason}. ${note}` } } : skipped;
	}
	return undefined;
}
