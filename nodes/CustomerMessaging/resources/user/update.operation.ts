import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { userLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';
import { userEmail, userExternalGroup, userExternalId, userName, userPin } from './userFields';

export const routing: INodePropertyRouting = {
	request: { method: 'PATCH', url: '/users/{userId}' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [
	userLocator,
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [userEmail, userExternalGroup, userExternalId, userName, userPin],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['user'], operation: ['update'] } },
	properties,
);
