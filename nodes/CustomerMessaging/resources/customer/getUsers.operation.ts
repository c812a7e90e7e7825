import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { listParameters } from '../../shared/listParameters';
import { customerLocator } from '../../shared/locators';
import { listPostReceive } from '../../shared/outputs';
import { sendPages } from '../../transport/pages';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/customers/{customerId}/users' },
	output: { postReceive: [listPostReceive] },
	operations: { pagination: sendPages() },
};

const properties: INodeProperties[] = [customerLocator, ...listParameters];

export const description = updateDisplayOptions(
	{ show: { resource: ['customer'], operation: ['getUsers'] } },
	properties,
);
