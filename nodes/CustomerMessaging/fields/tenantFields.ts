import type { IDataObject } from 'n8n-workflow';

import type { ItemContext, OpenField } from '../runner/field';
import { converted, fieldError } from '../runner/fieldError';
import { ValueProblem } from '../values/conversion';
import { fieldConversion, mappedPath, type Mapping, type TenantField } from './mapping';

const PARAMETER = 'tenantFields';
const LABEL = 'Tenant Fields';

/** Matches a time without a zone, in the format of the editor's calendar. */
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;

/** Returns the value of one field of the current item; undefined if it is not mapped. */
function valueOf(context: ItemContext, mapping: Mapping, field: TenantField): unknown {
	if (mapping.mappingMode === 'autoMapInputData') {
		const { json } = context.getInputData();
		return Object.hasOwn(json, field.id) ? json[field.id] : undefined;
	}
	const values = mapping.value ?? {};
	if (!Object.hasOwn(values, field.id)) return undefined;
	const mapped = values[field.id];
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

/** Returns the mapped fields of the current item, with the JSON types of the description. */
function membersOf(context: ItemContext): IDataObject {
	const mapping = context.getNodeParameter(PARAMETER, {}, { rawExpressions: true }) as Mapping;
	if (mapping.mappingMode === 'autoMapInputData' && !mapping.schema?.length) {
		const problem = new ValueProblem(
			'are to be taken from the input, but which they are is not known',
			'Open the node, so that n8n reads the fields from your tenant, or map them by hand.',
		);
		throw fieldError(context, LABEL, problem);
	}
	const members: Record<string, unknown> = {};
	for (const field of fieldsOf(mapping)) {
		const value = valueOf(context, mapping, field);
		if (value === undefined || value === '') continue;
		members[field.id] = converted(context, field.displayName, fieldConversion(field), value);
	}
	return members as IDataObject;
}

/** The fields that the tenant's own description names for the operation. They are sent under their own names. */
export const tenantFields: OpenField = {
	kind: 'open',
	membersOf,
	parameters: [
		{
			displayName: LABEL,
			name: PARAMETER,
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			description:
				'The fields that your tenant describes for this operation. Fields that are not listed can be sent with Other Fields.',
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
				},
			},
		},
	],
};
