import { record } from '../../outputs/outputs';
import { operationByChoice } from '../../runner/declare';
import { category } from './category';

export const get = operationByChoice(
	category,
	{ crm: 'GET /settings/crm', general: 'GET /settings/general', thirdParty: 'GET /settings/third-party' },
	{ fields: [category], output: record },
);
