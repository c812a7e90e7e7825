import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { accessOf, advanced, urlWithinTenant } from '../nodes/CustomerMessaging/api/credential';
import { parameters } from '../nodes/CustomerMessaging/values/field';

export class CustomerMessagingApi implements ICredentialType {
	name = 'customerMessagingApi';

	displayName = 'Customer Messaging API';

	icon: Icon = {
		light: 'file:../icons/customerMessaging.svg',
		dark: 'file:../icons/customerMessaging.dark.svg',
	};

	documentationUrl = 'https://customer-messaging.example/n8n-nodes-customer-messaging#credential';

	/** `authenticate` sends nothing to another host than the tenant's, so n8n needs no list of allowed ones. */
	hideDomainRestrictionFields = true;

	properties: INodeProperties[] = parameters([
		{
			name: 'tenantDomain',
			required: true,
			placeholder: 'e.g. acme.example.com',
			description: 'The host name of your account, as in the address bar of your browser',
		},
		{
			name: 'accessToken',
			typeOptions: { password: true },
			required: true,
			description: 'The token that the service issued for this integration',
		},
		advanced,
	]);

	/**
	 * Adds the tenant's base URL and the bearer token to a request ("Authentication" in the interface description).
	 *
	 * @throws UserError when the domain is malformed, the token is empty, or the URL is outside the tenant
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { baseUrl, token } = accessOf(credentials);
		// n8n's HTTP Request node still uses `uri`.
		const { uri, ...options } = requestOptions as IHttpRequestOptions & { uri?: string };
		return {
			...options,
			baseURL: undefined,
			url: urlWithinTenant(baseUrl, options.url ?? uri ?? ''),
			headers: { ...options.headers, Authorization: `Bearer ${token}` },
			// A redirect would take the token along, at least to another path and to subdomains. The interface has none.
			disableFollowRedirect: true,
			maxRedirects: 0,
			followRedirect: false,
			followAllRedirects: false,
			sendCredentialsOnCrossOriginRedirect: false,
		} as IHttpRequestOptions;
	}
}
