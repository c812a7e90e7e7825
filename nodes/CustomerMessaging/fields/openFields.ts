import { type IDataObject, isExpression } from 'n8n-workflow';

import type { ItemContext, OpenField } from '../core/field';
import { fieldError, parseField } from '../core/fieldError';
import { setting } from '../values/field';
import { distinct, filled, rowsBy, rowsWith } from '../values/columns';
import { InvalidValue, type Parse } from '../values/parse';
import { isObject, jsonObject, ownMember } from '../values/json';
import { isBlank, stringOf, trimmedText } from '../values/text';
import { tenantFieldName } from './locators';
import { fieldParser, fieldOfKey, mappedPath, type Mapping, type TenantField } from './mapping';

type FieldValue = [field: TenantField, value: unknown];

/** Makes a field that the tenant does not describe. */
const undescribed = (id: string, displayName = id) => ({ id, displayName }) as TenantField;

/** Adds values of fields to a body, with the JSON types of the fields. */
function withValues(context: ItemContext, body: IDataObject, clears: boolean, values: FieldValue[]) {
	const members = { ...body };
	for (const [field, value] of values) {
		if (isBlank(value) && !clears) continue;
		const ready = parseField(context, field.displayName, fieldParser(field), value);
		if (ready !== undefined) members[field.id] = ready as IDataObject[string];
	}
	return members;
}

const FORM_LABEL = 'Settings';

/** Returns the mapped fields of the current item with their values. A workflow may not have the description of each. */
function mappedValues(context: ItemContext, path: string): FieldValue[] {
	const mapping = context.getNodeParameter(path, {}, { rawExpressions: true }) as Mapping;
	const { mappingMode, schema = [], value } = mapping;
	const isAutomatic = mappingMode === 'autoMapInputData';
	if (isAutomatic && schema.length === 0) {
		const invalid = new InvalidValue(
			'are to be mapped automatically, but the settings of your account are not known',
			'Open the node, so that n8n reads them from your account, or map them manually.',
		);
		throw fieldError(context, FORM_LABEL, invalid);
	}
	const source = isAutomatic ? context.getInputData().json : (value ?? {});
	const described = new Map(schema.map((field) => [field.id, field]));
	const names = new Set([...described.keys(), ...Object.keys(value ?? {})]);
	return [...names].flatMap((name): FieldValue[] => {
		const given = ownMember(source, name);
		// In the editor, a field that is only added holds `null`.
		if (given === undefined || (given === null && !isAutomatic)) return [];
		const isComputed = !isAutomatic && isExpression(given);
		const found: unknown = isComputed ? context.getNodeParameter(mappedPath(path, name)) : given;
		return [[described.get(name) ?? undescribed(name), found]];
	});
}

/**
 * The settings that the tenant has, and those that its own description names. They are sent under their own names.
 *
 * It stands beside the main parameters, since n8n loads the fields of no form in a collection.
 */
export const settingsForm: OpenField = {
	membersOf: (context, body, clears, path) => withValues(context, body, clears, mappedValues(context, path)),
	parameter: {
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
};

const OTHER_LABEL = 'Other Fields';

/** Returns the key of a field in a row, which a workflow may also store without the mode in which it was given. */
const keyIn = (name: unknown) => (isObject(name) ? name.value : name);

const fieldOfRow: Parse<TenantField> = (name) => {
	const field = fieldOfKey(filled(trimmedText)(keyIn(name)));
	const label = stringOf(ownMember(name, 'cachedResultName')) || field.id;
	return { ...field, displayName: `${OTHER_LABEL}: ${label}` };
};

const otherColumns = [
	setting('name', fieldOfRow, tenantFieldName),
	setting('value', (value: unknown) => value, {}),
] as const;

const otherRows = distinct(
	rowsBy('field', otherColumns, ({ name, value }) => isBlank(keyIn(name)) && value === ''),
	({ name }) => name.id,
);

/** Further fields of a record, of those that the tenant describes or by name, with the types that the tenant describes. */
export const otherFields: OpenField = {
	membersOf(context, body, clears, path) {
		const rows = parseField(context, OTHER_LABEL, otherRows, context.getNodeParameter(path, {}));
		const values = rows.map(({ name, value }): FieldValue => [name, value]);
		return withValues(context, body, clears, values);
	},
	parameter: {
		displayName: OTHER_LABEL,
		name: 'fields',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Field',
		default: {},
		options: rowsWith('Field', 'field', otherColumns),
	},
};

const JSON_LABEL = 'Other Fields (JSON)';

const otherJson = jsonObject('{ "name": "Regulars" }');

/** The same as one JSON object. */
export const otherFieldsJson: OpenField = {
	membersOf(context, body, clears, path) {
		const given: unknown = context.getNodeParameter(path, '');
		const members = isBlank(given) ? {} : parseField(context, JSON_LABEL, otherJson, given);
		const values = Object.entries(members).map(([name, value]): FieldValue => [undescribed(name), value]);
		// The body comes first for its order, and again because it wins.
		return { ...withValues(context, body, clears, values), ...body };
	},
	parameter: {
		displayName: JSON_LABEL,
		name: 'fieldsJson',
		type: 'json',
		default: '{}',
		description: 'The fields above win',
	},
};
