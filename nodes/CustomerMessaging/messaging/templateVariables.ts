import type { IDataObject } from 'n8n-workflow';

import type { ItemContext } from '../runner/field';
import { fieldError } from '../runner/fieldError';
import type { Read } from '../runner/operation';
import { ValueProblem } from '../values/conversion';
import { objectsOf } from '../values/json';
import { headerMedia } from './headerMedia';
import { componentsOf, type VariableValues } from './templateComponents';
import {
	bodyVariables,
	buttons,
	componentsJson,
	header,
	type templateVariableSettings,
	variables,
	variablesMode,
} from './templateVariableFields';

type ReadVariables = Read<(typeof templateVariableSettings)[number]>;

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/**
 * Returns the values of the form.
 *
 * @throws NodeOperationError when a required variable is empty
 */
function formValues(context: ItemContext, read: ReadVariables): VariableValues {
	const values = read(variables);
	// The workflow stores the variables that the editor has read from the template, next to the values.
	const fields = objectsOf(context.getNodeParameter('variables.schema', []));
	const missing = fields.find(
		({ id, required, removed }) => required === true && removed !== true && isEmpty(values[String(id)]),
	);
	if (missing) {
		const problem = new ValueProblem(
			'is empty',
			'The template needs a value for this variable. If it comes from an expression, check that the item has that field.',
		);
		throw fieldError(context, String(missing.displayName), problem);
	}
	return values;
}

/** Returns the values of the components that the user builds by hand, by the IDs of the form. */
function builtValues(read: ReadVariables): VariableValues {
	const { type, latitude, longitude, placeName, placeAddress, name, text, file, filename } = read(header);
	const values: VariableValues = {};
	if (type === 'location') {
		values.header_location_latitude = latitude;
		values.header_location_longitude = longitude;
		values.header_location_name = placeName;
		values.header_location_address = placeAddress;
	} else if (type === 'text') {
		values[`header_text_${String(name)}`] = text;
	} else if (type !== undefined) {
		values[`header_${String(type)}`] = file;
		values.header_document_filename = filename;
	}
	for (const row of read(bodyVariables)) values[`body_${String(row.name).trim()}`] = row.text;
	for (const row of read(buttons)) {
		values[`button_${Number(row.position) - 1}_${String(row.type)}`] = row.value;
	}
	return values;
}

/**
 * Makes the components of the current item's template message, in the chat-app provider's format.
 *
 * @returns an empty list when there are no variables
 * @throws NodeOperationError that names the variable or the file
 */
export async function templateComponents(context: ItemContext, read: ReadVariables): Promise<IDataObject[]> {
	const mode = read(variablesMode);
	if (mode === 'json') return read(componentsJson) as IDataObject[];
	const values = mode === 'components' ? builtValues(read) : formValues(context, read);
	return await componentsOf(values, headerMedia(context));
}
