import type { INodeProperties, NodeParameterValueType, NodePropertyTypes } from 'n8n-workflow';

import type { Parse } from './parse';

const EMPTY_VALUES = {
	boolean: () => false,
	collection: () => ({}),
	fixedCollection: () => ({}),
	multiOptions: () => [],
	notice: () => '',
	string: () => '',
} satisfies Partial<Record<NodePropertyTypes, () => NodeParameterValueType>>;

/** Words that a label writes without a capital within it, or in capitals. */
const SMALL_WORDS = 'and in of to with'.split(' ');
const ACRONYMS = 'crm id ids json pin url uuid'.split(' ');

/** Makes the label of a name: *Date of Birth* of `date_of_birth`, *Return IDs* of `returnIds`. */
export const labelOf = (name: string) =>
	name
		.replace(/([a-z])([A-Z])/g, '$1_$2')
		.toLowerCase()
		.split('_')
		.map((word, index, { length }) => {
			if (ACRONYMS.includes(word)) return word.toUpperCase().replace('IDS', 'IDs');
			const isSmall = index > 0 && index < length - 1 && SMALL_WORDS.includes(word);
			return isSmall ? word : word.replace(/^./, (letter) => letter.toUpperCase());
		})
		.join(' ');

/** A parameter without what can be derived: name, label in words, type `string`, and the empty value of the type. */
export type Parameter = Omit<INodeProperties, 'default' | 'displayName' | 'name' | 'type'> & {
	displayName?: string;
	name?: string;
} & (
		| { type?: keyof typeof EMPTY_VALUES; default?: NodeParameterValueType }
		| { type: NodePropertyTypes; default: NodeParameterValueType }
	);

export type NamedParameter<Name extends string = string> = Parameter & { name: Name };

/** Completes a parameter, whose name is the last part of a path, in camel case. */
export function parameterFor(path: string, parameter: Parameter): INodeProperties {
	const { type = 'string', ...others } = parameter;
	const last = path
		.slice(path.lastIndexOf('.') + 1)
		.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
	const empty: Partial<Record<string, () => NodeParameterValueType>> = EMPTY_VALUES;
	const { name = last, displayName = labelOf(name) } = parameter;
	return { displayName, name, type, default: empty[type]?.() ?? null, ...others };
}

export const parameters = (all: NamedParameter[]): INodeProperties[] =>
	all.map((parameter) => parameterFor(parameter.name, parameter));

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
	/** Whether the interface does not show its member. Another field may give the member a value of another type. */
	isUndocumented?: boolean;
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
	parameter: parameterFor(path, parameter),
	path,
	parse,
	target: undefined,
	member,
});
