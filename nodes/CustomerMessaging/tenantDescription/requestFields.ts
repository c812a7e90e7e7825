import type { FieldType, INodePropertyOptions } from 'n8n-workflow';

import type { JsonType, TenantField } from '../fields/mapping';
import { isUsable, labelFrom, line, MAX_FIELDS, MAX_LABEL_LENGTH, MAX_NAME_LENGTH } from './fieldNames';
import { SchemaReader, type Shape } from './schemaReader';
import { type RequestPlace, requestSchemas } from './requestSchema';

/** The fields of a request, up to a number that a person can look through. */
export interface DescribedFields {
	fields: TenantField[];
	/** Number of fields that are not included. */
	more: number;
}

const MAX_OPTIONS = 200;

/** Length of the beginning of a description in which the first sentence is found. */
const MAX_SENTENCE_LENGTH = 1000;

/** Makes the label: the name and the description of the field. n8n has no other place for a description. */
function labelOf(name: string, { title, description, isDeprecated }: Shape, hidden: number): string {
	const label = labelFrom(name, title);
	const [first] = description?.slice(0, MAX_SENTENCE_LENGTH).split(/(?<=[.!?])\s|\n\s*\n/, 1) ?? [];
	const more = [
		isDeprecated ? 'deprecated' : '',
		hidden > 0 ? `${hidden} more values by expression` : '',
		first === undefined ? '' : line(first, MAX_LABEL_LENGTH),
	].filter((part) => part !== '');
	return more.length === 0 ? label : `${label} (${more.join(': ').replace(/\.$/, '')})`;
}

const JSON_TYPES: Record<string, JsonType> = {
	array: 'array',
	boolean: 'boolean',
	integer: 'integer',
	number: 'number',
	object: 'object',
	string: 'string',
};

function jsonTypeOf({ types, values, properties, items }: Shape): JsonType | undefined {
	const named = new Set([...types].flatMap((type) => JSON_TYPES[type] ?? []));
	if (named.size === 0) {
		if (properties.size > 0) return 'object';
		if (items !== undefined) return 'array';
		for (const value of values.keys()) if (value !== null) named.add(typeof value as JsonType);
	}
	if (named.has('number')) named.delete('integer');
	return named.size === 1 ? [...named][0] : undefined;
}

/** Whether a list can display a value unchanged and a workflow can store it. */
function isOption(value: unknown): value is number | string {
	if (typeof value === 'string') return value !== '' && line(value, MAX_NAME_LENGTH) === value;
	return typeof value === 'number' && Number.isFinite(value);
}

/** Returns the options of a field, up to a number that a person can look through, and the number of further values. */
function optionsOf({ values }: Shape): { options: INodePropertyOptions[]; hidden: number } {
	const options: INodePropertyOptions[] = [];
	let hidden = values.size;
	for (const [value, label = ''] of values) {
		if (options.length === MAX_OPTIONS) return { options, hidden };
		hidden--;
		if (isOption(value)) options.push({ name: line(label, MAX_LABEL_LENGTH) || String(value), value });
	}
	return { options, hidden };
}

function editorTypeOf(jsonType: JsonType | undefined, format: string | undefined): FieldType {
	if (jsonType === 'string' && (format === 'date' || format === 'date-time')) return 'dateTime';
	return jsonType === 'integer' ? 'number' : (jsonType ?? 'string');
}

async function fieldOf(
	reader: SchemaReader,
	name: string,
	shape: Shape,
	required: boolean,
): Promise<TenantField> {
	const jsonType = jsonTypeOf(shape);
	const itemType = jsonType === 'array' ? jsonTypeOf(await reader.shapeOf([shape.items])) : undefined;
	const { options, hidden } = jsonType === 'boolean' ? { options: [], hidden: 0 } : optionsOf(shape);
	return {
		id: name,
		displayName: labelOf(name, shape, hidden),
		type: options.length > 0 ? 'options' : editorTypeOf(jsonType, shape.format),
		...(options.length > 0 && { options }),
		...(jsonType && { jsonType, nullable: shape.types.has('null') }),
		...(itemType && { itemType }),
		...(jsonType === 'string' && shape.format && { format: line(shape.format, MAX_NAME_LENGTH) }),
		required,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
	};
}

/**
 * Returns the fields that a description names for a request. Required fields come first; read-only fields are left out.
 *
 * It accepts any document. It looks at a limited number of schemas, and gives the event loop back between
 * them.
 *
 * @param document an OpenAPI 3 description, parsed from YAML or JSON
 * @throws TooLarge when the description has more parts for the request than are read
 */
export async function requestFields(document: unknown, place: RequestPlace): Promise<DescribedFields> {
	const reader = new SchemaReader(document);
	const { properties, required } = await reader.shapeOf(await requestSchemas(reader, place));
	const names = [...properties.keys()].sort((a, b) => Number(required.has(b)) - Number(required.has(a)));
	const fields: TenantField[] = [];
	let more = 0;
	for (const name of names) {
		if (fields.length === MAX_FIELDS || !isUsable(name)) {
			more++;
			continue;
		}
		const shape = await reader.shapeOf(properties.get(name) ?? []);
		if (!shape.isReadOnly) fields.push(await fieldOf(reader, name, shape, required.has(name)));
	}
	const last = fields.at(-1);
	// n8n shows no notice beside fields.
	if (last && fields.length === MAX_FIELDS && more > 0)
		last.displayName += ` (${more} more fields are not listed: use Other Fields)`;
	return { fields, more };
}
