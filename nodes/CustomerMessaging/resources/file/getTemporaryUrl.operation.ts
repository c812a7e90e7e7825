import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { fileUuid } from '../../shared/files';
import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/files/{fileUuid}/temporary-url' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [fileUuid];

export const description = updateDisplayOptions(
	{ show: { resource: ['file'], operation: ['getTemporaryUrl'] } },
	properties,
);
