import type { INodeProperties, NodeParameterValueType, NodePropertyTypes } from 'n8n-workflow';

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
