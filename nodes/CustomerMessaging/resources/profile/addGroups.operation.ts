import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { groupIds } from '../../shared/ids';
import { profileLocator } from '../../shared/locators';
import { setPostReceive } from '../../shared/outputs';
import { changeIds, groupsBody, union } from '../../shared/sets';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/profiles/{profileId}/groups' },
	output: { postReceive: [setPostReceive({ field: 'profile_id', parameter: 'profileId' }, 'groups')] },
	operations: { pagination: changeIds({ name: 'groupIds', label: 'Group Names or IDs' }, groupsBody, union) },
};

const properties: INodeProperties[] = [profileLocator, groupIds];

export const description = updateDisplayOptions(
	{ show: { resource: ['profile'], operation: ['addGroups'] } },
	properties,
);
