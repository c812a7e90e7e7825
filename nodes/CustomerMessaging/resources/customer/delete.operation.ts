import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { customerLocator } from '../../shared/locators';
import { deletedPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'DELETE', url: '/customers/{customerId}' },
	output: { postReceive: [deletedPostReceive('customerId')] },
};

const properties: INodeProperties[] = [customerLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['customer'], operation: ['delete'] } },
	properties,
);
