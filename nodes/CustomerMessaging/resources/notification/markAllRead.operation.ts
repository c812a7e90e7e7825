import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { listPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/me/notifications/read' },
	output: { postReceive: [listPostReceive] },
};

const properties: INodeProperties[] = [];

export const description = updateDisplayOptions(
	{ show: { resource: ['notification'], operation: ['markAllRead'] } },
	properties,
);
