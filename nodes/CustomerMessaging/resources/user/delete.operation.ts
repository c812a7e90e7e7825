import { user } from '../../fields/locators';
import { deleted } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const remove = operation('DELETE /users/{id}', {
	fields: [pathField('id', user)],
	output: deleted,
});
