import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { CREDENTIAL, itemIndexOf, type RequestContext } from './context';
import { networkError, statusError } from './errors';
import { executionOf } from './execution';

/**
 * Sends one request to the tenant. Every request of the package, from items and from the editor, passes here.
 *
 * Redirects are not followed, since n8n would send the token along.
 *
 * @param options `url` is a path of the interface
 * @returns the answer, whose status is below 300
 * @throws NodeApiError with the service's message and the way out
 */
export async function request(
	context: RequestContext,
	options: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	const { baseUrl } = await executionOf(context);
	const node = context.getNode();
	const itemIndex = itemIndexOf(context);
	let response: IN8nHttpFullResponse;
	try {
		response = (await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
			json: true,
			...options,
			url: `${baseUrl}${options.url}`,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
	} catch (error) {
		throw networkError(node, error, options.method ?? 'GET', itemIndex);
	}
	if (response.statusCode >= 300) throw statusError(node, response.statusCode, response.body, itemIndex);
	return response;
}
