import type { IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';

const FAILURE = Symbol('failure of a pre-send');

type Options = IHttpRequestOptions & { [FAILURE]?: unknown };

type PreSend = (this: IExecuteSingleFunctions, options: IHttpRequestOptions) => Promise<IHttpRequestOptions>;

/**
 * Makes a pre-send whose failure is kept with the request and thrown by `send`.
 *
 * Thrown right away, it would reach n8n's routing engine, whose error items are not linked to the input.
 */
export function preSend(
	work: (context: IExecuteSingleFunctions, options: IHttpRequestOptions) => IHttpRequestOptions,
): PreSend {
	return async function (options: Options) {
		if (FAILURE in options) return options;
		try {
			return work(this, options);
		} catch (error) {
			return { ...options, [FAILURE]: error } as IHttpRequestOptions;
		}
	};
}

/** @throws what a pre-send of this request has thrown before */
export function throwPreSendFailure(options: IHttpRequestOptions): void {
	if (FAILURE in options) throw (options as Options)[FAILURE];
}
