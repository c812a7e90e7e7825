import { sleep } from 'n8n-workflow';

/** Maximum time in milliseconds until `wait` notices that the execution was stopped. */
const SLICE_MS = 250;

/** Waits. It ends early when the execution is stopped. */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	const end = Date.now() + milliseconds;
	while (Date.now() < end && !signal?.aborted) await sleep(Math.min(SLICE_MS, end - Date.now()));
}
