import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { listParameters } from '../../shared/listParameters';
import { mediaLocator } from '../../shared/locators';
import { listPostReceive } from '../../shared/outputs';
import { sendPages } from '../../transport/pages';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/media/{mediaId}/tags' },
	output: { postReceive: [listPostReceive] },
	operations: { pagination: sendPages() },
};

const properties: INodeProperties[] = [mediaLocator, ...listParameters];

export const description = updateDisplayOptions(
	{ show: { resource: ['media'], operation: ['getTags'] } },
	properties,
);
