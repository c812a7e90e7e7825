import { type IHttpRequestOptions, NodeOperationError } from 'n8n-workflow';

import { isObject } from '../values/json';
import { itemIndexOf, parameterOf, type RequestContext } from './context';

/** n8n's own default timeout of a request, in milliseconds. */
const TIMEOUT_MS = 300_000;

function proxyOf(context: RequestContext, address: string): IHttpRequestOptions['proxy'] {
	let url: URL;
	try {
		url = new URL(address);
	} catch {
		throw new NodeOperationError(context.getNode(), 'Proxy is not a URL', {
			itemIndex: itemIndexOf(context),
			description: 'Enter it with its scheme and port under Request Options, e.g. http://127.0.0.1:3128.',
		});
	}
	const { hostname, port, protocol, username, password } = url;
	return {
		host: hostname,
		port: Number(port || (protocol === 'https:' ? 443 : 80)),
		protocol: protocol.slice(0, -1),
		...(username && {
			auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
		}),
	};
}

/**
 * Returns the connection options of a request, from the *Request Options* that n8n adds to the node's settings.
 *
 * @throws NodeOperationError when the proxy is not a URL
 */
export function connectionOptions(context: RequestContext): Partial<IHttpRequestOptions> {
	const options: unknown = parameterOf(context, 'requestOptions', {});
	const { proxy, timeout, allowUnauthorizedCerts } = isObject(options) ? options : {};
	return {
		timeout: Number(timeout) || TIMEOUT_MS,
		...(proxy && { proxy: proxyOf(context, String(proxy)) }),
		...(allowUnauthorizedCerts === true && { skipSslCertificateValidation: true }),
	};
}
