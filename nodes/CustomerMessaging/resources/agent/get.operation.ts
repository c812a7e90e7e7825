import { agent } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const get = operation('GET /agents/{id}', {
	fields: [pathField('id', agent)],
	output: record,
});
