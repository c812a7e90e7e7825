import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { settingsCategory } from '../../shared/settingsCategory';
import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'GET' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [settingsCategory];

export const description = updateDisplayOptions(
	{ show: { resource: ['settings'], operation: ['get'] } },
	properties,
);
