import type { IDataObject } from 'n8n-workflow';

import type { ItemContext, OpenField } from '../runner/field';
import { converted } from '../runner/fieldError';
import { jsonObject, objectsOf } from '../values/json';

const JSON_LABEL = 'Other Fields (JSON)';

const json = jsonObject('{ "name": "Regulars" }');

/** Returns the fields of the current item. Fields by name override fields from JSON. */
function membersOf(context: ItemContext): IDataObject {
	const given: unknown = context.getNodeParameter('fieldsJson', '');
	const members = given === '' ? {} : { ...converted(context, JSON_LABEL, json, given) };
	for (const { name, value } of objectsOf(context.getNodeParameter('fields.field', []))) {
		if (name !== '') members[String(name).trim()] = value;
	}
	return Object.fromEntries(
		Object.entries(members).filter(([, value]) => value !== '' && value !== undefined),
	);
}

/**
 * Fields that neither the interface nor the tenant's description documents. The user enters them by name or as JSON.
 */
export const otherFields: OpenField = {
	kind: 'open',
	membersOf,
	parameters: [
		{
			displayName: 'Other Fields',
			name: 'fields',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Field',
			default: {},
			description:
				'More fields to send, by the names that your tenant uses for them; they win over those above',
			options: [
				{
					displayName: 'Field',
					name: 'field',
					values: [
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: 'e.g. description',
							description: 'The name of the field',
						},
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
							description:
								'The value of the field. It is sent as text; an expression keeps its type, so {{ 5 }} is a number and {{ null }} clears the field.',
						},
					],
				},
			],
		},
		{
			displayName: JSON_LABEL,
			name: 'fieldsJson',
			type: 'json',
			default: '{}',
			description:
				'More fields as a JSON object, for values that are not text; a field above wins over one here',
		},
	],
};
