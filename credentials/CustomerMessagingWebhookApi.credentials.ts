import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

const HMAC = { show: { method: ['hmac'] } };

export class CustomerMessagingWebhookApi implements ICredentialType {
	name = 'customerMessagingWebhookApi';

	displayName = 'Customer Messaging Webhook API';

	icon: Icon = {
		light: 'file:../icons/customerMessaging.svg',
		dark: 'file:../icons/customerMessaging.dark.svg',
	};

	documentationUrl = 'https://customer-messaging.example/n8n-nodes-customer-messaging#trigger';

	properties: INodeProperties[] = [
		{
			displayName: 'Method',
			name: 'method',
			type: 'options',
			options: [
				{
					name: 'Basic Auth',
					value: 'basicAuth',
					description: 'The service sends a user name and a password',
				},
				{
					name: 'Header Secret',
					value: 'headerSecret',
					description: 'The service sends a secret in a header',
				},
				{
					name: 'HMAC Signature',
					value: 'hmac',
					description: 'The service signs the body with a shared secret',
				},
			],
			default: 'headerSecret',
			description: 'How the service proves that a webhook comes from it',
		},
		{
			displayName: 'User Name',
			name: 'user',
			type: 'string',
			default: '',
			required: true,
			description: 'The user name that the service sends',
			displayOptions: { show: { method: ['basicAuth'] } },
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The password that the service sends',
			displayOptions: { show: { method: ['basicAuth'] } },
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			default: 'X-Webhook-Secret',
			required: true,
			description: 'The header in which the service sends the secret',
			displayOptions: { show: { method: ['headerSecret'] } },
		},
		{
			displayName: 'Signature Header Name',
			name: 'signatureHeaderName',
			type: 'string',
			default: 'X-Signature',
			required: true,
			description: 'The header in which the service sends the signature',
			displayOptions: HMAC,
		},
		{
			displayName: 'Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The secret that only the service and this credential know',
			displayOptions: { show: { method: ['headerSecret', 'hmac'] } },
		},
		{
			displayName: 'Algorithm',
			name: 'algorithm',
			type: 'options',
			options: [
				{ name: 'SHA-1', value: 'sha1' },
				{ name: 'SHA-256', value: 'sha256' },
				{ name: 'SHA-384', value: 'sha384' },
				{ name: 'SHA-512', value: 'sha512' },
			],
			default: 'sha256',
			description: 'The hash function of the signature',
			displayOptions: HMAC,
		},
		{
			displayName: 'Encoding',
			name: 'encoding',
			type: 'options',
			options: [
				{ name: 'Base64', value: 'base64' },
				{ name: 'Hexadecimal', value: 'hex' },
			],
			default: 'hex',
			description: 'How the signature is written',
			displayOptions: HMAC,
		},
		{
			displayName: 'Prefix',
			name: 'prefix',
			type: 'string',
			default: '',
			placeholder: 'e.g. sha256=',
			description: 'What stands in front of the signature in the header, if anything',
			displayOptions: HMAC,
		},
		{
			displayName: 'Timestamp Header Name',
			name: 'timestampHeaderName',
			type: 'string',
			default: '',
			placeholder: 'e.g. X-Timestamp',
			description:
				'The header with the time of signing, in seconds or milliseconds since 1970 or as ISO 8601. When given, the signature is made over the timestamp, a dot and the body, and old webhooks are refused. Without it, whoever has recorded a webhook can send it again.',
			displayOptions: HMAC,
		},
		{
			displayName: 'Tolerance in Seconds',
			name: 'toleranceSeconds',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 300,
			description: 'How far the time of signing may be from now',
			displayOptions: HMAC,
		},
	];
}
