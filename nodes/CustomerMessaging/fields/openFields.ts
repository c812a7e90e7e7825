import { type IDataObject, isExpression } from 'n8n-workflow';

import { type ItemContext, type MemberField, memberNames, type OpenField } from '../runner/field';
import { converted, fieldError } from '../runner/fieldError';
import { column, filled, repeatedOf, rowsBy, rowsWith, whenConverted } from '../values/columns';
import { type Conversion, ValueProblem } from '../values/conversion';
import { anyJson, jsonObject, nameProblem } from '../values/json';
import { isBlank, trimmedText } from '../values/text';
import { fieldConversion, mappedPath, type Mapping, type TenantField } from './mapping';

const TENANT_PARAMETER = 'tenantFields';
const TENANT_LABEL = 'Account Fields';

/** Returns the fields of a mapping: the described fields, and mapped fields that are not in the stored description. */
function fieldsOf({ schema = [], value }: Mapping): TenantField[] {
	const seen = new Set(schema.map(({ id }) => id));
	const others = Object.keys(value ?? {}).filter((id) => !seen.has(id));
	return [...schema, ...others.map((id) => ({ id, displayName: id }) as TenantField)];
}

const mappingOf = (context: ItemContext) =>
	context.getNodeParameter(TENANT_PARAMETER, {}, { rawExpressions: true }) as Mapping;

/** Returns the mapped fields of the current item, with the JSON types of the description. */
function tenantMembersOf(context: ItemContext, body: IDataObject, clears: boolean): IDataObject {
	const mapping = mappingOf(context);
	const isAutomatic = mapping.mappingMode === 'autoMapInputData';
	if (isAutomatic && !mapping.schema?.length) {
		const problem = new ValueProblem(
			'are to be taken from the input, but which they are is not known',
			'Open the node, so that n8n reads the fields from your account, or map them by hand.',
		);
		throw fieldError(context, TENANT_LABEL, problem);
	}
	const members = new Map<string, unknown>(Object.entries(body));
	const source = isAutomatic ? context.getInputData().json : (mapping.value ?? {});
	// In the editor, a field that is only added holds `null`.
	const absent = isAutomatic ? undefined : null;
	for (const field of fieldsOf(mapping)) {
		if (!Object.hasOwn(source, field.id) || source[field.id] === absent) continue;
		const given: unknown = source[field.id];
		const value: unknown =
			!isAutomatic && isExpression(given)
				? context.getNodeParameter(mappedPath(TENANT_PARAMETER, field.id))
				: given;
		if (isBlank(value) && !clears) continue;
		const ready = converted(context, field.displayName, fieldConversion(field), value);
		if (ready !== undefined) members.set(field.id, ready);
	}
	return Object.fromEntries(members) as IDataObject;
}

/** The fields that the tenant's own description names for the operation. They are sent under their own names. */
export const tenantFields: OpenField = {
	kind: 'open',
	hasTenantTypes: true,
	membersOf: tenantMembersOf,
	namesOf: (context) =>
		Object.fromEntries(fieldsOf(mappingOf(context)).map(({ id, displayName }) => [id, displayName])),
	parameters: [
		{
			displayName: TENANT_LABEL,
			name: TENANT_PARAMETER,
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			description: 'The fields that your account has beyond the usual ones',
			typeOptions: {
				loadOptionsDependsOn: ['resource', 'operation', 'category'],
				resourceMapper: {
					resourceMapperMethod: 'getTenantFields',
					// The editor shows required fields first but does not require them: *Other Fields* may hold them.
					mode: 'map',
					// n8n shows this in place of the name above.
					valuesLabel: TENANT_LABEL,
					fieldWords: { singular: 'field', plural: 'fields' },
					addAllFields: false,
					multiKeyMatch: false,
					supportAutoMap: true,
					// A notice says why there are none.
					hideNoDataError: true,
				},
			},
		},
	],
};

const OTHER_LABEL = 'Other Fields';

const JSON_LABEL = 'Other Fields (JSON)';

const otherJson = jsonObject('{ "name": "Regulars" }');

const fieldName: Conversion<string> = (value) =>
	whenConverted(trimmedText(value), (name) => nameProblem(name) ?? name);

const otherColumns = [
	column(filled(fieldName), {
		name: 'name',
		placeholder: 'e.g. description',
	}),
	column((value) => anyJson(value ?? null), {
		name: 'value',
		description: 'Text; an expression keeps its type, e.g. {{ 5 }}',
	}),
] as const;

const otherRows = rowsBy('field', otherColumns, ({ name, value }) => name === '' && value === '');

/** Converts the rows to members. */
const membersByName: Conversion<IDataObject> = (value) =>
	whenConverted(otherRows(value), (given) => {
		const repeated = repeatedOf(given.map(({ name }) => name));
		return repeated === undefined
			? (Object.fromEntries(given.map((row) => [row.name, row.value])) as IDataObject)
			: new ValueProblem(`have two values for "${repeated}"`, 'Keep one of the rows.');
	});

/** Leaves out members without a value, or makes of them what clears: an empty text of a text, otherwise null. */
function withoutBlank(members: IDataObject, clears: boolean): IDataObject {
	const cleared = (value: unknown) => (typeof value === 'string' ? '' : null);
	return Object.fromEntries(
		Object.entries(members)
			.filter(([, value]) => clears || !isBlank(value))
			.map(([name, value]) => [name, isBlank(value) ? cleared(value) : value]),
	);
}

/**
 * Returns the fields of the current item. Fields by name override the fields above. Fields from JSON override nothing.
 */
function otherMembersOf(context: ItemContext, body: IDataObject, clears: boolean): IDataObject {
	const given: unknown = context.getNodeParameter('fieldsJson', '');
	const members = isBlank(given) ? {} : converted(context, JSON_LABEL, otherJson, given);
	const byName = converted(context, OTHER_LABEL, membersByName, context.getNodeParameter('fields', {}));
	// The body comes first for its order, and again because it overrides the JSON.
	return { ...body, ...withoutBlank(members, clears), ...body, ...withoutBlank(byName, clears) };
}

/**
 * Fields that neither the interface nor the tenant's description documents. The user enters them by name or as JSON.
 */
export const otherFields: OpenField = {
	kind: 'open',
	membersOf: otherMembersOf,
	parameters: [
		{
			displayName: OTHER_LABEL,
			name: 'fields',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Field',
			default: {},
			description: 'More fields, by their names in the service; they win over those above',
			options: rowsWith('Field', 'field', otherColumns),
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

/**
 * Makes the parameters of members that the interface does not show, but the records of a tenant.
 *
 * None of them is required. Fields that the tenant describes, and *Other Fields*, may have the same members, with values
 * of other types.
 */
export function unshownMembers(fields: Array<MemberField<'body'>>): OpenField {
	return {
		kind: 'open',
		hasTenantTypes: true,
		members: fields.map(({ member }) => member),
		parameters: fields.map(({ parameter }) => parameter),
		membersOf(context, body) {
			const members: IDataObject = { ...body };
			for (const { member, convert, parameter } of fields) {
				const { name, displayName, default: usual } = parameter;
				const value: unknown = context.getNodeParameter(name, usual as object);
				if (!isBlank(value))
					members[member] = converted(context, displayName, convert, value) as IDataObject[string];
			}
			return members;
		},
		namesOf: () => memberNames(fields),
	};
}
