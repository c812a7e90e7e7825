import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { listParameters } from '../../shared/listParameters';
import { listPostReceive } from '../../shared/outputs';
import { sendPages } from '../../transport/pages';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/me/notifications' },
	output: { postReceive: [listPostReceive] },
	operations: { pagination: sendPages() },
};

const properties: INodeProperties[] = [...listParameters];

export const description = updateDisplayOptions(
	{ show: { resource: ['notification'], operation: ['getAll'] } },
	properties,
);
