import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { freeFields } from '../../shared/freeFields';
import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/templates' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [...freeFields];

export const description = updateDisplayOptions(
	{ show: { resource: ['template'], operation: ['create'] } },
	properties,
);
