import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { mediaLocator, tagLocator } from '../../shared/locators';
import { setPostReceive } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'DELETE', url: '/media/{mediaId}/tags/{tagId}' },
	output: { postReceive: [setPostReceive({ field: 'media_id', parameter: 'mediaId' }, 'tags')] },
};

const properties: INodeProperties[] = [mediaLocator, tagLocator];

export const description = updateDisplayOptions(
	{ show: { resource: ['media'], operation: ['removeTag'] } },
	properties,
);
