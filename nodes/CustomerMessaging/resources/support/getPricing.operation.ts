import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/support/chatapp-pricing' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [];

export const description = updateDisplayOptions(
	{ show: { resource: ['support'], operation: ['getPricing'] } },
	properties,
);
