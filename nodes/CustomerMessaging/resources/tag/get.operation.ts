import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { tagLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/tags/{tagId}' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [tagLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['tag'], operation: ['get'] } },
	properties,
);
