import type { IExecuteFunctions, IExecuteSingleFunctions, ILoadOptionsFunctions } from 'n8n-workflow';

/** The n8n contexts a request can come from: one item of the routing engine, a whole batch, or the editor. */
export type RequestContext = IExecuteSingleFunctions | IExecuteFunctions | ILoadOptionsFunctions;

/** Name of the credential that every request is authenticated with. */
export const CREDENTIAL = 'customerMessagingApi';

/** The index of the item a context works on; undefined in the editor and for a whole batch. */
export function itemIndexOf(context: RequestContext): number | undefined {
	return 'getItemIndex' in context ? context.getItemIndex() : undefined;
}
