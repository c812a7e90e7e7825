import type { IDataObject } from 'n8n-workflow';

import type { ItemContext, OpenField } from '../runner/field';
import { converted } from '../runner/fieldError';
import { column, filled, repeatedOf, rowsBy, whenConverted } from '../values/columns';
import { type Conversion, ValueProblem } from '../values/conversion';
import { anyJson, jsonObject, nameProblem } from '../values/json';
import { isBlank, trimmedText } from '../values/text';

const LABEL = 'Other Fields';

const JSON_LABEL = 'Other Fields (JSON)';

const json = jsonObject('{ "name": "Regulars" }');

/** Converts the name of a field. */
const fieldName: Conversion<string> = (value) =>
	whenConverted(trimmedText(value), (name) => nameProblem(name) ?? name);

const columns = [
	column(filled(fieldName), {
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. description',
	}),
	column(anyJson, {
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
		description: 'Text; an expression keeps its type, e.g. {{ 5 }} or {{ null }}',
	}),
] as const;

const rows = rowsBy('field', columns, ({ name, value }) => name === '' && value === '');

/** Converts the rows to members. */
const membersByName: Conversion<IDataObject> = (value) =>
	whenConverted(rows(value), (given) => {
		const repeated = repeatedOf(given.map(({ name }) => name));
		return repeated === undefined
			? (Object.fromEntries(given.map((row) => [row.name, row.value])) as IDataObject)
			: new ValueProblem(`have two values for "${repeated}"`, 'Keep one of the rows.');
	});

/**
 * Returns the fields of the current item. Fields by name override the fields above. Fields from JSON override nothing.
 */
function membersOf(context: ItemContext, body: IDataObject): IDataObject {
	const given: unknown = context.getNodeParameter('fieldsJson', '');
	const members = isBlank(given) ? {} : converted(context, JSON_LABEL, json, given);
	const byName = converted(context, LABEL, membersByName, context.getNodeParameter('fields', {}));
	// The body comes first for its order, and again because it overrides the JSON.
	return { ...body, ...members, ...body, ...byName };
}

/**
 * Fields that neither the interface nor the tenant's description documents. The user enters them by name or as JSON.
 */
export const otherFields: OpenField = {
	kind: 'open',
	membersOf,
	parameters: [
		{
			displayName: LABEL,
			name: 'fields',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Field',
			default: {},
			description: "More fields, by your tenant's names; they win over those above",
			options: [{ displayName: 'Field', name: 'field', values: columns.map(({ parameter }) => parameter) }],
		},
		{
			displayName: JSON_LABEL,
			name: 'fieldsJson',
			type: 'json',
			default: '{}',
			description: 'More fields as JSON; a field above wins over one here',
		},
	],
};
