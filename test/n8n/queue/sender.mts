import type { AxiosError } from 'axios';
import pLimit from 'p-limit';

import { type Question, send } from '../../http.mts';
import { waitFor } from '../waitFor.mts';

/** What n8n answers to everything, with status 200, until it knows its webhooks. A proxy keeps requests away till then. */
const STARTING_UP = 'n8n is starting up. Please wait';

/** Milliseconds after which a sender gives up on an answer. */
const ANSWER_WITHIN = 60_000;

/** How a request was taken in the end. */
export interface Heard {
	body: string;
	/** Whether an attempt before ended without a word, or with a server error: it may have been taken all the same. */
	isUnclear: boolean;
}

/** A request with a JSON body. */
export const json = (body: object): Question => ({
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify(body),
});

/** Sends to several addresses in turn, and again to the next one when an address does not answer with 200. */
export class Sender {
	private turn = 0;

	constructor(private readonly urls: string[]) {}

	/** Sends until somebody has taken it. */
	async untilHeard(question: Question): Promise<Heard> {
		let isUnclear = false;
		const attempt = async () => {
			const url = this.urls[this.turn++ % this.urls.length];
			const signal = AbortSignal.timeout(ANSWER_WITHIN);
			const answer = await send(url, { method: 'POST', signal, ...question }).catch(
				(error: AxiosError) => error,
			);
			if (answer instanceof Error) {
				isUnclear ||= answer.code !== 'ECONNREFUSED';
				return undefined;
			}
			// A webhook processor that starts answers 404 until it has its routes: whatever is no success is sent again.
			if (answer.status >= 500) isUnclear = true;
			const isTaken = answer.status === 200 && answer.body !== STARTING_UP;
			return isTaken ? { body: answer.body, isUnclear } : undefined;
		};
		return await waitFor('a delivery to be heard', attempt, { every: 200 });
	}

	/**
	 * Sends many as JSON, some at once.
	 *
	 * @param onHeard is told how many have been heard so far
	 * @returns what became of each, in their order
	 */
	async all(bodies: object[], atOnce: number, onHeard: (count: number) => void = () => {}): Promise<Heard[]> {
		const limit = pLimit(atOnce);
		let count = 0;
		return await Promise.all(
			bodies.map((body) =>
				limit(async () => {
					const heard = await this.untilHeard(json(body));
					onHeard(++count);
					return heard;
				}),
			),
		);
	}
}
