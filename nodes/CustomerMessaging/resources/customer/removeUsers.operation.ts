import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { userIds } from '../../shared/ids';
import { customerLocator } from '../../shared/locators';
import { setPostReceive } from '../../shared/outputs';
import { changeIds, without } from '../../shared/sets';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/customers/{customerId}/users' },
	output: { postReceive: [setPostReceive({ field: 'customer_id', parameter: 'customerId' }, 'users')] },
	operations: {
		pagination: changeIds(
			{ name: 'userIds', label: 'User Names or IDs' },
			(user_ids) => ({ user_ids }),
			without,
		),
	},
};

const properties: INodeProperties[] = [customerLocator, userIds];

export const description = updateDisplayOptions(
	{ show: { resource: ['customer'], operation: ['removeUsers'] } },
	properties,
);
