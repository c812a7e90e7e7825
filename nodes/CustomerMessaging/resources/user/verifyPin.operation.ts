import { user } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField, shownAs } from '../../runner/field';
import { userPin } from './userFields';

export const verifyPin = operation('POST /user/{id}/verify-pin', {
	fields: [
		pathField('id', user),
		shownAs(userPin, { required: true, description: 'The six-digit PIN to check' }),
	],
	output: record,
});
