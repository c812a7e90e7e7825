import type { INodeProperties } from 'n8n-workflow';

/** The limits for requests to the tenant. The transport reads them. */
export const requestLimits: INodeProperties = {
	displayName: 'Request Limits',
	name: 'requestLimits',
	type: 'collection',
	placeholder: 'Add Request Limit',
	default: {},
	description: 'How much the node asks of the tenant at once, and how long it keeps trying',
	options: [
		{
			displayName: 'Maximum in Flight',
			name: 'maximumInFlight',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 200 },
			default: 40,
			description:
				'How many requests may be under way at once. The node starts with 10 and goes up to this while answers stay quick.',
		},
		{
			displayName: 'Maximum Tries',
			name: 'maximumTries',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 50 },
			default: 10,
			description:
				'How often a request is sent at most. It is sent again only where that cannot do anything twice: after Too Many Requests, when the tenant was not reached, and for reads, updates and deletes. Without word from the service when to come back it is sent four times at most.',
		},
		{
			displayName: 'Page Delay (Ms)',
			name: 'pageDelay',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description: 'How many milliseconds to wait between the pages of a list',
		},
		{
			displayName: 'Try For (Seconds)',
			name: 'tryForSeconds',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 120,
			description: 'How long a request is tried at most after it first went out, waiting included',
		},
	],
};
