import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { profileLocator, tagLocator } from '../../shared/locators';
import { setPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'DELETE', url: '/profiles/{profileId}/tags/{tagId}' },
	output: { postReceive: [setPostReceive({ field: 'profile_id', parameter: 'profileId' }, 'tags')] },
};

const properties: INodeProperties[] = [profileLocator, tagLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['profile'], operation: ['removeTag'] } },
	properties,
);
