import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { openApiPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/support/openapi' },
	output: { postReceive: [openApiPostReceive] },
};

const properties: INodeProperties[] = [];

export const description = updateDisplayOptions(
	{ show: { resource: ['support'], operation: ['getOpenApi'] } },
	properties,
);
