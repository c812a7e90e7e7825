import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { otherFields } from '../../shared/freeFields';
import { recordPostReceive } from '../../shared/outputs';
import { tenantFields } from '../../shared/tenantFields';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/templates' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [tenantFields, ...otherFields];

export const description = updateDisplayOptions(
	{ show: { resource: ['template'], operation: ['create'] } },
	properties,
);
