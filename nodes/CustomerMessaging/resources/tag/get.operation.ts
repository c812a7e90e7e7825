import { tag } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const get = operation('GET /tags/{id}', {
	fields: [pathField('id', tag)],
	output: record,
});
