import type { FieldType, INodePropertyOptions } from 'n8n-workflow';

import type { JsonType, TenantField } from '../fields/mapping';
import { cut } from '../values/text';
import { SchemaReader, type Shape } from './schemaReader';

/** The reason why the tenant's fields are missing. The text continues "…, since ". */
export interface Problem {
	problem: string;
}

export const problem = (words: string): Problem => ({ problem: `its description ${words}` });

/** Members of a field that a form shows and that matches no records. */
export const SHOWN = { defaultMatch: false, canBeUsedToMatch: false, display: true } as const;

export interface DescribedFields {
	fields: TenantField[];
	more: number;
}

const MAX_NAME_LENGTH = 100;
const MAX_LABEL_LENGTH = 80;
const MAX_FIELDS = 200;

/** Names that break n8n's path to a value, or that JavaScript treats specially. */
const UNUSABLE_NAME = /^$|^=|["'`\\[\]\p{Cc}]|^(__proto__|constructor|prototype)$/u;

const isUsable = (name: string) => name.length <= MAX_NAME_LENGTH && !UNUSABLE_NAME.test(name);

/** Returns a text of the tenant as one line, cut, and without a leading `=`, with which n8n would run it as an expression. */
const line = (text: string, longest: number) =>
	cut(
		text
			.slice(0, 10 * longest)
			.replace(/[\s\p{C}]+/gu, ' ')
			.replace(/^[\s=]+/, '')
			.trim(),
		longest,
	);

/** Turns `loyalty_tier` and `loyaltyTier` into "Loyalty Tier". */
const readable = (name: string) =>
	name
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replace(/[_\-.]+/g, ' ')
		.trim()
		.replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase());

const MAX_OPTIONS = 200;
const MAX_SENTENCE_LENGTH = 1000;

/** Makes the label: the name and the description of the field. n8n has no other place for a description. */
function labelOf(name: string, { title, description, isDeprecated }: Shape, hidden: number): string {
	const label = line(title ?? readable(name), MAX_LABEL_LENGTH) || name;
	const [first] = description?.slice(0, MAX_SENTENCE_LENGTH).split(/(?<=[.!?])\s|\n\s*\n/, 1) ?? [];
	const more = [
		isDeprecated && 'deprecated',
		hidden > 0 && `${hidden} more values by expression`,
		first && line(first, MAX_LABEL_LENGTH),
	].filter(Boolean);
	return more.length === 0 ? label : `${label} (${more.join(': ').replace(/\.$/, '')})`;
}

const JSON_TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'] satisfies JsonType[];

function jsonTypeOf({ types, values, properties, items }: Shape): JsonType | undefined {
	const named = new Set<JsonType>(JSON_TYPES.filter((type) => types.has(type)));
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
function optionsOf({ values }: Shape) {
	const options: INodePropertyOptions[] = [];
	let hidden = values.size;
	for (const [value, label = ''] of values) {
		if (options.length === MAX_OPTIONS) break;
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
		...SHOWN,
	};
}

/** Returns the fields that schemas name, required ones first, without read-only ones. Fails with `TooLarge`. */
export async function fieldsIn(reader: SchemaReader, schemas: unknown[]): Promise<DescribedFields> {
	const { properties, required } = await reader.shapeOf(schemas);
	const names = [...properties.keys()].sort((a, b) => Number(required.has(b)) - Number(required.has(a)));
	const fields: TenantField[] = [];
	let more = 0;
	for (const name of names) {
		const isListed = fields.length < MAX_FIELDS && isUsable(name);
		const shape = isListed ? await reader.shapeOf(properties.get(name) ?? []) : undefined;
		if (!shape) more++;
		else if (!shape.isReadOnly) fields.push(await fieldOf(reader, name, shape, required.has(name)));
	}
	const last = fields.at(-1);
	// n8n shows no notice beside fields.
	if (last && fields.length === MAX_FIELDS && more > 0)
		last.displayName += ` (${more} more fields are not listed: use Other Fields)`;
	return { fields, more };
}

const MAX_MEMBERS = 10_000;

/** Returns the members of a record as fields with the types of their values, up to a number that a person can look through. */
export async function recordFields(record: object): Promise<DescribedFields> {
	const members = Object.entries(record).slice(0, MAX_MEMBERS);
	const properties = members.map(([name, value]: [string, unknown]) => {
		// `null` may stand for a value of any type.
		const type = Array.isArray(value) ? 'array' : typeof value;
		return [name, value === null ? {} : { type: [type, 'null'] }];
	});
	const schema = { properties: Object.fromEntries(properties) as object };
	return await fieldsIn(new SchemaReader(schema), [schema]);
}
