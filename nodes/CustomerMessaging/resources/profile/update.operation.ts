import { profile } from '../../fields/locators';
import { otherFields } from '../../fields/otherFields';
import { profileFields } from '../../fields/profileFields';
import { tenantFields } from '../../fields/tenantFields';
import { record } from '../../outputs/outputs';
import { simpleProfileFields, simplified, simplify } from '../../outputs/simplified';
import { operation } from '../../runner/declare';
import { bodyField, collection, pathField } from '../../runner/field';
import { text } from '../../values/text';

const name = bodyField('name', text, {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description: 'The name of the person',
});

export const update = operation('PATCH /profiles/{id}', {
	fields: [
		pathField('id', profile),
		collection(
			{
				displayName: 'Update Fields',
				name: 'updateFields',
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
			},
			[...profileFields, name],
		),
		tenantFields,
		otherFields,
		...simplify,
	],
	output: simplified(record, simpleProfileFields),
});
