import { sleep } from 'n8n-workflow';

/** Maximum time in milliseconds for which one run of a node blocks n8n's only thread. */
const UNINTERRUPTED_MS = 5;

/**
 * Yields to the event loop between the items of a run.
 *
 * Without this, the run reads the parameters of thousands of items in one go. For seconds, this blocks other
 * executions, the editor and the run's own responses.
 */
export class EventLoopYielder {
	private since = Date.now();

	private pause: Promise<void> | undefined;

	/** Waits for the next turn of the event loop if the current turn is longer than `UNINTERRUPTED_MS`. */
	async yield(): Promise<void> {
		while (Date.now() - this.since >= UNINTERRUPTED_MS) {
			this.pause ??= sleep(0).then(() => {
				this.since = Date.now();
				this.pause = undefined;
			});
			await this.pause;
		}
	}
}
