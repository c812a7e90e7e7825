import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { otherFields } from '../../shared/freeFields';
import { recordPostReceive } from '../../shared/outputs';
import { tenantFields } from '../../shared/tenantFields';
import { tagTitle } from './tagTitle';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/tags' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [tagTitle, tenantFields, ...otherFields];

export const description = updateDisplayOptions(
	{ show: { resource: ['tag'], operation: ['create'] } },
	properties,
);
