import { type IDataObject, isExpression } from 'n8n-workflow';

import { type ItemContext, type MemberField, memberNames, type OpenField } from '../core/field';
import { fieldError, parseField } from '../core/fieldError';
import { setting } from '../values/field';
import { distinct, filled, rowsBy, rowsWith } from '../values/columns';
import { InvalidValue, type Parse } from '../values/parse';
import { checkName, isObject, jsonObject, ownMember } from '../values/json';
import { isBlank, stringOf, trimmedText } from '../values/text';
import { tenantFieldName } from './locators';
import { fieldParser, fieldOfKey, mappedPath, type Mapping, type TenantField } from './mapping';

const FORM_LABEL = 'Settings';

/** Returns the fields of a mapping: the described fields, and mapped fields that are not in the stored description. */
function fieldsOf({ schema = [], value }: Mapping): TenantField[] {
	const seen = new Set(schema.map(({ id }) => id));
	const others = Object.keys(value ?? {}).filter((id) => !seen.has(id));
	return [...schema, ...others.map((id) => ({ id, displayName: id }) as TenantField)];
}

const mappingOf = (context: ItemContext, path: string) =>
	context.getNodeParameter(path, {}, { rawExpressions: true }) as Mapping;

/** Adds values of fields to a body, with the JSON types of the fields. */
function withValues(
	context: ItemContext,
	body: IDataObject,
	clears: boolean,
	values: Iterable<[field: TenantField, value: unknown]>,
): IDataObject {
	const members = new Map<string, unknown>(Object.entries(body));
	for (const [field, value] of values) {
		if (isBlank(value) && !clears) continue;
		const ready = parseField(context, field.displayName, fieldParser(field), value);
		if (ready !== undefined) members.set(field.id, ready);
	}
	return Object.fromEntries(members) as IDataObject;
}

/** Returns the mapped fields of the current item with their values. */
function mappedValues(context: ItemContext, path: string): Array<[field: TenantField, value: unknown]> {
	const mapping = mappingOf(context, path);
	const isAutomatic = mapping.mappingMode === 'autoMapInputData';
	if (isAutomatic && !mapping.schema?.length) {
		const invalid = new InvalidValue(
			'are to be mapped automatically, but the settings of your account are not known',
			'Open the node, so that n8n reads them from your account, or map them manually.',
		);
		throw fieldError(context, FORM_LABEL, invalid);
	}
	const source = isAutomatic ? context.getInputData().json : (mapping.value ?? {});
	// In the editor, a field that is only added holds `null`.
	const absent = isAutomatic ? undefined : null;
	return fieldsOf(mapping)
		.filter(({ id }) => Object.hasOwn(source, id) && source[id] !== absent)
		.map((field) => {
			const given: unknown = source[field.id];
			return [
				field,
				!isAutomatic && isExpression(given) ? context.getNodeParameter(mappedPath(path, field.id)) : given,
			];
		});
}

/**
 * The settings that the tenant has, and those that its own description names. They are sent under their own names.
 *
 * It stands beside the main parameters, since n8n loads the fields of no form in a collection.
 */
