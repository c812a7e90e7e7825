import type { IDataObject, ResourceMapperField, ResourceMapperValue } from 'n8n-workflow';

import { boolean } from '../values/choices';
import type { Parse } from '../values/parse';
import { isoDate, isoDateTime } from '../values/dates';
import { anyJson, jsonArray, jsonObject } from '../values/json';
import { integer, number } from '../values/numbers';
import { isBlank, text } from '../values/text';

/** The JSON types that a value is parsed to. Values of other types are sent unchanged. */
export type JsonType = 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';

/**
 * A field of a request in the tenant's description. n8n stores it with the mapping in the workflow, including our own
 * members.
 */
export interface TenantField extends ResourceMapperField {
	/** JSON type of the sent value; undefined if the description allows several types or names none. */
	jsonType?: JsonType;
	/** Format of a text, such as `date`. */
	format?: string;
	/** Whether `null` clears the field; undefined if the description does not tell. */
	nullable?: boolean;
}

/** The mapped fields as n8n stores them in the workflow. Parts are missing if the editor has never opened the node. */
export type Mapping = Partial<Omit<ResourceMapperValue, 'schema' | 'value'>> & {
	schema?: TenantField[];
	value?: IDataObject | null;
};

const PARSERS: Record<JsonType, Parse<unknown>> = {
	array: jsonArray('["a", "b"]'),
	boolean,
	integer,
	number,
	object: jsonObject('{ "a": 1 }'),
	string: text,
};

/** The parsers of texts whose format tells more. */
const BY_FORMAT: Record<string, Parse<string>> = {
	date: isoDate,
	'date-time': isoDateTime,
};

export const isFormat = (format: unknown): format is string =>
	typeof format === 'string' && Object.hasOwn(BY_FORMAT, format);

function parserOf({ jsonType, format }: TenantField): Parse<unknown> {
	if (jsonType === undefined) return anyJson;
	return jsonType === 'string' && isFormat(format) ? BY_FORMAT[format] : PARSERS[jsonType];
}

/**
 * Makes the parser of a value for the type in the tenant's description. A value that is blank clears the field: by an
 * empty text, if the field and the value are text, or it is a text that cannot be null; otherwise by null. It is undefined
 * for any other field that cannot be null.
 */
export function fieldParser(field: TenantField): Parse<unknown> {
	const { nullable } = field;
	const parse = parserOf(field);
	const isText = parse === text;
	return (value, reading) => {
		if (!isBlank(value)) return parse(value, reading);
		if (isText && nullable === false) return '';
		if (typeof value === 'string' && (isText || parse === anyJson)) return '';
		return nullable === false ? undefined : null;
	};
}

const TYPES = Object.keys(PARSERS).join('|');
const FORMATS = Object.keys(BY_FORMAT).join('|');

/** The end of a key, as `fieldKey` makes it. */
const KEY_TYPE = new RegExp(` \\((?:any|(${TYPES}|${FORMATS})( or null)?)\\)$`);

/**
 * Returns what a workflow stores of a field that was chosen from a list: its name, and the type of its values, such as
 * `seats (integer or null)`, `opened_on (date)` and `note (any)`.
 */
export function fieldKey({ id, jsonType, format, nullable }: TenantField): string {
	if (jsonType === undefined) return `${id} (any)`;
	const type = jsonType === 'string' && isFormat(format) ? format : jsonType;
	return `${id} (${type}${nullable === false ? '' : ' or null'})`;
}

/** Returns the field of a key, or of the name that a person has entered. */
export function fieldOfKey(key: string): TenantField {
	const [end = '', type, orNull] = KEY_TYPE.exec(key) ?? [];
	const id = key.slice(0, key.length - end.length);
	const format = isFormat(type) ? type : undefined;
	return {
		id,
		displayName: id,
		...(type && { jsonType: format ? 'string' : type, format, nullable: orNull !== undefined }),
	} as TenantField;
}

/** Returns the path of a mapped value below the node's parameters. */
export function mappedPath(parameterName: string, field: string): string {
	return /^\w+$/.test(field) ? `${parameterName}.value.${field}` : `${parameterName}.value["${field}"]`;
}
