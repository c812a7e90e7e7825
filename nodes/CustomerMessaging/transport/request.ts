import {
	type BinaryHelperFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	jsonParse,
} from 'n8n-workflow';

import { CREDENTIAL, itemIndexOf, type RequestContext } from './context';
import { networkError, statusError } from './errors';
import { executionOf } from './execution';

/** The body of a failing answer; read to its end where a file was expected as a stream. */
async function errorBody(context: RequestContext, { body }: IN8nHttpFullResponse): Promise<unknown> {
	const isStream = typeof body === 'object' && body !== null && 'pipe' in body;
	if (!isStream || !('binaryToString' in context.helpers)) return body;
	const text = await context.helpers.binaryToString(
		body as Parameters<BinaryHelperFunctions['binaryToString']>[0],
	);
	return jsonParse(text, { fallbackValue: text });
}

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
	const { baseUrl, secret, limit } = await executionOf(context);
	const attempt = {
		node: context.getNode(),
		method: options.method ?? 'GET',
		itemIndex: itemIndexOf(context),
		secret,
	};
	let response: IN8nHttpFullResponse;
	try {
		response = await limit(
			async () =>
				(await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
					json: true,
					...options,
					url: `${baseUrl}${options.url}`,
					returnFullResponse: true,
					ignoreHttpStatusErrors: true,
					disableFollowRedirect: true,
				})) as IN8nHttpFullResponse,
		);
	} catch (error) {
		throw networkError(attempt, error);
	}
	if (response.statusCode >= 300) {
		throw statusError(attempt, response.statusCode, await errorBody(context, response));
	}
	return response;
}
