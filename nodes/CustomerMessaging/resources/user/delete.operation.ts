import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { userLocator } from '../../shared/locators';
import { deletedPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'DELETE', url: '/users/{userId}' },
	output: { postReceive: [deletedPostReceive('userId')] },
};

const properties: INodeProperties[] = [userLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['user'], operation: ['delete'] } },
	properties,
);
