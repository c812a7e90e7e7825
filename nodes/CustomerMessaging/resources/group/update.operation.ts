import { group } from '../../fields/locators';
import { otherFields } from '../../fields/otherFields';
import { tenantFields } from '../../fields/tenantFields';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const update = operation('PATCH /groups/{id}', {
	fields: [pathField('id', group), tenantFields, otherFields],
	output: record,
});
