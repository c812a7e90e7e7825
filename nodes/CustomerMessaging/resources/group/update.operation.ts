import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { otherFields } from '../../shared/freeFields';
import { groupLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';
import { tenantFields } from '../../shared/tenantFields';

export const routing: INodePropertyRouting = {
	request: { method: 'PATCH', url: '/groups/{groupId}' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [groupLocator, tenantFields, ...otherFields];

export const description = updateDisplayOptions(
	{ show: { resource: ['group'], operation: ['update'] } },
	properties,
);
