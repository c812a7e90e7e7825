import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { profileLocator } from '../../shared/locators';
import { setPostReceive } from '../../shared/outputs';
import { syncTags } from '../../shared/sets';
import { tagParameters } from '../../shared/tags';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/profiles/{profileId}/tags' },
	output: { postReceive: [setPostReceive({ field: 'profile_id', parameter: 'profileId' }, 'tags')] },
	operations: { pagination: syncTags },
};

const properties: INodeProperties[] = [profileLocator, ...tagParameters];

export const description = updateDisplayOptions(
	{ show: { resource: ['profile'], operation: ['setTags'] } },
	properties,
);
