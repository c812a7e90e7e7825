import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { bodyField, clearable, collection, shownAs } from '../../runner/field';
import { boolean } from '../../values/choices';
import { userEmail, userExternalGroup, userExternalId, userName, userPin } from './userFields';

const isAdmin = bodyField('is_admin', boolean, {
	displayName: 'Admin',
	name: 'isAdmin',
	type: 'boolean',
	default: false,
	description: 'Whether the user sees and may act on every customer',
});

export const create = operation('POST /users', {
	fields: [
		shownAs(userName, { required: true }),
		shownAs(userEmail, { required: true }),
		isAdmin,
		collection(
			{
				displayName: 'Additional Fields',
				name: 'additionalFields',
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
			},
			[userExternalGroup, userExternalId, clearable(userPin)],
		),
	],
	output: record,
});
