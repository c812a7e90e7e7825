import { group } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const get = operation('GET /groups/{id}', {
	fields: [pathField('id', group)],
	output: record,
});
