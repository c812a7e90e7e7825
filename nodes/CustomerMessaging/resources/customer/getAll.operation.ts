import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { channelFilters } from '../../shared/channel';
import { listParameters } from '../../shared/listParameters';
import { listPostReceive } from '../../shared/outputs';
import { sendPages } from '../../transport/pages';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/customers' },
	output: { postReceive: [listPostReceive] },
	operations: { pagination: sendPages() },
};

const properties: INodeProperties[] = [...listParameters, channelFilters];

export const description = updateDisplayOptions(
	{ show: { resource: ['customer'], operation: ['getAll'] } },
	properties,
);
