import type { INodeProperties } from 'n8n-workflow';

import * as getAll from './getAll.operation';
import * as setConsent from './setConsent.operation';
import * as setTags from './setTags.operation';

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['profile'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many profiles',
				description: 'Get the profiles of the tenant, or those that match a search',
				routing: getAll.routing,
			},
			{
				name: 'Set Marketing Consent',
				value: 'setConsent',
				action: 'Set the marketing consent of a profile',
				description: 'Record that a person agrees to marketing messages, or no longer does',
				routing: setConsent.routing,
			},
			{
				name: 'Set Tags',
				value: 'setTags',
				action: 'Set the tags of a profile',
				description: 'Replace all tags of a profile with the given ones',
				routing: setTags.routing,
			},
		],
		default: 'getAll',
	},
	...getAll.description,
	...setConsent.description,
	...setTags.description,
];
