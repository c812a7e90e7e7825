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

export const CREDENTIAL = 'customerMessagingApi';

/** Whether the node has a credential. The editor asks for the lists and fields of a new node before it has one. */
export const hasCredential = (context: Pick<RequestContext, 'getNode'>) =>
	context.getNode().credentials?.[CREDENTIAL] !== undefined;

/** Maximum time in milliseconds until what waits notices that the execution was stopped, or that it is late. */
export const WATCH_MS = 250;

/** Waits by the time of the process. The time of day jumps when somebody sets the clock. */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	const end = performance.now() + milliseconds;
	while (performance.now() < end && !signal?.aborted)
		await sleep(Math.min(WATCH_MS, end - performance.now()));
}
