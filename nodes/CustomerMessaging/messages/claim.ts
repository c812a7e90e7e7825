import type { IDataObject } from 'n8n-workflow';

/** Why nothing is sent for an item. */
export interface Skip {
	/** What the output item has beside `result: skipped`. */
	json: { reason: string } & IDataObject;
	/** Continues "3 of 40 items …" in the hints. */
	note: string;
}

/** Makes the answer of a guard that stops a message. */
export const skip = (reason: string, note: string, more: IDataObject = {}): Skip => ({
	json: { reason, ...more },
	note,
});

/** The key that a message takes up before it is sent. It keeps the key, or gives it back. */
export interface Claim {
	/** @returns why nothing is to be sent; nothing is taken then */
	take: () => Promise<Skip | undefined>;
	/** After the message was sent, or may have been. */
	keep: () => void;
	/**
	 * Gives it back, because the message was certainly not sent.
	 *
	 * @returns a sentence if n8n could not take it back
	 */
	release: () => Promise<string | undefined>;
}
