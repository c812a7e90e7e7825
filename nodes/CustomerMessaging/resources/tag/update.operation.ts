import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { tagLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';
import { tagTitle } from './tagTitle';

export const routing: INodePropertyRouting = {
	request: { method: 'PATCH', url: '/tags/{tagId}' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [tagLocator, tagTitle];

export const description = updateDisplayOptions(
	{ show: { resource: ['tag'], operation: ['update'] } },
	properties,
);
