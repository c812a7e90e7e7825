import type { ErrorObject } from 'ajv';
import type { Schema } from '../../sandbox/contract.mts';
import { answerValidation } from '../../sandbox/validation.mts';
import { HIDDEN, isKnownName } from './tellable.mts';

/** A member that the contract does not show, by its place. The name can be a datum: see `Tellable`. */
export interface MemberBeyond {
	/** Place of the object that has it, such as `data[]`. */
	place: string;
	name: string;
	type: string;
}

/** What does not fit the contract. Neither place nor problem has anything of a value in it. */
export interface Misfit {
	place: string;
	problem: string;
	/** Whether an id is text where the contract has an integer. */
	isTextId?: true;
}

/** What a value has and lacks in comparison with its schema. */
export interface Comparison {
	misfits: Misfit[];
	beyond: MemberBeyond[];
	/** Names that the contract shows, by place: whether this value has them. */
	shown: Map<string, Map<string, boolean>>;
}

const ajv = answerValidation();
const validators = new WeakMap<Schema, ReturnType<typeof ajv.compile>>();

function validatorOf(schema: Schema): ReturnType<typeof ajv.compile> {
	const known = validators.get(schema);
	if (known) return known;
	const validator = ajv.compile(schema);
	validators.set(schema, validator);
	return validator;
}

/** What JSON calls a value. */
export function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/** A schema with what its parts (`allOf`) add to it. */
function whole(schema: Schema): Schema {
	if (!schema.allOf) return schema;
	const parts = [schema, ...schema.allOf.map(whole)];
	return {
		...Object.assign({}, ...parts),
		properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
		allOf: undefined,
	};
}

const join = (place: string, name: string) => (place ? `${place}.${name}` : name);

/** The way to a part of a value, in names that the contract has, and the value at its end. */
function placeOf(path: string, schema: Schema, value: unknown): { place: string; value: unknown } {
	let [place, at, described]: [string, unknown, Schema | undefined] = ['', value, schema];
	for (const step of path.split('/').slice(1)) {
		const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
		const { properties, items } = whole(described ?? {});
		if (Array.isArray(at)) {
			place += '[]';
			described = items;
		} else {
			const isShown = Object.hasOwn(properties ?? {}, name) || isKnownName(name);
			place = join(place, isShown ? name : HIDDEN);
			described = properties?.[name];
		}
		at = (at as Record<string, unknown>)[name];
	}
	return { place, value: at };
}

/** An error of the validator in words that have no value in them. */
function toMisfit(error: ErrorObject, schema: Schema, root: unknown): Misfit {
	const { keyword, instancePath, params } = error;
	const { place, value } = placeOf(instancePath, schema, root);
	switch (keyword) {
		case 'type': {
			const wanted = [params.type as string | string[]].flat();
			const isTextId =
				wanted.includes('integer') && typeof value === 'string' && /(^|[._])ids?(\[\])?$/.test(place);
			const problem = `is ${typeOf(value)}, not ${wanted.join(' or ')}`;
			return { place, problem, ...(isTextId && { isTextId }) };
		}
		case 'required':
			return { place: join(place, String(params.missingProperty)), problem: 'is missing' };
		case 'additionalProperties': {
			const name = String(params.additionalProperty);
			return { place: join(place, isKnownName(name) ? name : HIDDEN), problem: 'is beyond the contract' };
		}
		case 'enum':
			return { place, problem: 'has a value that the contract does not list' };
		case 'format':
			return { place, problem: `is no ${String(params.format)}` };
		default:
			return { place, problem: `breaks the rule "${keyword}" of the contract` };
	}
}

function walk(value: unknown, described: Schema, place: string, into: Comparison): void {
	const { properties, items, type, additionalProperties } = whole(described);
	if (Array.isArray(value)) {
		if (items) for (const item of value) walk(item, items, `${place}[]`, into);
		return;
	}
	const isDescribed = properties !== undefined || (type === 'object' && additionalProperties === true);
	if (typeof value !== 'object' || value === null || !isDescribed) return;
	const shown = into.shown.get(place) ?? new Map<string, boolean>();
	into.shown.set(place, shown);
	for (const name of Object.keys(properties ?? {})) {
		shown.set(name, Object.hasOwn(value, name) || (shown.get(name) ?? false));
	}
	for (const [name, member] of Object.entries(value)) {
		if (properties && Object.hasOwn(properties, name))
			walk(member, properties[name], join(place, name), into);
		else if (additionalProperties !== false) into.beyond.push({ place, name, type: typeOf(member) });
	}
}

/** Compares a value with what the contract says about it. */
export function compare(schema: Schema, value: unknown): Comparison {
	const validate = validatorOf(schema);
	const errors = validate(value) ? [] : (validate.errors ?? []);
	const misfits = new Map<string, Misfit>();
	for (const error of errors) {
		const misfit = toMisfit(error, schema, value);
		misfits.set(`${misfit.place} ${misfit.problem}`, misfit);
	}
	const comparison: Comparison = { misfits: [...misfits.values()], beyond: [], shown: new Map() };
	walk(value, schema, '', comparison);
	return comparison;
}
