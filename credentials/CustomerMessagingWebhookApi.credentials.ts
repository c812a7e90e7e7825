import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { choice } from '../nodes/CustomerMessaging/values/choices';
import { parameters } from '../nodes/CustomerMessaging/values/field';

const SAME_IN_ACCOUNT = 'At least 16 characters. The webhook settings of your account need the same.';

const showFor = (...method: string[]) => ({ show: { method } });

const [, method] = choice(
	{
		basicAuth: 'The service sends a user name and a password',
		headerSecret: 'The service sends a secret in a header',
		hmac: ['HMAC Signature', 'The service signs the body with a shared secret (SHA-256)'],
		standardWebhooks: 'The service signs each webhook as standardwebhooks.com specifies',
	},
	'headerSecret',
	{ name: 'method', description: 'How the service proves that a webhook comes from it' },
);

const [, encoding] = choice({ base64: ['Base64'], hex: ['Hexadecimal'] }, 'hex', {
	name: 'encoding',
	description: 'How the signature is encoded',
	displayOptions: showFor('hmac'),
});

export class CustomerMessagingWebhookApi implements ICredentialType {
	name = 'customerMessagingWebhookApi';

	displayName = 'Customer Messaging Webhook API';

	icon: Icon = {
		light: 'file:../icons/customerMessaging.svg',
		dark: 'file:../icons/customerMessaging.dark.svg',
	};

	// No HTTP Request node sends its secret.
	restrictToSupportedNodes = true as const;

	documentationUrl = 'https://customer-messaging.example/n8n-nodes-customer-messaging#trigger';

	properties: INodeProperties[] = parameters([
		method,
		{
			displayName: 'User Name',
			name: 'user',
			required: true,
			description: 'The user name that the service sends',
			displayOptions: showFor('basicAuth'),
		},
		{
			name: 'password',
			typeOptions: { password: true },
			required: true,
			description: 'The password that the service sends',
			hint: SAME_IN_ACCOUNT,
			displayOptions: showFor('basicAuth'),
		},
		{
			name: 'headerName',
			default: 'X-Webhook-Secret',
			required: true,
			description: 'The header in which the service sends the secret',
			displayOptions: showFor('headerSecret'),
		},
		{
			name: 'signatureHeaderName',
			default: 'X-Signature',
			required: true,
			description: 'The header in which the service sends the signature',
			displayOptions: showFor('hmac'),
		},
		{
			name: 'secret',
			typeOptions: { password: true },
			required: true,
			description:
				'The secret that you share with the service. For Standard Webhooks, it begins with whsec_.',
			hint: SAME_IN_ACCOUNT,
			displayOptions: showFor('headerSecret', 'hmac', 'standardWebhooks'),
		},
		encoding,
		{
			name: 'prefix',
			placeholder: 'e.g. sha256=',
			description: 'The text in front of the signature in the header, if any',
			displayOptions: showFor('hmac'),
		},
		{
			name: 'timestampHeaderName',
			description:
				'The header with the time of signing, in seconds or milliseconds since 1970 or as ISO 8601. With it, the signature covers the timestamp, a dot and the body, and webhooks of more than five minutes ago are refused. Without it, a recorded webhook can be sent again.',
			placeholder: 'e.g. X-Timestamp',
			displayOptions: showFor('hmac'),
		},
	]);
}
