import { profile } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const getConsent = operation('GET /profiles/{id}/marketing-opt-in', {
	fields: [pathField('id', profile)],
	output: record,
});
