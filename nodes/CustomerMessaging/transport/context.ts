import type { IExecuteFunctions, IExecuteSingleFunctions, ILoadOptionsFunctions } from 'n8n-workflow';

/** The n8n contexts a request can come from: one item of the routing engine, a whole batch, or the editor. */
export type RequestContext = IExecuteSingleFunctions | IExecuteFunctions | ILoadOptionsFunctions;

/** Name of the credential that every request is authenticated with. */
export const CREDENTIAL = 'customerMessagingApi';

/** The index of the item a context works on; undefined in the editor and for a whole batch. */
export function itemIndexOf(context: RequestContext): number | undefined {
	return 'getItemIndex' in context ? context.getItemIndex() : undefined;
}

/** A parameter of the current item, or of the first one where a context has all of them; the fallback in the editor. */
export function parameterOf(context: RequestContext, name: string, fallback: object): object {
	if ('getItemIndex' in context) return context.getNodeParameter(name, fallback) as object;
	return 'getExecuteData' in context ? (context.getNodeParameter(name, 0, fallback) as object) : fallback;
}

/** The signal of a stopped execution; there may be none. */
export function cancelSignalOf(context: RequestContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}
