import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { profileLocator } from '../../shared/locators';
import { recordPostReceive, simpleProfilePostReceive, simplify } from '../../shared/outputs';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/profiles/{profileId}' },
	output: { postReceive: [recordPostReceive, simpleProfilePostReceive] },
};

const properties: INodeProperties[] = [profileLocator, simplify];

export const description = updateDisplayOptions(
	{ show: { resource: ['profile'], operation: ['get'] } },
	properties,
);
