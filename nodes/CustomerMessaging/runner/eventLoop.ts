import { sleep } from 'n8n-workflow';

/** How long one run of a node may keep n8n's only thread before others get their turn. */
const UNINTERRUPTED_MS = 5;

/**
 * Gives the event loop back between the items of a run.
 *
 * Reading the parameters of thousands of items in one go would stop all else for seconds: other executions, the editor, and
 * the run's own answers.
 */
export class EventLoopYielder {
	private since = Date.now();

	private pause: Promise<void> | undefined;

	/** Waits for a turn of the event loop when the last one is long ago. */
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
