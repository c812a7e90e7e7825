import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { mediaLocator } from '../../shared/locators';
import { deletedPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'DELETE', url: '/media/{mediaId}' },
	output: { postReceive: [deletedPostReceive('mediaId')] },
};

const properties: INodeProperties[] = [mediaLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['media'], operation: ['delete'] } },
	properties,
);
