import type {
	IExecuteFunctions,
	IExecuteSingleFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
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

/** Returns the index of the item that a context works on; undefined in the editor, for a poll and for a whole batch. */
export function itemIndexOf(context: RequestContext): number | undefined {
	return 'getItemIndex' in context ? context.getItemIndex() : undefined;
}

/** Returns the signal that aborts when the execution is stopped. Some contexts have none. */
export function cancelSignalOf(context: RequestContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}
