import { group } from '../../fields/locators';
import { otherFields } from '../../fields/otherFields';
import { tenantFields } from '../../fields/tenantFields';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';
import { groupName } from './groupName';

export const update = operation('PATCH /groups/{id}', {
	fields: [pathField('id', group), groupName, tenantFields, otherFields],
	output: record,
});
