import { user } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { clearable, collection, pathField } from '../../runner/field';
import { userEmail, userExternalGroup, userExternalId, userName, userPin } from './userFields';

export const update = operation('PATCH /users/{id}', {
	fields: [
		pathField('id', user),
		collection(
			{
				displayName: 'Update Fields',
				name: 'updateFields',
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
			},
			[userEmail, userExternalGroup, userExternalId, userName, clearable(userPin)],
		),
	],
	output: record,
});
