import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { parameterError } from '../transport/parameters';
import { preSend } from '../transport/preSend';
import { jsonOf, ValueProblem } from './values';

const json = jsonOf('object', '{ "name": "Regulars" }');

/** Pre-send that puts the free fields of the current item into the body, those that were typed over those from JSON. */
export const freeFieldsPreSend = preSend((context, options) => {
	const text = context.getNodeParameter('fieldsJson', '');
	const parsed = text === '' ? {} : json(text);
	if (parsed instanceof ValueProblem) {
		throw parameterError(context, 'Other Fields (JSON)', parsed.problem, parsed.remedy);
	}
	const rows = (context.getNodeParameter('fields.field', []) as IDataObject[]).filter(
		({ name }) => name !== '',
	);
	const typed = Object.fromEntries(rows.map(({ name, value }) => [String(name).trim(), value]));
	return { ...options, body: { ...(options.body as IDataObject), ...(parsed as IDataObject), ...typed } };
});

/** Fields that neither the interface nor the tenant's description shows: by name, and as JSON. */
export const otherFields: INodeProperties[] = [
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
		displayName: 'Other Fields (JSON)',
		name: 'fieldsJson',
		type: 'json',
		default: '{}',
		description:
			'More fields as a JSON object, for values that are not text; a field above wins over one here',
		routing: { send: { preSend: [freeFieldsPreSend] } },
	},
];
