import { otherFields } from '../../fields/otherFields';
import { tenantFields } from '../../fields/tenantFields';
import { record } from '../../outputs/outputs';
import { operationByChoice } from '../../runner/declare';
import { category } from './category';

export const update = operationByChoice(
	category,
	{
		crm: 'PATCH /settings/crm',
		general: 'PATCH /settings/general',
		thirdParty: 'PATCH /settings/third-party',
	},
	{ fields: [category, tenantFields, otherFields], output: record },
);
