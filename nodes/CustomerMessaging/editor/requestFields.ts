import type { FieldType } from 'n8n-workflow';

import { isFormat, type JsonType, type TenantField } from '../fields/mapping';
import { SchemaReader, type Shape } from './schemaReader';

/** The reason why the tenant's fields are missing. The text continues "…, since ". */
export interface Problem {
	problem: string;
}

export const problem = (words: string): Problem => ({ problem: `its description ${words}` });

/** Members of a field that a form shows and that matches no records. */
export const SHOWN = { defaultMatch: false, canBeUsedToMatch: false, display: true } as const;

/** Names that break n8n's path to a value, or that JavaScript treats specially. */
const UNUSABLE_NAME = /^$|^=|["'`\\[\]\p{Cc}]|^(__proto__|constructor|prototype)$/u;

/** Turns `loyalty_tier` and `loyaltyTier` into "Loyalty Tier". */
const readable = (name: string) =>
	name
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replace(/[_\-.]+/g, ' ')
		.trim()
		.replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase());

const JSON_TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'] satisfies JsonType[];

function jsonTypeOf({ types, properties, items }: Shape): JsonType | undefined {
	const named = new Set<JsonType>(JSON_TYPES.filter((type) => types.has(type)));
	if (named.size === 0) {
		if (properties.size > 0) return 'object';
		return items === undefined ? undefined : 'array';
	}
	if (named.has('number')) named.delete('integer');
	return named.size === 1 ? [...named][0] : undefined;
}

function editorTypeOf(jsonType: JsonType | undefined, format: unknown): FieldType {
	if (jsonType === 'string' && (format === 'date' || format === 'date-time')) return 'dateTime';
	return jsonType === 'integer' ? 'number' : (jsonType ?? 'string');
}

function fieldOf(reader: SchemaReader, id: string, shape: Shape, required: boolean): TenantField {
	const { format, types, items } = shape;
	const jsonType = jsonTypeOf(shape);
	const itemType = jsonType === 'array' ? jsonTypeOf(reader.shapeOf([items])) : undefined;
	return {
		id,
		displayName: readable(id) || id,
		type: editorTypeOf(jsonType, format),
		...(jsonType && { jsonType, nullable: types.has('null') }),
		...(itemType && { itemType }),
		...(jsonType === 'string' && isFormat(format) && { format }),
		required,
		...SHOWN,
	};
}

/** Returns the fields that schemas name, required ones first, without read-only ones. */
export function fieldsIn(reader: SchemaReader, schemas: unknown[]): TenantField[] {
	const { properties, required } = reader.shapeOf(schemas);
	return [...properties]
		.filter(([name]) => !UNUSABLE_NAME.test(name))
		.sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)))
		.flatMap(([name, property]) => {
			const shape = reader.shapeOf(property);
			return shape.isReadOnly ? [] : fieldOf(reader, name, shape, required.has(name));
		});
}

/** Returns the members of a record as fields with the types of their values. */
export function recordFields(record: object): TenantField[] {
	const properties = Object.entries(record).map(([name, value]: [string, unknown]) => {
		// `null` may stand for a value of any type.
		const type = Array.isArray(value) ? 'array' : typeof value;
		return [name, value === null ? {} : { type: [type, 'null'] }];
	});
	const schema = { properties: Object.fromEntries(properties) as object };
	return fieldsIn(new SchemaReader(schema), [schema]);
}
