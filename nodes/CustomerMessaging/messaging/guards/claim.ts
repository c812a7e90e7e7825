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
	/** @returns why nothing is to be sent; nothing is taken then */
	take: () => Promise<Skip | undefined>;
	/** After the message was sent, or may have been. */
	keep: () => void;
	/** Gives it back, because the message was certainly not sent. */
	release: () => Promise<void> | void;
}

/** Gives claims back. What cannot be given back counts as used. */
export const releaseAll = async (claims: readonly Claim[]) =>
	await Promise.allSettled(claims.map(async ({ release }) => await release()));

/**
 * Takes all claims of a message, always in the same order: two items that wait for each other would wait forever.
 *
 * @returns why nothing is to be sent; nothing is taken then
 */
export async function takeAll(claims: readonly Claim[]): Promise<Skip | undefined> {
	for (const [index, claim] of claims.entries()) {
		let isTaken = false;
		try {
			const skipped = await claim.take();
			if (skipped) return skipped;
			isTaken = true;
		} finally {
			if (!isTaken) await releaseAll(claims.slice(0, index));
		}
	}
	return undefined;
}
