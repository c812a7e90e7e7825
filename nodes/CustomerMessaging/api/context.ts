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

export const isInEditor = (context: RequestContext): context is ILoadOptionsFunctions =>
	!('getExecuteData' in context) && !('getActivationMode' in context);

export const CREDENTIAL = 'customerMessagingApi';

/** Returns the signal that aborts when the execution is stopped. Some contexts have none. */
export const cancelSignalOf = (context: RequestContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** Milliseconds since the start of the process. The time of day jumps when somebody sets the clock. */
export const elapsed = (): number => Math.floor(performance.now());

/** Maximum time in milliseconds until `wait` notices that the execution was stopped. */
const SLICE_MS = 250;

export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	const end = elapsed() + milliseconds;
	while (elapsed() < end && !signal?.aborted) await sleep(Math.min(SLICE_MS, end - elapsed()));
}
