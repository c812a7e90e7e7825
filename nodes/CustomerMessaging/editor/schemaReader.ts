import { isObject, ownMember } from '../values/json';

/** The combined content of a schema's parts. */
export class Shape {
	readonly properties = new Map<string, unknown[]>();
	readonly required = new Set<unknown>();
	/** JSON types. They include `null` if the value may be null. */
	readonly types = new Set<unknown>();
	items: unknown;
	format: unknown;
	isReadOnly = false;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Reads the JSON Schemas of one OpenAPI description, with their references and compositions. */
export class SchemaReader {
	constructor(readonly document: unknown) {}

	/** Follows the references of a value; undefined if they are broken, circular or point outside the document. */
	resolved(value: unknown): unknown {
		const seen = new Set<string>();
		let at = value;
		for (;;) {
			const reference = ownMember(at, '$ref');
			if (typeof reference !== 'string') return at;
			at = seen.has(reference) ? undefined : this.referred(reference);
			seen.add(reference);
		}
	}

	/** Returns the combined content of schemas. It reads each once, so a recursive one ends. */
	shapeOf(schemas: unknown[]): Shape {
		const shape = new Shape();
		const seen = new Set<unknown>();
		// The array grows during the loop: the parts of a schema are added at its end.
		const parts = schemas.map((schema) => ({ schema, isAlternative: false }));
		for (const { schema, isAlternative } of parts) {
			if (!isObject(schema) || seen.has(schema)) continue;
			seen.add(schema);
			this.add(shape, schema, isAlternative);
			const reference = ownMember(schema, '$ref');
			if (typeof reference === 'string') parts.push({ schema: this.referred(reference), isAlternative });
			for (const part of listOf(ownMember(schema, 'allOf'))) parts.push({ schema: part, isAlternative });
			for (const name of ['oneOf', 'anyOf'])
				for (const part of listOf(ownMember(schema, name))) parts.push({ schema: part, isAlternative: true });
		}
		return shape;
	}

	/** Adds the content of one part. The properties of an alternative are never required. */
	private add(shape: Shape, schema: object, isAlternative: boolean): void {
		const properties = ownMember(schema, 'properties');
		for (const [name, property] of Object.entries(isObject(properties) ? properties : {}))
			shape.properties.set(name, [...(shape.properties.get(name) ?? []), property]);
		if (!isAlternative) for (const name of listOf(ownMember(schema, 'required'))) shape.required.add(name);
		for (const type of [ownMember(schema, 'type')].flat()) shape.types.add(type);
		if (ownMember(schema, 'nullable') === true) shape.types.add('null');
		shape.format ??= ownMember(schema, 'format');
		shape.items ??= ownMember(schema, 'items');
		shape.isReadOnly ||= ownMember(schema, 'readOnly') === true;
	}

	private referred(reference: string): unknown {
		if (!reference.startsWith('#/')) return undefined;
		const names = reference.slice('#/'.length).split('/');
		return names
			.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
			.reduce<unknown>((at, name) => ownMember(at, name), this.document);
	}
}
