import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { tagLocator } from '../../shared/locators';
import { deletedPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'DELETE', url: '/tags/{tagId}' },
	output: { postReceive: [deletedPostReceive('tagId')] },
};

const properties: INodeProperties[] = [tagLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['tag'], operation: ['delete'] } },
	properties,
);
