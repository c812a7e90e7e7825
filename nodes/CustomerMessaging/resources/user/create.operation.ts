import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { recordPostReceive } from '../../shared/outputs';
import { userEmail, userExternalGroup, userExternalId, userName, userPin } from './userFields';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/users' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [
	{ ...userName, required: true },
	{ ...userEmail, required: true },
	{
		displayName: 'Admin',
		name: 'isAdmin',
		type: 'boolean',
		default: false,
		description: 'Whether the user sees and may act on every customer',
		routing: { send: { type: 'body', property: 'is_admin' } },
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [userExternalGroup, userExternalId, userPin],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['user'], operation: ['create'] } },
	properties,
);
