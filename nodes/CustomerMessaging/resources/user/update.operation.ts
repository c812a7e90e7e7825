import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { userLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';
import { pinDigits } from '../../shared/pin';
import { convertBody } from '../../shared/values';

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
		options: [
			{
				displayName: 'Email',
				name: 'email',
				type: 'string',
				default: '',
				placeholder: 'e.g. name@email.com',
				description: 'The email address of the user, which no other user may have',
				routing: { send: { type: 'body', property: 'email' } },
			},
			{
				displayName: 'External Group',
				name: 'externalGroup',
				type: 'string',
				default: '',
				placeholder: 'e.g. sales',
				description: 'The group of the user in another system',
				routing: { send: { type: 'body', property: 'external_group' } },
			},
			{
				displayName: 'External ID',
				name: 'externalId',
				type: 'string',
				default: '',
				placeholder: 'e.g. crm-42',
				description: 'The ID of the user in another system',
				routing: { send: { type: 'body', property: 'external_id' } },
			},
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Nathan Smith',
				description: 'The name of the user',
				routing: { send: { type: 'body', property: 'name' } },
			},
			{
				displayName: 'PIN',
				name: 'pin',
				type: 'string',
				default: '',
				placeholder: 'e.g. 012345',
				description:
					'The six-digit PIN for switching users. A PIN that begins with 0 is sent as text, since a number would lose it.',
				routing: { send: { type: 'body', property: 'pin', preSend: [convertBody('pin', 'PIN', pinDigits)] } },
				typeOptions: { password: true },
			},
		],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['user'], operation: ['update'] } },
	properties,
);
