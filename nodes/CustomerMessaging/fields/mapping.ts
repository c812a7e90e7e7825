import type { IDataObject, ResourceMapperField, ResourceMapperValue } from 'n8n-workflow';

import { boolean } from '../values/booleans';
import type { Conversion } from '../values/conversion';
import { isoDate } from '../values/dates';
import { jsonArray, jsonObject } from '../values/json';
import { number } from '../values/numbers';
import { text } from '../values/text';

/** The JSON types that a value is converted to. Values of other types are sent unchanged. */
export type JsonType = 'array' | 'boolean' | 'number' | 'object' | 'string';

/**
 * A field of a request in the tenant's description. n8n stores it with the mapping in the workflow, including our own
 * members.
 */
export interface TenantField extends ResourceMapperField {
	/** JSON type of the sent value; undefined if the description allows several types or names none. */
	jsonType?: JsonType;
	/** Format of a text, such as `date`. */
	format?: string;
}

/** The mapped fields as n8n stores them in the workflow. Parts are missing if the editor has never opened the node. */
export type Mapping = Partial<Omit<ResourceMapperValue, 'schema' | 'value'>> & {
	schema?: TenantField[];
	value?: IDataObject | null;
};

/** Converts to text, but leaves objects unchanged, because the description may be wrong. */
const textOrAsItIs: Conversion<unknown> = (value) =>
	typeof value === 'object' && !(value instanceof Date) ? value : text(value);

const CONVERSIONS: Record<JsonType, Conversion<unknown>> = {
	array: jsonArray('["a", "b"]'),
	boolean,
	number,
	object: jsonObject('{ "a": 1 }'),
	string: textOrAsItIs,
};

/**
 * Makes the conversion of a value to the type in the tenant's description. A value of an undescribed type stays
 * unchanged. An empty text and `null` stay too; `null` clears a field.
 */
export function fieldConversion({ jsonType, format }: TenantField): Conversion<unknown> {
	const convert = jsonType === 'string' && format === 'date' ? isoDate : jsonType && CONVERSIONS[jsonType];
	return (value) => (value === null || value === '' || !convert ? value : convert(value));
}

/** Returns the path of a mapped value below the node's parameters. */
export function mappedPath(parameterName: string, field: string): string {
	return /^\w+$/.test(field) ? `${parameterName}.value.${field}` : `${parameterName}.value["${field}"]`;
}
