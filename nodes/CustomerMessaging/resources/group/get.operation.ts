import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { groupLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/groups/{groupId}' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [groupLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['group'], operation: ['get'] } },
	properties,
);
