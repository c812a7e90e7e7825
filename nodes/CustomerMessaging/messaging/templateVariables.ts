import type { IDataObject } from 'n8n-workflow';

import type { ItemContext } from '../runner/field';
import { fieldError } from '../runner/fieldError';
import type { Read } from '../runner/operation';
import { type Conversion, ValueProblem } from '../values/conversion';
import { latitudeDegrees, longitudeDegrees } from '../values/coordinate';
import { objectsOf } from '../values/json';
import { cut, isBlank, text } from '../values/text';
import { headerMedia } from './headerMedia';
import { componentsOf, namesIn, type VariableValues } from './templateComponents';
import {
	bodyVariables,
	buttons,
	componentsJson,
	header,
	type templateVariableSettings,
	variables,
	variablesMode,
} from './templateVariableFields';
import { problemOfNames } from './variableNames';

type ReadVariables = Read<(typeof templateVariableSettings)[number]>;

const FORM = 'Template Variables';

/** Maximum length of a label in an error message. */
const MAX_LABEL = 500;

const EMPTY = new ValueProblem(
	'is empty',
	'The template needs a value for this variable. If it comes from an expression, check that the item has that field.',
);

/** Variables that are not plain text. */
const CONVERSIONS = new Map<string, Conversion<string>>([
	['header_location_latitude', latitudeDegrees],
	['header_location_longitude', longitudeDegrees],
]);

/** The variables that the editor has read from the template. The workflow stores them next to the values. */
const formFields = (context: ItemContext) => objectsOf(context.getNodeParameter('variables.schema', []));

/** Returns the label of a variable in the form. */
function labelOf(fields: IDataObject[], id: string): string {
	const field = fields.find((one) => one.id === id);
	return cut(typeof field?.displayName === 'string' ? field.displayName : `${FORM} (${id})`, MAX_LABEL);
}

/**
 * Returns the values of the form.
 *
 * @throws NodeOperationError when a required variable is empty, when a value is unusable, or when a numbered variable is
 * missing before another
 */
function formValues(
	context: ItemContext,
	fields: IDataObject[],
	read: ReadVariables,
	own: VariableValues,
): VariableValues {
	const given = { ...read(variables), ...own };
	const missing = fields.find(
		({ id, required, removed }) => required === true && removed !== true && isBlank(given[String(id)]),
	);
	if (missing) throw fieldError(context, labelOf(fields, String(missing.id)), EMPTY);
	const values: VariableValues = {};
	for (const [id, value] of Object.entries(given)) {
		if (isBlank(value)) continue;
		const ready = (CONVERSIONS.get(id) ?? text)(value);
		if (ready instanceof ValueProblem) throw fieldError(context, labelOf(fields, id), ready);
		values[id] = ready;
	}
	const places = fields.map(({ id }) => String(id));
	for (const part of ['header_text_', 'body_']) {
		const known = places.length > 0 ? namesIn(places, part) : undefined;
		const problem = problemOfNames(namesIn(Object.keys(values), part), known);
		if (problem) throw fieldError(context, FORM, problem);
	}
	return values;
}

/** The button that a component is for; undefined for another component. */
const buttonOf = ({ type, index }: IDataObject) =>
	String(type).toLowerCase() === 'button' ? String(index) : undefined;

/**
 * Makes the components of the current item's template message, in the chat-app provider's format.
 *
 * @param own values of buttons that the operation gives by itself, which win over those of the user
 * @returns an empty list when there are no variables
 * @throws NodeOperationError that names the variable or the file
 */
export async function templateComponents(
	context: ItemContext,
	read: ReadVariables,
	own: VariableValues = {},
): Promise<IDataObject[]> {
	const mode = read(variablesMode);
	if (mode === 'json') {
		const added = await componentsOf(
			own,
			headerMedia(context, () => ''),
		);
		const replaced = added.map(buttonOf);
		return [...read(componentsJson).filter((one) => !replaced.includes(buttonOf(one))), ...added];
	}
	if (mode === 'components') {
		const values = { ...read(header), ...read(bodyVariables), ...read(buttons), ...own };
		return await componentsOf(
			values,
			headerMedia(context, () => 'Header (File)'),
		);
	}
	const fields = formFields(context);
	const media = headerMedia(context, (kind) => labelOf(fields, `header_${kind}`));
	return await componentsOf(formValues(context, fields, read, own), media);
}
