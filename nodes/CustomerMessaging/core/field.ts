import type { IDataObject, IExecutePaginationFunctions, INodeProperties } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import type { RecordId } from '../values/ids';
import {
	type Field,
	type NamedParameter,
	type Parameter,
	parameterFor,
	type Setting,
	type Target,
} from '../values/field';
import type { Parse } from '../values/parse';
import { isBlank } from '../values/text';

export { type Field, type Setting, setting } from '../values/field';

/** What the editor's list of optional fields is sorted by. */
const sortName = ({ parameter }: EditorOnly) => parameter.displayName.toLowerCase();

/** Makes the function that makes a collection of optional fields. The paths of its settings begin with its name. */
const collectionOf =
	<const Name extends string>(name: Name, displayName: string, placeholder: string) =>
	<const Fields extends ReadonlyArray<MemberField | OpenField | Setting<`${Name}.${string}`>>>(
		...fields: Fields
	): Collection<Fields> => ({
		parameter: parameterFor(name, { displayName, placeholder, type: 'collection' }),
		// The first comparison by a locale takes longer than all others at the start.
		fields: fields.toSorted((a, b) => (sortName(a) < sortName(b) ? -1 : 1)) as unknown as Fields,
	});

/** The fields that a new record can do without. */
export const additionalFields = collectionOf('additionalFields', 'Additional Fields', 'Add Field');

/** The fields that an update changes. */
export const updateFields = collectionOf('updateFields', 'Update Fields', 'Add Field');

/** The filters of a list. */
export const filters = collectionOf('filters', 'Filters', 'Add Filter');

/** The options of an operation. */
export const options = collectionOf('options', 'Options', 'Add option');

// Operations consist of fields only. So every displayed parameter has a target or is read, and every sent value is parsed.

export type ItemContext = RunContext<IExecutePaginationFunctions>;

/** Finds the ID of the record of somebody whose phone number is known. Throws InvalidValue that says why it cannot. */
export type FindByPhone = (context: ItemContext, digits: string) => Promise<RecordId>;

/** Returns what finds the IDs of records that a value names; undefined if it names none. */
export type FindByName = Parse<((context: RunContext) => Promise<unknown>) | undefined>;

/** How a record is found whose ID is not given. */
export interface Finders {
	/** Finds the record for the mode *By Phone Number* of a locator. */
	findByPhone?: FindByPhone;
	findByName?: FindByName;
}

/** A parameter whose value is sent as a member of the body or the query. */
export type MemberField<
	In extends 'body' | 'query' = 'body' | 'query',
	Member extends string = string,
	Value = unknown,
> = Field<string, Value, Target<In, Member>> & Finders;

/** A parameter whose value is sent in the path of the request. */
export type PathField<Name extends string = string> = Field<string, string, Target<'path', Name>> & Finders;

/** A parameter that only shows something to the person who looks at the node. */
export type EditorOnly = Pick<Field, 'parameter'>;

/** A parameter that makes members of the body whose names only the tenant knows. */
export interface OpenField extends EditorOnly {
	/**
	 * Adds the members to those of the fields before, or clears them where there is no value.
	 *
	 * @param path path of the value among the node's parameters
	 * @throws NodeOperationError that names the parameter
	 */
	membersOf: (context: ItemContext, body: IDataObject, clears: boolean, path: string) => IDataObject;
}

export interface Collection<
	Fields extends ReadonlyArray<MemberField | OpenField | Setting> = ReadonlyArray<
		MemberField | OpenField | Setting
	>,
> extends EditorOnly {
	fields: Fields;
}

export type AnyField = MemberField | PathField | OpenField | Setting | EditorOnly | Collection;

/** The fields with those in collections. */
export type Flat<Field> = Field extends Collection<infer Fields> ? Fields[number] : Field;

const memberField =
	<In extends 'body' | 'query'>(place: In) =>
	<const Member extends string, Value>(
		name: Member,
		parse: Parse<Value>,
		parameter: Parameter,
	): MemberField<In, Member, Value> => {
		const complete = parameterFor(name, parameter);
		return { parameter: complete, path: complete.name, parse, target: { place, name } };
	};

