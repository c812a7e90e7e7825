import { otherFields } from '../../fields/otherFields';
import { tenantFields } from '../../fields/tenantFields';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { groupName } from './groupName';

export const create = operation('POST /groups', {
	fields: [groupName, tenantFields, otherFields],
	output: record,
});
