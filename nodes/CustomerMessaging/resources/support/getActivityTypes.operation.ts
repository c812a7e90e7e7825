import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { listPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/support/activity-types' },
	output: { postReceive: [listPostReceive] },
};

const properties: INodeProperties[] = [];

export const description = updateDisplayOptions(
	{ show: { resource: ['support'], operation: ['getActivityTypes'] } },
	properties,
);
