import type { INodeProperties } from 'n8n-workflow';

import { type Parameter, parameterFor } from './parameter';
import type { Parse } from './parse';

export type Place = 'body' | 'path' | 'query';

/** Where a value goes: its part of the request, and the name in it. `a.b` is the member `b` of the member `a`. */
export interface Target<In extends Place = Place, Name extends string = string> {
	place: In;
	name: Name;
}

/** A parameter of the editor: how its value is parsed, and where it goes. */
export interface Field<
	Path extends string = string,
	Value = unknown,
	To extends Target | undefined = Target | undefined,
> {
	parameter: INodeProperties;
	/** Of its value among those of the node, such as `options.returnIds`, or in a row. */
	path: Path;
	parse: Parse<Value>;
	/** Without one, the operation reads the value itself. */
	target: To;
	/** Whether an empty value is sent too, as an empty set. Otherwise a parameter without a value is left out. */
	isSet?: boolean;
	/** Whether the parser makes of a blank value what clears the member. */
	isClearable?: boolean;
	/** Name of the member that an operation makes of the value, for errors about it. */
	member?: string;
}

/** A field that the operation reads. */
export type Setting<Path extends string = string, Value = unknown> = Field<Path, Value, undefined>;

/** Makes a setting; `options.name` is in the collection `options`. */
export const setting = <const Path extends string, Value>(
	path: Path,
	parse: Parse<Value>,
	parameter: Parameter,
	member?: string,
): Setting<Path, Value> => ({
	...{ path, parse, member },
	parameter: parameterFor(path, parameter),
	target: undefined,
});
