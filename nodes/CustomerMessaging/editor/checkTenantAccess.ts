import {
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type INode,
	type INodeCredentialTestResult,
} from 'n8n-workflow';

import { Api } from '../api/client';
import { accessOf } from '../api/credential';
import { Failure, nodeErrorOf } from '../api/errors';
import { type FailureKind, isPage, OTHER_SERVICE, statusFailure, unreadable } from '../api/failures';
import { limitedView } from '../core/hints';
import { isObject } from '../values/json';
import { sentences, stringOf } from '../values/text';

const TIMEOUT_MS = 10_000;

/** n8n tests a credential without a node. Errors need one. */
const NODE: INode = {
	id: '',
	name: 'Customer Messaging',
	type: 'customerMessaging',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Makes the context of the request. n8n gives tests only its older way to send, and no authentication. */
function contextOf(test: ICredentialTestFunctions, data: ICredentialDataDecryptedObject) {
	const httpRequestWithAuthentication = async (
		_credential: string,
		{ url, timeout = TIMEOUT_MS, proxy, skipSslCertificateValidation }: IHttpRequestOptions,
	): Promise<unknown> =>
		await test.helpers.request({
			url,
			headers: { Authorization: `Bearer ${accessOf(data).token}` },
			json: true,
			timeout: Math.min(timeout, TIMEOUT_MS),
			...(proxy && { proxy }),
			...(skipSslCertificateValidation && { rejectUnauthorized: false }),
			useStream: true,
			resolveWithFullResponse: true,
			simple: false,
			followRedirect: false,
			followAllRedirects: false,
			sendCredentialsOnCrossOriginRedirect: false,
		});
	return {
		getCredentials: async () => data,
		getNode: () => NODE,
		helpers: { httpRequestWithAuthentication },
	} as unknown as ILoadOptionsFunctions;
}

const isUser = (record: unknown) =>
	isObject(record) &&
	Object.hasOwn(record, 'id') &&
	['email', 'name', 'permissions', 'roles', 'uses_personal_access_token'].some((name) =>
		Object.hasOwn(record, name),
	);

/** Returns the failure for a status. This request has no values that a tenant could refuse, so others answer so. */
function failureOfStatus(status: number): FailureKind {
	const isKnown = (status >= 300 && status < 400) || status >= 500 || [401, 403, 407, 429].includes(status);
	return isKnown ? statusFailure(status) : OTHER_SERVICE;
}

/** Returns what a person reads about a failed request: what happened, the remedy, and what the tenant says. */
function textOf(context: { api: Api }, error: unknown): string {
	const { message, description } = nodeErrorOf(context, error);
	const { status, body } = error instanceof Failure ? error.told : {};
	if (status === undefined || isPage(body)) return sentences([message, ...stringOf(description).split('\n')]);
	const { message: headline, remedy } = failureOfStatus(status);
	const isSaid = message !== `${statusFailure(status).message} (HTTP ${status})`;
	const said = isSaid ? `The response says: “${message.replace(/\s+/g, ' ')}”` : '';
	return sentences([`${headline} (HTTP ${status})`, remedy, said]);
}

/** Tests a credential by reading the user behind the token. Every failure has its text in the README. */
export async function checkTenantAccess(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { context } = new Api(contextOf(this, data));
	try {
		const { body, content } = await context.api.send({ url: '/me' });
		const view = limitedView(context.api, content) ?? '';
		if (isUser(content))
			return { status: 'OK', message: sentences(['The service accepts the access token', view]) };
		const { message, remedy } = typeof body === 'string' ? unreadable(body, OTHER_SERVICE) : OTHER_SERVICE;
		return { status: 'Error', message: sentences([message, remedy]) };
	} catch (error) {
		return { status: 'Error', message: textOf(context, error) };
	}
}
