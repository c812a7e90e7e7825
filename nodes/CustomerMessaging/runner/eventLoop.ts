import { type IExecuteFunctions, type INodeExecutionData, sleep } from 'n8n-workflow';

import { stoppedError } from '../api/errors';

/** Maximum time in milliseconds for which one run of a node blocks n8n's only thread. */
const UNINTERRUPTED_MS = 5;

/**
 * Yields to the event loop: thousands of items in one go would block other executions, the editor and the run's own
 * responses.
 */
export class EventLoopYielder {
	private since = Date.now();
	private pause: Promise<void> | undefined;

	get isDue(): boolean {
		return Date.now() - this.since >= UNINTERRUPTED_MS;
	}

	async yield(): Promise<void> {
		while (this.isDue) {
			this.pause ??= sleep(0).then(() => {
				this.since = Date.now();
				this.pause = undefined;
			});
			await this.pause;
		}
	}
}

/**
 * Does something with each input item of a batch, and yields to the event loop in between.
 *
 * @throws UserError when the execution is stopped
 */
export async function forEachItem(
	context: IExecuteFunctions,
	act: (item: INodeExecutionData, index: number) => void,
): Promise<void> {
	const eventLoop = new EventLoopYielder();
	const signal = context.getExecutionCancelSignal();
	for (const [index, item] of context.getInputData().entries()) {
		if (eventLoop.isDue) await eventLoop.yield();
		if (signal?.aborted) throw stoppedError();
		act(item, index);
	}
}
