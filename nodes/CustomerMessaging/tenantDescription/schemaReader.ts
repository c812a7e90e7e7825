import { EventLoopYielder } from '../runner/eventLoop';
import { isObject, ownMember } from '../values/json';
import { TooLarge } from './partsReader';

/** Maximum number of elements visited for one request: a hostile description may nest and repeat them without end. */
export const MAX_VISITS = 50_000;

const MAX_HOPS = 20;
const MAX_REFERENCE_LENGTH = 1000;

/** The combined content of a schema's parts. For texts, the outermost part wins. */
export class Shape {
	readonly properties = new Map<string, unknown[]>();
	readonly required = new Set<string>();
	/** JSON types. They include `null` if the value may be null. */
	readonly types = new Set<string>();
	readonly values = new Map<unknown, string | undefined>();
	items: unknown;
	title?: string;
	description?: string;
	format?: string;
	isReadOnly = false;
	isDeprecated = false;
}

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);

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

/** Reads the JSON Schemas of one OpenAPI description, with their references and compositions, in one budget. */
export class SchemaReader {
	private left = MAX_VISITS;
	private readonly pause = new EventLoopYielder();

	/** The shapes by their only schema, because many fields may have the same. */
	private readonly shapes = new Map<unknown, Shape>();

	constructor(readonly document: unknown) {}

	private visit(elements: number): void {
		this.left -= elements;
		if (this.left < 0) throw new TooLarge(`names more than ${MAX_VISITS / 1000},000 parts for one request`);
	}

	/** Follows the references of a value; undefined if they are broken, circular or point outside the document. */
	resolved(value: unknown): unknown {
		let at = value;
		for (let hops = 0; hops < MAX_HOPS; hops++) {
			const reference = ownMember(at, '$ref');
			if (typeof reference !== 'string') return at;
			at = this.referred(reference);
		}
		return undefined;
	}

	/** Returns the combined content of schemas. It reads each once, so a recursive one ends. Fails with `TooLarge`. */
	async shapeOf(schemas: unknown[]): Promise<Shape> {
		await this.pause.yield();
		const key = schemas.length === 1 ? this.target(schemas[0]) : undefined;
		const known = isObject(key) ? this.shapes.get(key) : undefined;
		if (known) return known;
		const shape = new Shape();
		const seen = new Set<unknown>();
		// The array grows during the loop: the parts of a schema are added at its end.
		const parts = schemas.map((schema) => ({ schema, isAlternative: false }));
		for (const { schema, isAlternative } of parts) {
			this.visit(1);
			if (!isObject(schema) || seen.has(schema)) continue;
			await this.pause.yield();
			seen.add(schema);
			this.add(shape, schema, isAlternative);
			const add = (list: unknown[], alternative: boolean) => {
				this.visit(list.length);
				for (const part of list) parts.push({ schema: part, isAlternative: alternative });
			};
			const reference = ownMember(schema, '$ref');
			if (typeof reference === 'string') add([this.referred(reference)], isAlternative);
			add(listOf(ownMember(schema, 'allOf')), isAlternative);
			add(listOf(ownMember(schema, 'oneOf')), true);
			add(listOf(ownMember(schema, 'anyOf')), true);
		}
		if (isObject(key)) this.shapes.set(key, shape);
		return shape;
	}

	private target(schema: unknown): unknown {
		if (!isObject(schema) || typeof ownMember(schema, '$ref') !== 'string') return schema;
		const names = this.visited(Object.keys(schema));
		return names.length === 1 ? (this.resolved(schema) ?? schema) : schema;
	}

	/** Adds the content of one part. The properties of an alternative are never required. */
	private add(shape: Shape, schema: object, isAlternative: boolean): void {
		const properties = ownMember(schema, 'properties');
		const named = Object.entries(isObject(properties) ? properties : {});
		this.visit(named.length);
		for (const [name, property] of named) {
			const known = shape.properties.get(name);
			if (known) known.push(property);
			else shape.properties.set(name, [property]);
		}
		const addTexts = (to: Set<string>, texts: unknown[]) => {
			for (const one of texts) if (typeof one === 'string') to.add(one);
		};
		if (!isAlternative) addTexts(shape.required, this.visited(ownMember(schema, 'required')));
		const type = ownMember(schema, 'type');
		addTexts(shape.types, Array.isArray(type) ? this.visited(type) : [type]);
		if (ownMember(schema, 'nullable') === true) shape.types.add('null');
		for (const value of this.visited(ownMember(schema, 'enum'))) shape.values.set(value, undefined);
		const constant = ownMember(schema, 'const');
		const title = textOf(ownMember(schema, 'title'));
		const description = textOf(ownMember(schema, 'description'));
		if (constant !== undefined) shape.values.set(constant, title ?? description);
		else {
			shape.title ??= title;
			shape.description ??= description;
		}
		shape.format ??= textOf(ownMember(schema, 'format'));
		shape.items ??= ownMember(schema, 'items');
		shape.isReadOnly ||= ownMember(schema, 'readOnly') === true;
		shape.isDeprecated ||= ownMember(schema, 'deprecated') === true;
	}

	private visited(value: unknown): unknown[] {
		const list = listOf(value);
		this.visit(list.length);
		return list;
	}

	private referred(reference: string): unknown {
		if (!reference.startsWith('#/') || reference.length > MAX_REFERENCE_LENGTH) return undefined;
		const names = reference.slice('#/'.length).split('/');
		this.visit(names.length);
		return names.reduce<unknown>((at, part) => ownMember(at, pointerName(part)), this.document);
	}
}
