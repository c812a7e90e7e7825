import type { IDataObject, ResourceMapperField, ResourceMapperValue } from 'n8n-workflow';

import { boolean } from '../values/booleans';
import type { Conversion } from '../values/conversion';
import { isoDate } from '../values/dates';
import { jsonArray, jsonObject } from '../values/json';
import { number } from '../values/numbers';
import { text } from '../values/text';

/** The JSON types that a value is made to; others go out as they come. */
export type JsonType = 'array' | 'boolean' | 'number' | 'object' | 'string';

/** A field of a request as the tenant describes it. n8n keeps it with the mapping in the workflow, further members included. */
export interface TenantField extends ResourceMapperField {
	/** What goes out; undefined where the description allows several types or does not say. */
	jsonType?: JsonType;
	/** Format of a text, such as `date`. */
	format?: string;
}

/** What n8n keeps of mapped fields in the workflow; parts are missing where the editor has never opened the node. */
export type Mapping = Partial<Omit<ResourceMapperValue, 'schema' | 'value'>> & {
	schema?: TenantField[];
	value?: IDataObject | null;
};

/** Text that stays as it is where it is none: what the description says may be wrong. */
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
 * Makes a value to what the tenant's description says of its field. Where the description leaves it open, it goes out as it
 * came; `null` always does, it clears a field.
 */
export function fieldConversion({ jsonType, format }: TenantField): Conversion<unknown> {
	const convert = jsonType === 'string' && format === 'date' ? isoDate : jsonType && CONVERSIONS[jsonType];
	return (value) => (value === null || value === '' || !convert ? value : convert(value));
}

/** The path of a mapped value below the node's parameters. */
export function mappedPath(parameterName: string, field: string): string {
	return /^\w+$/.test(field) ? `${parameterName}.value.${field}` : `${parameterName}.value["${field}"]`;
}
