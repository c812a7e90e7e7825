import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { groupLocator, profileLocator } from '../../shared/locators';
import { setPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'DELETE', url: '/profiles/{profileId}/groups/{groupId}' },
	output: { postReceive: [setPostReceive({ field: 'profile_id', parameter: 'profileId' }, 'groups')] },
};

const properties: INodeProperties[] = [profileLocator, groupLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['profile'], operation: ['removeGroup'] } },
	properties,
);
