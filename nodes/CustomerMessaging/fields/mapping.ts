import type { IDataObject, ResourceMapperField, ResourceMapperValue } from 'n8n-workflow';

import { boolean } from '../values/choices';
import type { Parse } from '../values/parse';
import { isoDate, isoDateTime } from '../values/dates';
import { anyJson, jsonArray, jsonObject } from '../values/json';
import { integer, number } from '../values/numbers';
import { isBlank, text } from '../values/text';

/**
 * A field of a request in the tenant's description. n8n stores it with the mapping in the workflow, including our own
 * members.
 */
export interface TenantField extends ResourceMapperField {
	/** Type of the sent value; undefined if the description allows several types or names none. */
	valueType?: ValueType;
	/** Whether `null` clears the field; undefined if the description does not tell. */
	nullable?: boolean;
}

/** The mapped fields as n8n stores them in the workflow. Parts are missing if the editor has never opened the node. */
export type Mapping = Partial<Omit<ResourceMapperValue, 'schema' | 'value'>> & {
	schema?: TenantField[];
	value?: IDataObject | null;
};

/** The types that a value is parsed to: those of JSON, and texts whose format tells more. */
const PARSERS = {
	array: jsonArray('["a", "b"]'),
	boolean,
	date: isoDate,
	'date-time': isoDateTime,
	integer,
	number,
	object: jsonObject('{ "a": 1 }'),
	string: text,
} satisfies Record<string, Parse<unknown>>;

export type ValueType = keyof typeof PARSERS;

/**
 * Makes the parser of a value for the type in the tenant's description. A value that is blank clears the field: by an
 * empty text, if the field and the value are text, or it is a text that cannot be null; otherwise by null. It is undefined
 * for any other field that cannot be null.
 */
export function fieldParser({ valueType, nullable }: TenantField): Parse<unknown> {
	const parse: Parse<unknown> = valueType ? PARSERS[valueType] : anyJson;
	const isText = valueType === 'string';
	return (value, reading) => {
		if (!isBlank(value)) return parse(value, reading);
		if (isText && nullable === false) return '';
		if (typeof value === 'string' && (isText || valueType === undefined)) return '';
		return nullable === false ? undefined : null;
	};
}

/** The end of a key, as `fieldKey` makes it. */
const KEY_TYPE = new RegExp(` \\((?:any|(${Object.keys(PARSERS).join('|')})( or null)?)\\)$`);

/**
 * Returns what a workflow stores of a field that was chosen from a list: its name, and the type of its values, such as
 * `seats (integer or null)`, `opened_on (date)` and `note (any)`.
 */
export function fieldKey({ id, valueType, nullable }: TenantField): string {
	if (valueType === undefined) return `${id} (any)`;
	return `${id} (${valueType}${nullable === false ? '' : ' or null'})`;
}

/** Returns the field of a key, or of the name that a person has entered. */
export function fieldOfKey(key: string): TenantField {
	const [end = '', valueType, orNull] = KEY_TYPE.exec(key) ?? [];
	const id = key.slice(0, key.length - end.length);
	const type = valueType && { valueType, nullable: orNull !== undefined };
	return { id, displayName: id, ...type } as TenantField;
}

/** Returns the path of a mapped value below the node's parameters. */
export function mappedPath(parameterName: string, field: string): string {
	return /^\w+$/.test(field) ? `${parameterName}.value.${field}` : `${parameterName}.value["${field}"]`;
}
