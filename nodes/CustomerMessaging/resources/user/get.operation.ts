import { user } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const get = operation('GET /users/{id}', {
	fields: [pathField('id', user)],
	output: record,
});
