import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { ValueProblem } from '../values/conversion';
import { isObject } from '../values/json';
import type { ItemContext } from './field';
import { fieldError } from './fieldError';

/** n8n's own default timeout of a request, in milliseconds. */
const TIMEOUT_MS = 300_000;

function proxyOf(context: ItemContext, address: string): IHttpRequestOptions['proxy'] {
	let url: URL;
	try {
		url = new URL(address);
	} catch {
		throw fieldError(
			context,
			'Proxy',
			new ValueProblem(
				'is not a URL',
				'Enter it with its scheme and port under Request Options, e.g. http://127.0.0.1:3128.',
			),
		);
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
 * Returns the connection options of an item's requests, from the *Request Options* that n8n adds to the node's
 * settings.
 *
 * @throws NodeOperationError when the proxy is not a URL
 */
export function connectionOptions(context: ItemContext): Partial<IHttpRequestOptions> {
	const options: unknown = context.getNodeParameter('requestOptions', {});
	const { proxy, timeout, allowUnauthorizedCerts } = isObject(options) ? options : {};
	return {
		timeout: Number(timeout) || TIMEOUT_MS,
		...(proxy && { proxy: proxyOf(context, String(proxy)) }),
		...(allowUnauthorizedCerts === true && { skipSslCertificateValidation: true }),
	};
}

/** Returns the earliest start of an item after the start of the run, in milliseconds, from the *Batching* options. */
export function beginsAfter(requestOptions: IDataObject, item: number): number {
	const { batch } = isObject(requestOptions.batching) ? requestOptions.batching : {};
	const { batchInterval, batchSize } = isObject(batch) ? batch : {};
	const interval = Number(batchInterval) || 0;
	const size = Number(batchSize) || 1;
	return interval > 0 && size > 0 ? Math.floor(item / size) * interval : 0;
}
