import { customer } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const get = operation('GET /customers/{id}', {
	fields: [pathField('id', customer)],
	output: record,
});
