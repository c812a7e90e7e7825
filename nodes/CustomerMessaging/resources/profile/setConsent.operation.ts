import { profile } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { bodyField, pathField } from '../../runner/field';
import { boolean } from '../../values/booleans';

const optIn = bodyField('opt_in', boolean, {
	displayName: 'Opt In',
	name: 'optIn',
	type: 'boolean',
	default: false,
	description: 'Whether the person agrees to marketing messages; switched off, the consent is withdrawn',
});

export const setConsent = operation('POST /profiles/{id}/marketing-opt-in', {
	fields: [pathField('id', profile), optIn],
	output: record,
});
