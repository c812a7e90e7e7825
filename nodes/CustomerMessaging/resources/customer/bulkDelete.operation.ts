import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { customerIds, idListPreSend } from '../../shared/ids';
import { deletedManyPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/customers/bulk-delete' },
	output: { postReceive: [deletedManyPostReceive] },
};

const properties: INodeProperties[] = [
	{
		...customerIds,
		required: true,
		routing: { send: { preSend: [idListPreSend('ids', 'customerIds', 'Customer Names or IDs')] } },
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['customer'], operation: ['bulkDelete'] } },
	properties,
);
