import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { freeFields } from '../../shared/freeFields';
import { groupLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'PATCH', url: '/groups/{groupId}' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [groupLocator, ...freeFields];

export const description = updateDisplayOptions(
	{ show: { resource: ['group'], operation: ['update'] } },
	properties,
);
