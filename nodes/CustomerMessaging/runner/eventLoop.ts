import { type IExecuteFunctions, type INodeExecutionData, sleep } from 'n8n-workflow';

import { stoppedError } from '../api/errors';

/** Lets others have a turn after each 500 items: n8n has one thread. */
export async function yieldAt(index: number): Promise<void> {
	if (index % 500 === 499) await sleep(0);
}

/**
 * Does something with each input item of a batch.
 *
 * @throws UserError when the execution is stopped
 */
export async function forEachItem(
	context: IExecuteFunctions,
	act: (item: INodeExecutionData, index: number) => void,
): Promise<void> {
	const signal = context.getExecutionCancelSignal();
	for (const [index, item] of context.getInputData().entries()) {
		await yieldAt(index);
		if (signal?.aborted) throw stoppedError();
		act(item, index);
	}
}
