import { tag } from '../../fields/locators';
import { deleted } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const remove = operation('DELETE /tags/{id}', {
	fields: [pathField('id', tag)],
	output: deleted,
});
