import { bodyField, clearable } from '../../runner/field';
import { pinDigits } from './pin';
import { text } from '../../values/text';

// The fields of a user that several operations write.

export const userEmail = bodyField('email', text, {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. name@email.com',
	description: 'The email address of the user, which no other user may have',
});

export const userExternalGroup = clearable(
	bodyField('external_group', text, {
		displayName: 'External Group',
		name: 'externalGroup',
		type: 'string',
		default: '',
		placeholder: 'e.g. sales',
		description: 'The group of the user in another system',
	}),
);

export const userExternalId = clearable(
	bodyField('external_id', text, {
		displayName: 'External ID',
		name: 'externalId',
		type: 'string',
		default: '',
		placeholder: 'e.g. crm-42',
		description: 'The ID of the user in another system',
	}),
);

export const userName = bodyField('name', text, {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description: 'The name of the user',
});

export const userPin = bodyField('pin', pinDigits, {
	displayName: 'PIN',
	name: 'pin',
	type: 'string',
	default: '',
	placeholder: 'e.g. 012345',
	description:
		'The six-digit PIN for switching users. A PIN that begins with 0 is sent as text, since a number would lose it.',
	typeOptions: { password: true },
});
