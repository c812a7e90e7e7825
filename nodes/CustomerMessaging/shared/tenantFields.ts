import type {
	IDataObject,
	IExecuteSingleFunctions,
	INodeProperties,
	ResourceMapperValue,
} from 'n8n-workflow';

import type { JsonType, TenantField } from '../tenantDescription/requestFields';
import { parameterError } from '../transport/parameters';
import { preSend } from '../transport/preSend';
import { isoDate } from './dates';
import { type Conversion, converted, jsonOf, ValueProblem } from './values';

/** What n8n keeps in the workflow; parts are missing where the editor has never opened the node. */
export type Mapping = Partial<Omit<ResourceMapperValue, 'schema' | 'value'>> & {
	schema?: TenantField[];
	value?: IDataObject | null;
};

const number: Conversion = (value) => {
	const typed = typeof value === 'string' ? value.trim() : value;
	const result = typeof typed === 'string' && typed !== '' ? Number(typed) : typed;
	if (typeof result !== 'number' || !Number.isFinite(result)) {
		return new ValueProblem(`"${String(value)}" is not a number`, 'Enter a number, e.g. 5 or 2.5.');
	}
	return Number.isInteger(result) && !Number.isSafeInteger(result)
		? new ValueProblem(
				`"${String(value)}" has more digits than a number keeps`,
				'Send it as text, with Other Fields.',
			)
		: result;
};

const BOOLEANS = new Map<unknown, boolean>([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

const boolean: Conversion = (value) =>
	BOOLEANS.get(String(value).trim().toLowerCase()) ??
	new ValueProblem(`"${String(value)}" is neither true nor false`, 'Enter true or false.');

/** Numbers and dates of n8n's expressions as text; what is text stays as it is. */
const text: Conversion = (value) => {
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
};

const CONVERSIONS: Record<JsonType, Conversion> = {
	array: jsonOf('array', '["a", "b"]'),
	boolean,
	number,
	object: jsonOf('object', '{ "a": 1 }'),
	string: text,
};

/**
 * Makes a value to what the tenant's description says of its field. Where the description leaves it open, it goes out as it
 * came; `null` always does, it clears a field.
 */
export function fieldConversion({ jsonType, format }: TenantField): Conversion {
	const convert = jsonType === 'string' && format === 'date' ? isoDate : jsonType && CONVERSIONS[jsonType];
	return (value) => (value === null || value === '' || !convert ? value : convert(value));
}

/** The path of a mapped value below the node's parameters. */
export function mappedPath(parameterName: string, field: string): string {
	return /^\w+$/.test(field) ? `${parameterName}.value.${field}` : `${parameterName}.value["${field}"]`;
}

const PARAMETER = 'tenantFields';
const LABEL = 'Tenant Fields';

/** A time without a zone, as the editor's calendar gives it. */
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;

/** The value of one field of the current item; undefined when it is not mapped. */
function valueOf(context: IExecuteSingleFunctions, mapping: Mapping, field: TenantField): unknown {
	if (mapping.mappingMode === 'autoMapInputData') {
		const { json } = context.getInputData();
		return Object.hasOwn(json, field.id) ? json[field.id] : undefined;
	}
	const values = mapping.value ?? {};
	if (!Object.hasOwn(values, field.id)) return undefined;
	const mapped = values[field.id];
	const value =
		typeof mapped === 'string' && mapped.startsWith('=')
			? context.getNodeParameter(mappedPath(PARAMETER, field.id))
			: mapped;
	// The workflow's time zone is the one that a person means.
	return field.format === 'date-time' && typeof value === 'string' && LOCAL_TIME.test(value)
		? context.evaluateExpression(`{{ DateTime.fromISO("${value}").toISO() }}`, context.getItemIndex())
		: value;
}

/** The fields of a mapping: those the editor has seen, and those that are mapped without it. */
function fieldsOf({ schema = [], value }: Mapping): TenantField[] {
	const seen = new Set(schema.map(({ id }) => id));
	const others = Object.keys(value ?? {}).filter((id) => !seen.has(id));
	return [...schema, ...others.map((id) => ({ id, displayName: id }) as TenantField)];
}

/** Pre-send that puts the mapped fields of the current item into the body, with the JSON types of the description. */
export const tenantFieldsPreSend = preSend((context, options) => {
	const mapping = context.getNodeParameter(PARAMETER, {}, { rawExpressions: true }) as Mapping;
	if (mapping.mappingMode === 'autoMapInputData' && !mapping.schema?.length) {
		throw parameterError(
			context,
			LABEL,
			'are to be taken from the input, but which they are is not known',
			'Open the node, so that n8n reads the fields from your tenant, or map them by hand.',
		);
	}
	const fields = fieldsOf(mapping).flatMap((field) => {
		const value = valueOf(context, mapping, field);
		if (value === undefined) return [];
		return [[field.id, converted(context, field.displayName, fieldConversion(field), value)] as const];
	});
	return { ...options, body: { ...(options.body as IDataObject), ...Object.fromEntries(fields) } };
});

/** The fields that the tenant's own description names for the operation; they go out under their own names. */
export const tenantFields: INodeProperties = {
	displayName: LABEL,
	name: PARAMETER,
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	description:
		'The fields that your tenant describes for this operation. Fields that are not listed can be sent with Other Fields.',
	routing: { send: { preSend: [tenantFieldsPreSend] } },
	typeOptions: {
		loadOptionsDependsOn: ['resource', 'operation', 'category'],
		resourceMapper: {
			resourceMapperMethod: 'getTenantFields',
			// Required fields are shown first but not insisted on: they may be among Other Fields.
			mode: 'map',
			fieldWords: { singular: 'field', plural: 'fields' },
			addAllFields: false,
			multiKeyMatch: false,
			supportAutoMap: true,
		},
	},
};
