import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { mediaLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/media/{mediaId}' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [mediaLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['media'], operation: ['get'] } },
	properties,
);
