import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { userLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';
import { userPin } from './userFields';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/user/{userId}/verify-pin' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [
	userLocator,
	{ ...userPin, required: true, description: 'The six-digit PIN to check' },
];

export const description = updateDisplayOptions(
	{ show: { resource: ['user'], operation: ['verifyPin'] } },
	properties,
);
