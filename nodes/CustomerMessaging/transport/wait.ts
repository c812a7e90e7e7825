import { sleep } from 'n8n-workflow';

/** Longest uninterrupted wait, after which a stopped execution is noticed. */
const SLICE_MS = 250;

/** Waits, but no longer than the execution goes on. */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	const end = Date.now() + milliseconds;
	while (Date.now() < end && !signal?.aborted) await sleep(Math.min(SLICE_MS, end - Date.now()));
}
