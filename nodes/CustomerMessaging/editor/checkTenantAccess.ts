import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { Api } from '../api/client';
import { accessOf } from '../api/credential';
import { Failure, nodeErrorOf } from '../api/errors';
import { isPage, OTHER_SERVICE, unreadable } from '../api/failures';
import { withRemedyInMessage } from '../core/errorItems';
import { limitedView } from '../core/hints';
import { ownMember } from '../values/json';
import { sentences } from '../values/text';

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
		{ url, timeout, proxy, skipSslCertificateValidation }: IHttpRequestOptions,
	): Promise<unknown> =>
		await test.helpers.request({
			url,
			headers: { Authorization: `Bearer ${accessOf(data).token}` },
			json: true,
			timeout,
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

/** A refusal that is not about the token, the proxy or the pace comes from another service: this request has no values to refuse. */
function orOtherService(error: unknown): unknown {
	const told = error instanceof Failure ? error.told : undefined;
	const isOther = /^(2|4(?!01|03|07|29))/.test(String(told?.status)) && !isPage(told?.body);
	return told && isOther ? new Failure({ ...told, failure: OTHER_SERVICE }) : error;
}

/** Tests a credential by reading the user behind the token. Every failure has its text in docs/troubleshooting.md. */
export async function checkTenantAccess(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { context } = new Api(contextOf(this, data));
	try {
		const reading = context.api.send({ url: '/me' });
		const {
			body,
			content,
			statusCode: status,
		} = await reading.catch((error: unknown) => Promise.reject(orOtherService(error)));
		const isUser = ['id', 'name'].every((name) => ownMember(content, name) !== undefined);
		if (!isUser) throw new Failure({ failure: unreadable(body, OTHER_SERVICE), status });
		const view = limitedView(context.api, content) ?? '';
		return { status: 'OK', message: sentences(['The service accepts the access token', view]) };
	} catch (error) {
		return { status: 'Error', message: withRemedyInMessage(nodeErrorOf(context, error)).message };
	}
}
