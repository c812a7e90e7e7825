import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { groupIds, idListPreSend } from '../../shared/ids';
import { profileLocator } from '../../shared/locators';
import { setPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/profiles/{profileId}/groups' },
	output: { postReceive: [setPostReceive({ field: 'profile_id', parameter: 'profileId' }, 'groups')] },
};

const properties: INodeProperties[] = [
	profileLocator,
	{
		...groupIds,
		routing: {
			send: { preSend: [idListPreSend('groups', 'groupIds', 'Group Names or IDs', (id) => ({ id }))] },
		},
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['profile'], operation: ['setGroups'] } },
	properties,
);
