import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { customerLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/customers/{customerId}' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [customerLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['customer'], operation: ['get'] } },
	properties,
);
