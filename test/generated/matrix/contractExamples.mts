/** A schema of the contract, as far as examples are made from it. */
export interface JsonSchema {
	$ref?: string;
	type?: string | string[];
	properties?: Record<string, JsonSchema>;
	items?: JsonSchema;
	allOf?: JsonSchema[];
	anyOf?: JsonSchema[];
	oneOf?: JsonSchema[];
	enum?: unknown[];
	maxItems?: number;
	maxLength?: number;
	[keyword: string]: unknown;
}

/** The contract as it is read from YAML. */
export type ContractDocument = Record<string, unknown>;

/** What stands at a JSON pointer of the contract, behind all references. */
export function schemaAt(contract: ContractDocument, pointer: string): JsonSchema {
	const found = pointer
		.split('/')
		.slice(1)
		.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
		.reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], contract);
	const schema = found as JsonSchema | undefined;
	if (schema === undefined) throw new Error(`The contract has nothing at ${pointer}`);
	return schema.$ref === undefined ? schema : schemaAt(contract, schema.$ref.slice(1));
}

/** Texts of the records of a list, in their order. */
export const WORDS = ['Alpha', 'Beta', 'VIP', 'Delta'];

/**
 * A value that a schema allows, with every member that it shows.
 *
 * @param index which record of a list it belongs to; records differ in their texts and numbers
 * @param records how many elements each list has
 */
export function exampleOf(
	contract: ContractDocument,
	schema: JsonSchema,
	index: number,
	records: number,
): unknown {
	if (schema.$ref !== undefined)
		return exampleOf(contract, schemaAt(contract, schema.$ref.slice(1)), index, records);
	const inner = (part: JsonSchema, at = index) => exampleOf(contract, part, at, records);
	if (schema.enum) return schema.enum[index % schema.enum.length];
	const parts = schema.allOf ?? schema.anyOf?.slice(0, 1) ?? schema.oneOf?.slice(0, 1);
	if (parts) return parts.map((part) => inner(part)).reduce((a, b) => Object.assign(a as object, b));
	const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
	switch (type) {
		case 'array':
			return Array.from({ length: Math.min(records, schema.maxItems ?? records) }, (_, at) =>
				inner(schema.items ?? {}, at),
			);
		case 'object':
			return Object.fromEntries(
				Object.entries(schema.properties ?? {})
					// A message that arrives has none.
					.filter(([name]) => name !== 'latest_error')
					.map(([name, member]) => [name, inner(member)]),
			);
		case 'string':
			return WORDS[index % WORDS.length];
		case 'boolean':
			return false;
		default:
			return index + 1;
	}
}
