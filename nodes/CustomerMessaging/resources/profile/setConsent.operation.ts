import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { profileLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/profiles/{profileId}/marketing-opt-in' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [
	profileLocator,
	{
		displayName: 'Opt In',
		name: 'optIn',
		type: 'boolean',
		default: false,
		description: 'Whether the person agrees to marketing messages; switched off, the consent is withdrawn',
		routing: { send: { type: 'body', property: 'opt_in' } },
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['profile'], operation: ['setConsent'] } },
	properties,
);
