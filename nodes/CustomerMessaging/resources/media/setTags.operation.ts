import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { mediaLocator } from '../../shared/locators';
import { setPostReceive } from '../../shared/outputs';
import { syncTags } from '../../shared/sets';
import { tagParameters } from '../../shared/tags';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/media/{mediaId}/tags' },
	output: { postReceive: [setPostReceive({ field: 'media_id', parameter: 'mediaId' }, 'tags')] },
	operations: { pagination: syncTags },
};

const properties: INodeProperties[] = [mediaLocator, ...tagParameters];

export const description = updateDisplayOptions(
	{ show: { resource: ['media'], operation: ['setTags'] } },
	properties,
);
