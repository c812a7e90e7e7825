import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { listParameters } from '../../shared/listParameters';
import { groupLocator } from '../../shared/locators';
import { listPostReceive, simpleProfilePostReceive, simplify } from '../../shared/outputs';
import { sendPages } from '../../transport/pages';

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/groups/{groupId}/profiles' },
	output: { postReceive: [listPostReceive, simpleProfilePostReceive] },
	operations: { pagination: sendPages() },
};

const properties: INodeProperties[] = [groupLocator, ...listParameters, simplify];

export const description = updateDisplayOptions(
	{ show: { resource: ['group'], operation: ['getProfiles'] } },
	properties,
);
