import type { IDataObject } from 'n8n-workflow';

import { setting } from '../runner/field';
import type { Read } from '../runner/operation';
import type { Conversion } from '../values/conversion';
import { jsonObject } from '../values/json';
import { rowsOf } from '../values/rows';

const json = jsonObject('{ "%name%": "Jo" }');

const jsonOrNothing: Conversion<IDataObject> = (value) => (value === '' ? {} : json(value));

/** Values for custom placeholders, as rows of key and value. */
export const placeholders = setting('options.placeholders', rowsOf('placeholder'), {
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
});

/** Values for custom placeholders, as JSON. */
export const placeholdersJson = setting('options.placeholdersJson', jsonOrNothing, {
	displayName: 'Placeholders (JSON)',
	name: 'placeholdersJson',
	type: 'json',
	default: '{}',
	description: 'Values for custom placeholders as a JSON object; a placeholder above wins over one here',
});

/**
 * Returns the placeholders of the current item from both options.
 *
 * @returns undefined when there are none
 */
export function placeholderValues(
	read: Read<typeof placeholders | typeof placeholdersJson>,
): IDataObject | undefined {
	const values = { ...read(placeholdersJson) };
	for (const { key, value } of read(placeholders)) if (key !== '') values[String(key)] = value;
	return Object.keys(values).length > 0 ? values : undefined;
}
