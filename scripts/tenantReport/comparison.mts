import type { ErrorObject } from 'ajv';
import type { Schema } from '../../sandbox/contract.mts';
import { answerValidation } from '../../sandbox/validation.mts';
import { isRecord, told, typeOf, typeWord } from './vocabulary.mts';

/** What does not fit the contract, in words that have nothing of a value in them. */
export interface Misfit {
	place: string;
	expected: string;
	came: string;
	/** What came is of another type, with the type. */
	type?: string;
}

/** What a value has and lacks in comparison with its schema. */
export interface Comparison {
	misfits: Misfit[];
	/** Types of the members that the contract does not show, by their place and the name that the tenant gives them. */
	beyond: Map<string, Map<string, string>>;
	/** Members that the contract shows, by their place: whether this value has them. */
	shown: Map<string, boolean>;
}

const ajv = answerValidation();

/** A schema with what its parts (`allOf`) add to it. */
export function whole(schema: Schema): Schema {
	if (!schema.allOf) return schema;
	const parts = [schema, ...schema.allOf.map(whole)];
	return {
		...Object.assign({}, ...parts),
		properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
		allOf: undefined,
	};
}

const join = (place: string, name: string) => (place ? `${place}.${name}` : name);

/** The way to a part of a value in known names; each item of a list is `[]`, any other member `*`. */
function placeOf(pointer: string, from: string): string {
	const steps = pointer.split('/').slice(1);
	return steps.reduce(
		(place, step) => (/^\d+$/.test(step) ? `${place}[]` : join(place, told(step) ?? '*')),
		from,
	);
}

const isRespelt = (value: unknown, name: string) =>
	isRecord(value) && !Object.hasOwn(value, name) && Object.keys(value).some((key) => told(key) === name);

const missing = (parent: unknown, place: string, name: string): Misfit => ({
	place: join(place, name),
	expected: 'a member of this name',
	came: isRespelt(parent, name) ? 'the name in another spelling' : 'no such member',
});

/** An error of the validator as a misfit. Forms of times are looked at elsewhere, and so are members beyond the contract. */
function misfitOf({ keyword, instancePath, params, data }: ErrorObject, from: string): Misfit | undefined {
	const place = placeOf(instancePath, from);
	switch (keyword) {
		case 'type': {
			const expected = [params.type as string | string[]].flat().map(typeWord).join(' or ');
			return { place, expected, came: typeOf(data), type: typeOf(data) };
		}
		case 'required':
			return missing(data, place, String(params.missingProperty));
		case 'enum':
			return { place, expected: 'a value that the contract lists', came: 'another value' };
		case 'format':
			return params.format === 'date-time'
				? undefined
				: { place, expected: `the form ${String(params.format)}`, came: 'another form' };
		case 'additionalProperties':
		case 'anyOf':
			return undefined;
		default:
			return { place, expected: `the rule "${keyword}" of the contract`, came: 'a value that breaks it' };
	}
}

function walk(value: unknown, described: Schema, place: string, into: Comparison): void {
	const { properties, items, type, additionalProperties } = whole(described);
	if (Array.isArray(value)) {
		if (items) for (const item of value) walk(item, items, `${place}[]`, into);
		return;
	}
	if (!isRecord(value) || !(properties ?? (type === 'object' && additionalProperties !== false))) return;
	for (const name of Object.keys(properties ?? {})) {
		const at = join(place, name);
		into.shown.set(at, Object.hasOwn(value, name) || (into.shown.get(at) ?? false));
		if (isRespelt(value, name)) into.misfits.push(missing(value, place, name));
	}
	const beyond = into.beyond.get(place) ?? new Map<string, string>();
	for (const [name, member] of Object.entries(value)) {
		if (properties && Object.hasOwn(properties, name))
			walk(member, properties[name], join(place, name), into);
		else beyond.set(name, typeOf(member));
	}
	if (beyond.size > 0) into.beyond.set(place, beyond);
}

const validators = new WeakMap<Schema, ReturnType<typeof ajv.compile>>();

/** Compares a value with what the contract says about it. @param place where the value stands in the body */
export function compare(schema: Schema, value: unknown, place: string): Comparison {
	const validate = validators.get(schema) ?? ajv.compile(schema);
	validators.set(schema, validate);
	const errors = validate(value) ? [] : (validate.errors ?? []);
	const comparison: Comparison = {
		misfits: errors.flatMap((error) => misfitOf(error, place) ?? []),
		beyond: new Map(),
		shown: new Map(),
	};
	walk(value, schema, place, comparison);
	const told = new Map(comparison.misfits.map((misfit) => [`${misfit.place} ${misfit.came}`, misfit]));
	return { ...comparison, misfits: [...told.values()] };
}
