import { tag } from '../../fields/locators';
import { otherFields } from '../../fields/otherFields';
import { tenantFields } from '../../fields/tenantFields';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';
import { tagTitle } from './tagTitle';

export const update = operation('PATCH /tags/{id}', {
	fields: [pathField('id', tag), tagTitle, tenantFields, otherFields],
	output: record,
});
