import type { INodeProperties } from 'n8n-workflow';

import { pinDigits } from '../../shared/pin';
import { convertBody } from '../../shared/values';

// The fields of a user that several operations write.

export const userEmail: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. name@email.com',
	description: 'The email address of the user, which no other user may have',
	routing: { send: { type: 'body', property: 'email' } },
};

export const userExternalGroup: INodeProperties = {
	displayName: 'External Group',
	name: 'externalGroup',
	type: 'string',
	default: '',
	placeholder: 'e.g. sales',
	description: 'The group of the user in another system',
	routing: { send: { type: 'body', property: 'external_group' } },
};

export const userExternalId: INodeProperties = {
	displayName: 'External ID',
	name: 'externalId',
	type: 'string',
	default: '',
	placeholder: 'e.g. crm-42',
	description: 'The ID of the user in another system',
	routing: { send: { type: 'body', property: 'external_id' } },
};

export const userName: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description: 'The name of the user',
	routing: { send: { type: 'body', property: 'name' } },
};

export const userPin: INodeProperties = {
	displayName: 'PIN',
	name: 'pin',
	type: 'string',
	default: '',
	placeholder: 'e.g. 012345',
	description:
		'The six-digit PIN for switching users. A PIN that begins with 0 is sent as text, since a number would lose it.',
	routing: { send: { type: 'body', property: 'pin', preSend: [convertBody('pin', 'PIN', pinDigits)] } },
	typeOptions: { password: true },
};
