import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { groupLocator } from '../../shared/locators';
import { deletedPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'DELETE', url: '/groups/{groupId}' },
	output: { postReceive: [deletedPostReceive('groupId')] },
};

const properties: INodeProperties[] = [groupLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['group'], operation: ['delete'] } },
	properties,
);
