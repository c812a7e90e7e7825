import {
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	sleep,
} from 'n8n-workflow';

/** The n8n contexts of a request: one item of the routing engine, a whole batch, the editor, or a poll. */
export type RequestContext =
	| IExecuteSingleFunctions
	| IExecuteFunctions
	| ILoadOptionsFunctions
	| IPollFunctions;

/** Whether a person waits in the editor. */
export const isInEditor = (context: RequestContext): context is ILoadOptionsFunctions =>
	!('getExecuteData' in context) && !('getActivationMode' in context);

/** Name of the credential that authenticates every request. */
export const CREDENTIAL = 'customerMessagingApi';

/** Returns the signal that aborts when the execution is stopped. Some contexts have none. */
export function cancelSignalOf(context: RequestContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/**
 * Milliseconds since the start of the process. Only they tell how long something takes: the time of day jumps when somebody
 * sets the clock, and a wait until a time of day could then last for years.
 */
export const elapsed = (): number => Math.floor(performance.now());

/** Maximum time in milliseconds until `wait` notices that the execution was stopped. */
const SLICE_MS = 250;

/** Waits. It ends early when the execution is stopped. */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	const end = elapsed() + milliseconds;
	while (elapsed() < end && !signal?.aborted) await sleep(Math.min(SLICE_MS, end - elapsed()));
}
