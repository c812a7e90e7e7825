import { otherFields } from '../../fields/otherFields';
import { tenantFields } from '../../fields/tenantFields';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { tagTitle } from './tagTitle';

export const create = operation('POST /tags', {
	fields: [tagTitle, tenantFields, otherFields],
	output: record,
});
