import fc from 'fast-check';
import { loadContract } from '../../sandbox/contract.mts';
import type { ContractOperation, Schema } from './contract.mts';
import type { KnownIds } from './knownIds.mts';

/** A file to upload. */
interface FormFile {
	content: string;
	mimeType: string;
	name: string;
}

/** A request made up from the contract. */
export interface Generated {
	path: string;
	token: 'admin' | 'user';
	body?: unknown;
	form?: Array<[string, string | FormFile]>;
}

/** All texts that the contract gives as examples. */
function examplesIn(value: unknown, isExample = false): string[] {
	if (typeof value === 'string') return isExample ? [value] : [];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, part]) => examplesIn(part, isExample || name === 'examples'));
}

const anyText = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...examplesIn(loadContract()), 'mira@mail.example', 'sms', ',,') },
	{ weight: 1, arbitrary: fc.string() },
	{ weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			'',
			' ',
			'%',
			"'; DROP TABLE users; --",
			'\u0000',
			'../../etc/passwd',
			'{{1}}',
			'x'.repeat(5000),
		),
	},
);

/** Digits that make `noa.100001@mail.example` or 4915112345678 another one: much has to be unique. */
const otherDigits = (text: string): fc.Arbitrary<string> =>
	fc
		.integer({ min: 1e12, max: 1e13 })
		.map((digits) =>
			text.replace(
				/(\d{2})(\d{4,})/,
				(_, first: string, rest: string) => first + String(digits).slice(-rest.length),
			),
		);

/** An example of the contract, or one like it. */
function like(example: unknown): fc.Arbitrary<unknown> {
	if (Array.isArray(example)) return fc.tuple(...example.map(like));
	if (typeof example === 'object' && example !== null)
		return fc.record(Object.fromEntries(Object.entries(example).map(([name, part]) => [name, like(part)])));
	if (typeof example === 'string') return fc.oneof(fc.constant(example), otherDigits(example));
	if (typeof example === 'number')
		return fc.oneof(fc.constant(example), otherDigits(String(example)).map(Number));
	return fc.constant(example);
}

/** Other members than those of the contract, where it allows some. */
const others = fc.oneof(
	{ weight: 3, arbitrary: fc.constant({}) },
	{
		weight: 1,
		arbitrary: fc.dictionary(
			fc.oneof(fc.string(), fc.constantFrom('name', 'title', 'language', 'id', 'components', '__proto__')),
			fc.jsonValue(),
			{ maxKeys: 2 },
		),
	},
);

const mapMembers = <Value,>(schema: Schema, to: (member: Schema, name: string) => Value) =>
	Object.fromEntries(
		Object.entries(schema.properties ?? {}).map(([name, member]) => [name, to(member, name)]),
	);

const form: fc.Arbitrary<Generated['form']> = fc
	.tuple(
		fc.constantFrom('image', 'video', 'audio', 'document', 'document', 'song'),
		fc.constantFrom('0', '1', undefined, 'yes'),
		fc.record({
			content: fc.string({ maxLength: 2000 }),
			mimeType: fc.constantFrom(
				'text/plain',
				'image/png',
				'video/quicktime',
				'audio/ogg',
				'application/x-unknown',
				'',
			),
			name: anyText,
		}),
		fc.array(fc.tuple(fc.constantFrom('type', 'public', 'file', 'other'), anyText), { maxLength: 2 }),
	)
	.map(([type, isPublic, file, others]) => [
		...others,
		['type', type] as const,
		...(isPublic === undefined ? [] : [['public', isPublic] as const]),
		['file', file] as const,
	])
	.chain((parts) =>
		fc.shuffledSubarray(
			parts.map(([name, part]): [string, string | FormFile] => [name, part]),
			{ minLength: Math.max(0, parts.length - 1) },
		),
	);

const asText = (part: unknown): string => (typeof part === 'string' ? part : JSON.stringify(part ?? ''));

/** Without halves of surrogate pairs, which no address can hold. */
const inPath = (part: unknown): string =>
	encodeURIComponent(
		asText(part)
			.replace(/[\ud800-\udfff]/g, '?')
			.slice(0, 90) || 'x',
	);

/** Requests to a tenant whose records are known, so that many of them get past "not found". */
export class RequestGenerator {
	private readonly anyId: fc.Arbitrary<unknown>;

	constructor(private readonly known: KnownIds) {
		this.anyId = fc.oneof(
			{ weight: 3, arbitrary: fc.constantFrom(...known.numbers) },
			{ weight: 1, arbitrary: fc.integer() },
			{ weight: 1, arbitrary: fc.constantFrom(0, -1, 2 ** 31, 2 ** 53, 1e300) },
		);
	}

	/** Requests to an operation: many right, many nearly right, some absurd. */
	requestsTo(operation: ContractOperation): fc.Arbitrary<Generated> {
		const { requestBody } = operation;
		const json = requestBody?.content['application/json']?.schema;
		const isForm = requestBody?.content['multipart/form-data'] !== undefined;
		return fc.record({
			path: this.address(operation),
			token: fc.constantFrom('admin', 'admin', 'admin', 'user'),
			body: json ? this.body(json) : fc.constantFrom(undefined, undefined, {}, 'text', [1]),
			...(isForm && { body: fc.constant(undefined), form }),
		});
	}

	/** Values that have the form of a schema. */
	private fitting(schema: Schema): fc.Arbitrary<unknown> {
		if (schema.enum) return fc.constantFrom(...schema.enum);
		return fc.oneof(...[schema.type ?? 'anything'].flat().map((type) => this.ofType(type, schema)));
	}

