import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { profileLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/profiles/{profileId}/marketing-opt-in' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [profileLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['profile'], operation: ['getConsent'] } },
	properties,
);
