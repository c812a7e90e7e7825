import { customer } from '../../fields/locators';
import { deleted } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const remove = operation('DELETE /customers/{id}', {
	fields: [pathField('id', customer)],
	output: deleted,
});