export const settingsForm: OpenField = {
	hasTenantTypes: true,
	membersOf: (context, body, clears, path) => withValues(context, body, clears, mappedValues(context, path)),
	namesOf: (context, _body, path) =>
		Object.fromEntries(fieldsOf(mappingOf(context, path)).map(({ id, displayName }) => [id, displayName])),
	parameters: [
		{
			displayName: FORM_LABEL,
			name: 'tenantFields',
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			typeOptions: {
				loadOptionsDependsOn: ['category'],
				resourceMapper: {
					resourceMapperMethod: 'getTenantFields',
					// The editor shows required fields first but does not require them: *Other Fields* may hold them.
					mode: 'map',
					// n8n shows this in place of the name above.
					valuesLabel: FORM_LABEL,
					fieldWords: { singular: 'setting', plural: 'settings' },
					addAllFields: false,
					multiKeyMatch: false,
					supportAutoMap: true,
					// The tenant may have other settings now.
					refreshStaleSchemaOnOpen: true,
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

/** Returns the key of a field in a row, which a workflow may also store without the mode in which it was given. */
const keyIn = (name: unknown) => (isObject(name) ? name.value : name);

const fieldOfRow: Parse<TenantField> = (name) => {
	const field = fieldOfKey(filled(trimmedText)(keyIn(name)));
	checkName(field.id);
	const label = stringOf(ownMember(name, 'cachedResultName'));
	return { ...field, displayName: label || field.id };
};

const otherColumns = [
	setting('name', fieldOfRow, tenantFieldName),
	setting('value', (value: unknown) => value, {}),
] as const;

const otherRows = distinct(
	rowsBy('field', otherColumns, ({ name, value }) => isBlank(keyIn(name)) && value === ''),
	({ name }) => name.id,
);

/** Returns the fields in rows of the current item with their values. */
function valuesInRows(context: ItemContext, path: string): Array<[field: TenantField, value: unknown]> {
	const rows = parseField(context, OTHER_LABEL, otherRows, context.getNodeParameter(path, {}));
	return rows.map(({ name, value }) => [name, value]);
}

/** Further fields of a record, of those that the tenant describes or by name, with the types that the tenant describes. */
export const otherFields: OpenField = {
	membersOf(context, body, clears, path) {
		const values = valuesInRows(context, path).map(([field, value]): [TenantField, unknown] => {
			const displayName = `${OTHER_LABEL}: ${field.displayName}`;
			return [{ ...field, displayName }, value];
		});
		return withValues(context, body, clears, values);
	},
	namesOf: (context, _body, path) =>
		Object.fromEntries(valuesInRows(context, path).map(([{ id, displayName }]) => [id, displayName])),
	parameters: [
		{
			displayName: OTHER_LABEL,
			name: 'fields',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Field',
			default: {},
			options: rowsWith('Field', 'field', otherColumns),
		},
	],
};

/** Leaves out members without a value, or makes of them what clears: an empty text of a text, otherwise null. */
function withoutBlank(members: IDataObject, clears: boolean): IDataObject {
	const cleared = (value: unknown) => (typeof value === 'string' ? '' : null);
	return Object.fromEntries(
		Object.entries(members)
			.filter(([, value]) => clears || !isBlank(value))
			.map(([name, value]) => [name, isBlank(value) ? cleared(value) : value]),
	);
}

/** The same as one JSON object. */
export const otherFieldsJson: OpenField = {
	membersOf(context, body, clears, path) {
		const given: unknown = context.getNodeParameter(path, '');
		const members = isBlank(given) ? {} : parseField(context, JSON_LABEL, otherJson, given);
		// The body comes first for its order, and again because it wins.
		return { ...body, ...withoutBlank(members, clears), ...body };
	},
	parameters: [
		{
			displayName: JSON_LABEL,
			name: 'fieldsJson',
			type: 'json',
			default: '{}',
			description: 'The fields above win',
		},
	],
};

/**
 * Makes the parameters of members that the interface does not show, but the records of a tenant.
 *
 * None of them is required. *Other Fields* may have the same members, with values of other types.
 */
export function undocumentedMembers(fields: Array<MemberField<'body'>>): OpenField {
	return {
		hasTenantTypes: true,
		members: fields.map(({ target }) => target.name),
		parameters: fields.map(({ parameter }) => parameter),
		membersOf(context, body) {
			const members: IDataObject = { ...body };
			for (const { target, parse, parameter } of fields) {
				const { name, displayName, default: defaultValue } = parameter;
				const value: unknown = context.getNodeParameter(name, defaultValue as object);
				if (!isBlank(value))
					members[target.name] = parseField(context, displayName, parse, value) as IDataObject[string];
			}
			return members;
		},
		namesOf: () => memberNames(fields),
	};
}