export const bodyField = memberField('body');

export const queryField = memberField('query');

/** Makes a field that also takes `null`, which clears the member. The interface must allow null there. */
export const clearable = <Member extends string, Value>(
	field: MemberField<'body', Member, Value>,
): MemberField<'body', Member, Value | null> => ({
	...field,
	parse: (value, reading) => (isBlank(value) ? null : field.parse(value, reading)),
	isClearable: true,
});

/** Marks a field of a member that the interface does not show, but the records of a tenant have. */
export const undocumented = <Member extends MemberField<'body'>>(field: Member) => ({
	...field,
	isUndocumented: true as const,
});

/** Makes a set that is sent as a member of the body, even if it is empty. */
export function bodySet<const Member extends string, Value>(
	member: Member,
	parse: Parse<Value[]>,
	parameter: Parameter,
): MemberField<'body', Member, Value[]> {
	return { ...bodyField(member, parse, parameter), isSet: true };
}

/** Turns a field of a record into a field of a member that holds the record. */
export const within = <const Holder extends string, Field extends MemberField<'body'>>(
	holder: Holder,
	field: Field,
) => {
	const target = { ...field.target, name: `${holder}.${field.target.name}` };
	return { ...field, target } as unknown as Within<Holder, Field>;
};

type Within<Holder extends string, Field> =
	Field extends MemberField<'body', infer Member, infer Value>
		? MemberField<'body', `${Holder}.${Member}`, Value>
		: never;

export type PathParameter = Omit<PathField, 'path' | 'target'>;

export const pathField = <const Name extends string>(
	name: Name,
	parameter: PathParameter,
): PathField<Name> => ({
	...parameter,
	path: parameter.parameter.name,
	target: { place: 'path', name },
});

export const editorOnly = (parameter: NamedParameter): EditorOnly => ({
	parameter: parameterFor(parameter.name, parameter),
});

export const notice = (parameter: NamedParameter) => editorOnly({ ...parameter, type: 'notice' });

/** Returns a field with other display properties: label, description, display condition or required mark. */
export function shownAs<Field extends AnyField>(
	field: Field,
	look: Partial<Pick<INodeProperties, 'description' | 'displayName' | 'displayOptions' | 'required'>>,
): Field {
	return { ...field, parameter: { ...field.parameter, ...look } };
}

/** Returns fields that the editor displays only while a parameter has one of these values. */
export function shownWhile<const Fields extends readonly AnyField[]>(
	name: string,
	values: string[],
	fields: Fields,
): Fields {
	return fields.map((field) => {
		const { displayOptions } = field.parameter;
		return shownAs(field, {
			// n8n tests conditions in order, and stops, as met, at a parameter given by an expression. So a field's own come first.
			displayOptions: { ...displayOptions, show: { ...displayOptions?.show, [name]: values } },
		});
	}) as unknown as Fields;
}

function parametersOf(field: AnyField): INodeProperties[] {
	if (!('fields' in field)) return [field.parameter];
	return [{ ...field.parameter, options: field.fields.flatMap(parametersOf) }];
}

export function flatten(fields: readonly AnyField[]): Array<Exclude<AnyField, Collection>> {
	return fields.flatMap((field) => ('fields' in field ? [...field.fields] : [field]));
}

/** Returns the editor's names of the fields by the members of the request that their values end in. */
export function memberNames(fields: readonly AnyField[]): Record<string, string> {
	return Object.fromEntries(
		flatten(fields).flatMap((field) => {
			if (!('target' in field)) return [];
			const { target, member, parameter } = field;
			const name = target && target.place !== 'path' ? target.name : member;
			return name === undefined ? [] : [[name, parameter.displayName]];
		}),
	);
}

/** Returns the parameters that the editor displays for fields. */
export function propertiesOf(fields: readonly AnyField[]): INodeProperties[] {
	return fields.flatMap(parametersOf);
}
