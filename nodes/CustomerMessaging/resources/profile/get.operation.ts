import { profile } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { simpleProfileFields, simplified, simplify } from '../../outputs/simplified';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const get = operation('GET /profiles/{id}', {
	fields: [pathField('id', profile), ...simplify],
	output: simplified(record, simpleProfileFields),
});
