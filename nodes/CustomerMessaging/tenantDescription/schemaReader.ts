import { isObject, ownMember } from '../values/json';

/**
 * Maximum number of schemas that are read for one request. A hostile description may nest and repeat them without end.
 */
const MAX_SCHEMAS = 20_000;

/** Maximum length of a chain of references. */
const MAX_HOPS = 20;

/** Maximum number of properties of one schema. */
const MAX_PROPERTIES = 5000;

/** The combined content of a schema's parts. For texts, the outermost part wins. */
export interface Shape {
	/** Property names, each with all its schemas. */
	properties: Map<string, unknown[]>;
	required: Set<string>;
	/** JSON types. They include `null` if the value may be null. */
	types: Set<string>;
	/** Allowed values with their labels, if the description has any. */
	values: Map<unknown, string | undefined>;
	items: unknown;
	title?: string;
	description?: string;
	format?: string;
	isReadOnly: boolean;
	isDeprecated: boolean;
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Decodes one name of a JSON pointer. An invalid `%` stays as it is. */
function pointerName(part: string): string {
	let name = part;
	try {
		name = decodeURIComponent(part);
	} catch {
		// The name stays undecoded.
	}
	return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Reads the JSON Schemas of one OpenAPI description, with their references and compositions. */
export class SchemaReader {
	private left = MAX_SCHEMAS;

	constructor(readonly document: unknown) {}

	/**
	 * Follows the references of a value. Returns undefined if they are broken, circular or point outside the document.
	 */
	resolved(value: unknown): unknown {
		let at = value;
		for (let hops = 0; hops < MAX_HOPS; hops++) {
			const reference = ownMember(at, '$ref');
			if (typeof reference !== 'string') return at;
			at = this.referred(reference);
		}
		return undefined;
	}

	/**
	 * Returns the combined content of schemas with all their references and compositions. It reads each schema once, so a
	 * recursive schema ends.
	 */
	shapeOf(schemas: unknown[]): Shape {
		const shape: Shape = {
			properties: new Map(),
			required: new Set(),
			types: new Set(),
			values: new Map(),
			items: undefined,
			isReadOnly: false,
			isDeprecated: false,
		};
		const seen = new Set<unknown>();
		// The array grows during the loop: the parts of a schema are added at its end.
		const parts = schemas.map((schema) => ({ schema, isAlternative: false }));
		for (const { schema, isAlternative } of parts) {
			if (!isObject(schema) || seen.has(schema) || this.left <= 0) continue;
			seen.add(schema);
			this.left--;
			this.add(shape, schema, isAlternative);
			const add = (part: unknown, alternative: boolean) =>
				parts.length < MAX_SCHEMAS && parts.push({ schema: part, isAlternative: alternative });
			const reference = ownMember(schema, '$ref');
			if (typeof reference === 'string') add(this.referred(reference), isAlternative);
			for (const part of listOf(ownMember(schema, 'allOf'))) add(part, isAlternative);
			for (const part of listOf(ownMember(schema, 'oneOf'))) add(part, true);
			for (const part of listOf(ownMember(schema, 'anyOf'))) add(part, true);
		}
		return shape;
	}

	/** Adds the content of one part. The properties of an alternative are never required. */
	private add(shape: Shape, schema: object, isAlternative: boolean): void {
		const properties = ownMember(schema, 'properties');
		for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
			const known = shape.properties.get(name);
			if (known) known.push(property);
			else if (shape.properties.size < MAX_PROPERTIES) shape.properties.set(name, [property]);
		}
		if (!isAlternative) {
			for (const name of listOf(ownMember(schema, 'required'))) shape.required.add(String(name));
		}
		const type = ownMember(schema, 'type');
		for (const name of Array.isArray(type) ? type : [type])
			if (typeof name === 'string') shape.types.add(name);
		if (ownMember(schema, 'nullable') === true) shape.types.add('null');
		for (const value of listOf(ownMember(schema, 'enum'))) shape.values.set(value, undefined);
		const constant = ownMember(schema, 'const');
		if (constant !== undefined) {
			shape.values.set(
				constant,
				textOf(ownMember(schema, 'title')) ?? textOf(ownMember(schema, 'description')),
			);
		} else {
			shape.title ??= textOf(ownMember(schema, 'title'));
			shape.description ??= textOf(ownMember(schema, 'description'));
		}
		shape.format ??= textOf(ownMember(schema, 'format'));
		shape.items ??= ownMember(schema, 'items');
		shape.isReadOnly ||= ownMember(schema, 'readOnly') === true;
		shape.isDeprecated ||= ownMember(schema, 'deprecated') === true;
	}

	private referred(reference: string): unknown {
		if (!reference.startsWith('#/')) return undefined;
		return reference
			.slice('#/'.length)
			.split('/')
			.reduce<unknown>((at, part) => ownMember(at, pointerName(part)), this.document);
	}
}