	private ofType(type: string, schema: Schema): fc.Arbitrary<unknown> {
		switch (type) {
			case 'integer':
				return schema.minimum === undefined
					? this.anyId
					: fc.integer({ min: schema.minimum, max: schema.maximum });
			case 'number':
				return fc.oneof(fc.double(), this.anyId);
			case 'string':
				return anyText;
			case 'boolean':
				return fc.boolean();
			case 'null':
				return fc.constant(null);
			case 'array':
				return fc.array(this.value(schema.items ?? {}), { maxLength: 5 });
			case 'object':
				return this.object(schema);
			default:
				return fc.jsonValue();
		}
	}

	private object(schema: Schema): fc.Arbitrary<object> {
		const shown = fc.record(
			mapMembers(schema, (member) => this.value(member)),
			{ requiredKeys: schema.required ?? [], noNullPrototype: true },
		);
		if (schema.additionalProperties === false) return shown;
		return fc.tuple(shown, others).map(([first, second]) => ({ ...second, ...first }));
	}

	/** Mostly of the right form, now and then anything at all. */
	private value(schema: Schema): fc.Arbitrary<unknown> {
		return fc.oneof(
			{ weight: 12, arbitrary: this.fitting(schema) },
			{ weight: 1, arbitrary: fc.jsonValue() },
		);
	}

	/**
	 * Values that the tenant takes: examples of the contract or the like, and records that there are.
	 * @param name what the value is called, which tells whose id it is
	 */
	private right(schema: Schema, name: string): fc.Arbitrary<unknown> {
		const { type = 'anything', items = {}, properties, examples = [], minimum = 1, maximum } = schema;
		const types = [type].flat();
		const orNull = (values: fc.Arbitrary<unknown>) =>
			types.includes('null') ? fc.option(values, { freq: 3 }) : values;
		if (schema.enum) return fc.constantFrom(...schema.enum);
		if (properties) return this.rightObject(schema, name);
		if (examples.length > 0) return orNull(fc.oneof(...examples.map(like)));
		const ids = this.known.named(name);
		if (ids.length > 0 && !types.includes('array')) return orNull(fc.constantFrom(...ids));
		if (types.includes('array')) return fc.array(this.right(items, name), { maxLength: 4 });
		if (types.includes('integer')) return orNull(fc.integer({ min: minimum, max: maximum ?? 1e6 }));
		if (types.includes('string')) return orNull(fc.constantFrom('Noa', 'Two words'));
		return this.fitting(schema);
	}

	private rightObject(schema: Schema, name: string): fc.Arbitrary<object> {
		const { required = [], examples = [], additionalProperties } = schema;
		const shown = fc.record(
			// The id of a tag in a list of tags.
			mapMembers(schema, (member, own) => this.right(member, own === 'id' ? name : own)),
			{ requiredKeys: examples.length > 0 ? [] : required, noNullPrototype: true },
		);
		const example = (
			examples.length > 0 ? fc.oneof(...examples.map(like)) : fc.constant({})
		) as fc.Arbitrary<object>;
		const more = additionalProperties === true ? others : fc.constant({});
		return fc.tuple(more, shown, example).map((parts) => Object.assign({}, ...parts) as object);
	}

	/** A body: a right one, one of which some members are replaced, or any. */
	private body(schema: Schema): fc.Arbitrary<unknown> {
		const right = this.rightObject(schema, '');
		const changes = fc.record(
			mapMembers(schema, (member, name) => fc.oneof(this.right(member, name), this.value(member))),
			{ requiredKeys: [], noNullPrototype: true },
		);
		const few = fc.tuple(changes, fc.nat(), fc.nat({ max: 2 })).map(([all, start, count]) => {
			const entries = Object.entries(all);
			return Object.fromEntries(
				entries.length === 0
					? []
					: Array.from({ length: count }, (_, index) => entries[(start + index) % entries.length]),
			);
		});
		return fc.oneof(
			{ weight: 3, arbitrary: right },
			{ weight: 3, arbitrary: fc.tuple(right, few).map(([body, change]) => ({ ...body, ...change })) },
			{ weight: 1, arbitrary: this.value(schema) },
		);
	}

	/** The path with its parameters filled in, most of the time with ids that exist, and any query. */
	private address({ path, parameters }: ContractOperation): fc.Arbitrary<string> {
		const odd = fc.oneof(this.anyId, anyText);
		const ids = parameters
			.filter((parameter) => parameter.in === 'path')
			.map(({ name }) =>
				fc
					.oneof(
						{ weight: 5, arbitrary: fc.constantFrom<unknown>(...this.known.inPath(path, name)) },
						{ weight: 1, arbitrary: odd },
					)
					.map((id) => [name, id] as const),
			);
		const query = fc.record(
			Object.fromEntries(
				parameters
					.filter((parameter) => parameter.in === 'query')
					.map(({ name, schema }) => [name, fc.oneof(this.right(schema, name), this.fitting(schema))]),
			),
			{ requiredKeys: [] },
		);
		const more = fc.dictionary(
			fc.constantFrom('page', 'cursor', 'offset', 'limit', 'per_page', 'odd'),
			anyText,
			{ maxKeys: 2 },
		);
		return fc.tuple(fc.tuple(...ids), query, more).map(([pairs, asked, unasked]) => {
			const filled = pairs.reduce((text, [name, id]) => text.replace(`{${name}}`, inPath(id)), path);
			const search = new URLSearchParams(
				Object.entries({ ...unasked, ...asked }).map(([name, part]): [string, string] => [
					name,
					asText(part),
				]),
			);
			return `${filled}?${search.toString()}`;
		});
	}
}
