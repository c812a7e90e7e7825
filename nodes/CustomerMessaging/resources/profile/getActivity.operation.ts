import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { activityLocator, profileLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/profiles/{profileId}/activities/{activityId}' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [profileLocator, activityLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['profile'], operation: ['getActivity'] } },
	properties,
);
