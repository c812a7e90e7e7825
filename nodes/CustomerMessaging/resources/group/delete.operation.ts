import { group } from '../../fields/locators';
import { deleted } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const remove = operation('DELETE /groups/{id}', {
	fields: [pathField('id', group)],
	output: deleted,
});
