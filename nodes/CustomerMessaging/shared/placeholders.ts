import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { converted, jsonOf } from './values';

const json = jsonOf('object', '{ "%name%": "Jo" }');

/** Values for custom placeholders, by key and value. */
export const placeholders: INodeProperties = {
	displayName: 'Placeholders',
	name: 'placeholders',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Placeholder',
	default: {},
	description:
		'Values for custom placeholders inside the components; each is replaced exactly as it is written',
	options: [
		{
			displayName: 'Placeholder',
			name: 'placeholder',
			values: [
				{
					displayName: 'Placeholder',
					name: 'key',
					type: 'string',
					default: '',
					placeholder: 'e.g. %name%',
					description: 'The text to replace, with its delimiters if it has any',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. Jo',
					description: 'The text to put in its place',
				},
			],
		},
	],
};

/** The same as JSON. */
export const placeholdersJson: INodeProperties = {
	displayName: 'Placeholders (JSON)',
	name: 'placeholdersJson',
	type: 'json',
	default: '{}',
	description: 'Values for custom placeholders as a JSON object; a placeholder above wins over one here',
};

/**
 * The placeholders of the current item from both options.
 *
 * @returns undefined when there are none
 * @throws NodeOperationError when the JSON is not an object
 */
export function placeholderValues(context: IExecuteSingleFunctions): IDataObject | undefined {
	const typed = context.getNodeParameter('options.placeholdersJson', '');
	const fromJson =
		typed === '' ? {} : (converted(context, 'Placeholders (JSON)', json, typed) as IDataObject);
	const rows = context.getNodeParameter('options.placeholders.placeholder', []) as IDataObject[];
	const values: IDataObject = { ...fromJson };
	for (const { key, value } of rows) if (key !== '') values[String(key)] = value;
	return Object.keys(values).length > 0 ? values : undefined;
}
