import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { settingsCategory } from '../../shared/settingsCategory';
import { otherFields } from '../../shared/freeFields';
import { recordPostReceive } from '../../shared/outputs';
import { tenantFields } from '../../shared/tenantFields';

export const routing: INodePropertyRouting = {
	request: { method: 'PATCH' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [settingsCategory, tenantFields, ...otherFields];

export const description = updateDisplayOptions(
	{ show: { resource: ['settings'], operation: ['update'] } },
	properties,
);
