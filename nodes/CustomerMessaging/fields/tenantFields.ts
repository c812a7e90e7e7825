import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { ItemContext, OpenField } from '../runner/field';
import { converted, fieldError } from '../runner/fieldError';
import { ValueProblem } from '../values/conversion';
import { fieldConversion, mappedPath, type Mapping, type TenantField } from './mapping';

const PARAMETER = 'tenantFields';
const LABEL = 'Tenant Fields';

/** Matches a time without a zone, in the format of the editor's calendar. */
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;

/** Whether the current item has a value for a field. In the editor, a field that is only added holds `null`. */
function isMapped(
	{ mappingMode, value }: Mapping,
	{ id }: TenantField,
	{ json }: INodeExecutionData,
): boolean {
	if (mappingMode === 'autoMapInputData') return Object.hasOwn(json, id) && json[id] !== undefined;
	return value !== null && value !== undefined && Object.hasOwn(value, id) && value[id] !== null;
}

/** Returns the value of one field of the current item. */
function valueOf(context: ItemContext, { mappingMode, value: values }: Mapping, field: TenantField): unknown {
	if (mappingMode === 'autoMapInputData') return context.getInputData().json[field.id];
	const mapped = values?.[field.id];
	const value: unknown =
		typeof mapped === 'string' && mapped.startsWith('=')
			? context.getNodeParameter(mappedPath(PARAMETER, field.id))
			: mapped;
	// A time without a zone is in the workflow's time zone.
	return field.format === 'date-time' && typeof value === 'string' && LOCAL_TIME.test(value)
		? context.evaluateExpression(`{{ DateTime.fromISO("${value}").toISO() }}`, context.getItemIndex())
		: value;
}

/** Returns the fields of a mapping: the described fields, and mapped fields that are not in the stored description. */
function fieldsOf({ schema = [], value }: Mapping): TenantField[] {
	const seen = new Set(schema.map(({ id }) => id));
	const others = Object.keys(value ?? {}).filter((id) => !seen.has(id));
	return [...schema, ...others.map((id) => ({ id, displayName: id }) as TenantField)];
}

const mappingOf = (context: ItemContext) =>
	context.getNodeParameter(PARAMETER, {}, { rawExpressions: true }) as Mapping;

/** Returns the mapped fields of the current item, with the JSON types of the description. */
function membersOf(context: ItemContext, body: IDataObject, isUpdate: boolean): IDataObject {
	const mapping = mappingOf(context);
	if (mapping.mappingMode === 'autoMapInputData' && !mapping.schema?.length) {
		const problem = new ValueProblem(
			'are to be taken from the input, but which they are is not known',
			'Open the node, so that n8n reads the fields from your tenant, or map them by hand.',
		);
		throw fieldError(context, LABEL, problem);
	}
	const members = new Map<string, unknown>(Object.entries(body));
	const input = context.getInputData();
	for (const field of fieldsOf(mapping).filter((one) => isMapped(mapping, one, input))) {
		const value = valueOf(context, mapping, field);
		// A new record can do without the field. In a change, a missing value would keep the old one.
		if (value === undefined && !isUpdate) continue;
		const ready = converted(context, field.displayName, fieldConversion(field), value);
		if (ready !== undefined) members.set(field.id, ready);
	}
	return Object.fromEntries(members) as IDataObject;
}

/** The fields that the tenant's own description names for the operation. They are sent under their own names. */
export const tenantFields: OpenField = {
	kind: 'open',
	hasTenantTypes: true,
	membersOf,
	namesOf: (context) =>
		Object.fromEntries(fieldsOf(mappingOf(context)).map(({ id, displayName }) => [id, displayName])),
	parameters: [
		{
			displayName: LABEL,
			name: PARAMETER,
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			description: 'The fields that your tenant describes',
			typeOptions: {
				loadOptionsDependsOn: ['resource', 'operation', 'category'],
				resourceMapper: {
					resourceMapperMethod: 'getTenantFields',
					// The editor shows required fields first but does not require them: *Other Fields* may hold them.
					mode: 'map',
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
