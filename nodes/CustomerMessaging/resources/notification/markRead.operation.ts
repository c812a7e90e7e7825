import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { notificationLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/me/notifications/{notificationUuid}/read' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [notificationLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['notification'], operation: ['markRead'] } },
	properties,
);
