import { otherFields } from '../../fields/otherFields';
import { tenantFields } from '../../fields/tenantFields';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const create = operation('POST /groups', {
	fields: [tenantFields, otherFields],
	output: record,
});
