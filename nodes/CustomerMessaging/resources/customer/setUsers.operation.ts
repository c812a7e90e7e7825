import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { idListPreSend, userIds } from '../../shared/ids';
import { customerLocator } from '../../shared/locators';
import { setPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/customers/{customerId}/users' },
	output: { postReceive: [setPostReceive({ field: 'customer_id', parameter: 'customerId' }, 'users')] },
};

const properties: INodeProperties[] = [
	customerLocator,
	{ ...userIds, routing: { send: { preSend: [idListPreSend('user_ids', 'userIds', 'User Names or IDs')] } } },
];

export const description = updateDisplayOptions(
	{ show: { resource: ['customer'], operation: ['setUsers'] } },
	properties,
);
