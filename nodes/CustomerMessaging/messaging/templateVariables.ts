import type { IDataObject } from 'n8n-workflow';

import type { ItemContext } from '../runner/field';
import { fieldError } from '../runner/fieldError';
import type { Read } from '../runner/operation';
import { type Conversion, ValueProblem } from '../values/conversion';
import { latitudeDegrees, longitudeDegrees } from '../values/numbers';
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
import { placeOf, problemOfNames } from './variableNames';

type ReadVariables = Read<(typeof templateVariableSettings)[number]>;

const FORM = 'Template Variables';

/** Maximum length of a label in an error message. */
const MAX_LABEL = 500;

/** Variables that are not plain text. */
const CONVERSIONS = new Map<string, Conversion<string>>([
	['header_location_latitude', latitudeDegrees],
	['header_location_longitude', longitudeDegrees],
]);

/** The variables that the editor has read from the template. The workflow stores them next to the values. */
const formFields = (context: ItemContext) => objectsOf(context.getNodeParameter('variables.schema', []));

/**
 * Takes the problem of a parameter. It fails the item, unless problems are collected.
 *
 * @param id the variable without a value, if that is the problem
 */
type Refuse = (label: string, problem: ValueProblem, id?: string) => void;

/** Returns the label of a variable in the form. */
function labelOf(fields: IDataObject[], id: string): string {
	const field = fields.find((one) => one.id === id);
	const label = typeof field?.displayName === 'string' ? field.displayName : `${FORM} (${placeOf(id)})`;
	return cut(label, MAX_LABEL);
}

/** Refuses a required variable without a value, by its sentence. */
function refuseMissing(fields: IDataObject[], { id, about }: IDataObject, refuse: Refuse): void {
	const label = labelOf(fields, String(id));
	const remedy = `Fill in "${label}" of the ${FORM}. If the value comes from an expression, check that the item has that field.`;
	refuse(cut(String(about ?? label), MAX_LABEL), new ValueProblem('is missing', remedy), String(id));
}

/**
 * Returns the values of the form. It refuses a required variable that is empty, an unusable value, and a numbered
 * variable that is missing before another.
 */
function formValues(
	fields: IDataObject[],
	read: ReadVariables,
	refuse: Refuse,
	own: VariableValues,
): VariableValues {
	const given = { ...read(variables), ...own };
	const missing = fields.filter(({ id, isNeeded }) => isNeeded === true && isBlank(given[String(id)]));
	for (const field of missing) refuseMissing(fields, field, refuse);
	const values: VariableValues = {};
	for (const [id, value] of Object.entries(given)) {
		if (isBlank(value)) continue;
		const ready = (CONVERSIONS.get(id) ?? text)(value);
		if (ready instanceof ValueProblem) refuse(labelOf(fields, id), ready);
		else values[id] = ready;
	}
	if (missing.length > 0) return values;
	const places = fields.map(({ id }) => String(id));
	for (const part of ['header_text_', 'body_']) {
		const known = places.length > 0 ? namesIn(places, part) : undefined;
		const problem = problemOfNames(namesIn(Object.keys(values), part), known);
		if (problem) refuse(FORM, problem);
	}
	return values;
}

/** The button that a component is for; undefined for another component. */
const buttonOf = ({ type, index }: IDataObject) =>
	String(type).toLowerCase() === 'button' ? String(index) : undefined;

/** What an item gives for the variables of a template. */
type GivenVariables =
	| { components: IDataObject[] }
	| { values: VariableValues; labelOf: Parameters<typeof headerMedia>[1] };

/**
 * Returns what the current item gives for the variables of its template.
 *
 * @param own values that the operation gives by itself; JSON components do not have them
 */
export function givenVariables(
	context: ItemContext,
	read: ReadVariables,
	refuse: Refuse,
	own: VariableValues = {},
): GivenVariables {
	const mode = read(variablesMode);
	if (mode === 'json') return { components: read(componentsJson) };
	if (mode === 'components') {
		const values = { ...read(header), ...read(bodyVariables), ...read(buttons), ...own };
		return { values, labelOf: () => 'Header (File)' };
	}
	const fields = formFields(context);
	return {
		values: formValues(fields, read, refuse, own),
		labelOf: (kind) => labelOf(fields, `header_${kind}`),
	};
}

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
	const refuse: Refuse = (label, problem) => {
		throw fieldError(context, label, problem);
	};
	const given = givenVariables(context, read, refuse, own);
	if ('values' in given) return await componentsOf(given.values, headerMedia(context, given.labelOf));
	const added = await componentsOf(
		own,
		headerMedia(context, () => ''),
	);
	const replaced = added.map(buttonOf);
	return [...given.components.filter((one) => !replaced.includes(buttonOf(one))), ...added];
}
