import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { userLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';
import { pinDigits } from '../../shared/pin';
import { convertBody } from '../../shared/values';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/user/{userId}/verify-pin' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [
	userLocator,
	{
		displayName: 'PIN',
		name: 'pin',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 012345',
		description:
			'The six-digit PIN to check. A PIN that begins with 0 is sent as text, since a number would lose it.',
		routing: { send: { type: 'body', property: 'pin', preSend: [convertBody('pin', 'PIN', pinDigits)] } },
		typeOptions: { password: true },
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['user'], operation: ['verifyPin'] } },
	properties,
);
