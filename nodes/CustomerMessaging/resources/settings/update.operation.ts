import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { settingsCategory } from '../../shared/settingsCategory';
import { freeFields } from '../../shared/freeFields';
import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'PATCH' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [settingsCategory, ...freeFields];

export const description = updateDisplayOptions(
	{ show: { resource: ['settings'], operation: ['update'] } },
	properties,
);
