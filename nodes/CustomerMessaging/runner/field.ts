import type { IDataObject, IExecutePaginationFunctions, INodeProperties } from 'n8n-workflow';

import type { Conversion } from '../values/conversion';

// A field is a parameter of the editor together with what becomes of its value. There are no others: what is shown has a
// place, and what goes out was converted.

/** What of n8n an item sees while it is carried out. */
export type ItemContext = IExecutePaginationFunctions;

/** A parameter whose value goes out as a member of the body or the query. */
export interface MemberField<
	In extends 'body' | 'query' = 'body' | 'query',
	Member extends string = string,
	Value = unknown,
> {
	kind: 'member';
	parameter: INodeProperties;
	in: In;
	/** The member, `a.b` within the member `a`. */
	member: Member;
	convert: Conversion<Value>;
	/** Whether nothing goes out too, as an empty set does; else a parameter without a value is left out. */
	isSet?: boolean;
}

/** A parameter whose value goes out in the path of the request. */
export interface PathField<Place extends string = string> {
	kind: 'path';
	parameter: INodeProperties;
	/** The place of the path, as the interface names it. */
	place: Place;
	convert: Conversion<string>;
}

/** Parameters that make members of the body by names that only the tenant knows. */
export interface OpenField {
	kind: 'open';
	parameters: INodeProperties[];
	/**
	 * @param body what the fields before it have made
	 * @throws NodeOperationError that names the parameter
	 */
	membersOf: (context: ItemContext, body: IDataObject) => IDataObject;
}

/** A parameter that says how something is done; it is read by the operation's flow or output. */
export interface Setting<Path extends string = string, Value = unknown> {
	kind: 'setting';
	parameter: INodeProperties;
	/** Where its value stands among the node's parameters. */
	path: Path;
	convert: Conversion<Value>;
}

/** What only the editor uses: words for the person who looks at the node, or a choice that decides what else is shown. */
export interface EditorOnly {
	kind: 'editorOnly';
	parameter: INodeProperties;
}

/** Optional fields that are added one by one. */
export interface Collection<
	Fields extends ReadonlyArray<MemberField | Setting> = ReadonlyArray<MemberField | Setting>,
> {
	kind: 'collection';
	parameter: INodeProperties;
	fields: Fields;
}

export type AnyField = MemberField | PathField | OpenField | Setting | EditorOnly | Collection;

/** A field whose value goes out as a member of the body. */
export function bodyField<const Member extends string, Value>(
	member: Member,
	convert: Conversion<Value>,
	parameter: INodeProperties,
): MemberField<'body', Member, Value> {
	return { kind: 'member', in: 'body', member, convert, parameter };
}

/** A set that goes out as a member of the body, an empty one too. */
export function bodySet<const Member extends string, Value>(
	member: Member,
	convert: Conversion<Value[]>,
	parameter: INodeProperties,
): MemberField<'body', Member, Value[]> {
	return { ...bodyField(member, convert, parameter), isSet: true };
}

/** A field whose value goes out in the query. */
export function queryField<const Member extends string, Value extends number | string>(
	member: Member,
	convert: Conversion<Value>,
	parameter: INodeProperties,
): MemberField<'query', Member, Value> {
	return { kind: 'member', in: 'query', member, convert, parameter };
}

/** The fields of a record as those of a member that holds the record. */
export function within<const Holder extends string, Member extends string, Value>(
	holder: Holder,
	field: MemberField<'body', Member, Value>,
): MemberField<'body', `${Holder}.${Member}`, Value> {
	return { ...field, member: `${holder}.${field.member}` };
}

/** A parameter whose value can stand in a path. */
export type PathParameter = Pick<PathField, 'convert' | 'parameter'>;

/** A field for one place in the path of an endpoint. */
export function pathField<const Place extends string>(
	place: Place,
	{ convert, parameter }: PathParameter,
): PathField<Place> {
	return { kind: 'path', place, convert, parameter };
}

/** @param path where the value stands among the node's parameters, `options.name` within the collection `options` */
export function setting<const Path extends string, Value>(
	path: Path,
	convert: Conversion<Value>,
	parameter: INodeProperties,
): Setting<Path, Value> {
	return { kind: 'setting', path, convert, parameter };
}

/** Words for the person who looks at the node. */
export function notice(parameter: INodeProperties & { type: 'notice' }): EditorOnly {
	return { kind: 'editorOnly', parameter };
}

/** A choice that decides which fields are shown, and is no value itself. */
export function editorChoice(parameter: INodeProperties & { type: 'options' }): EditorOnly {
	return { kind: 'editorOnly', parameter };
}

/** Optional fields. Settings among them have paths that begin with the collection's name. */
export function collection<
	const Name extends string,
	const Fields extends ReadonlyArray<MemberField | Setting<`${Name}.${string}`>>,
>(parameter: INodeProperties & { name: Name }, fields: Fields): Collection<Fields> {
	return { kind: 'collection', parameter, fields };
}

/** A field with another look: what it says, when it is shown, whether it has to be filled in. */
export function shownAs<Field extends Exclude<AnyField, OpenField>>(
	field: Field,
	look: Partial<Pick<INodeProperties, 'description' | 'displayName' | 'displayOptions' | 'required'>>,
): Field {
	return { ...field, parameter: { ...field.parameter, ...look } };
}

function parametersOf(field: AnyField): INodeProperties[] {
	if (field.kind === 'open') return field.parameters;
	if (field.kind !== 'collection') return [field.parameter];
	return [{ ...field.parameter, options: field.fields.flatMap(parametersOf) }];
}

/** The parameters that the editor shows for fields. */
export function propertiesOf(fields: readonly AnyField[]): INodeProperties[] {
	return fields.flatMap(parametersOf);
}
