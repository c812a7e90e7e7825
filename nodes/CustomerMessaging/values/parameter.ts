import type { INodeProperties, NodeParameterValueType, NodePropertyTypes } from 'n8n-workflow';

/** Makes the empty value of each type that has one. A number has none. */
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

/**
 * A parameter of the editor without what can be derived: its name, its label if that is the name in words, its type if it is
 * `string`, and its default if it is the empty value of its type.
 */
export type Parameter = Omit<INodeProperties, 'default' | 'displayName' | 'name' | 'type'> & {
	displayName?: string;
	name?: string;
} & (
		| { type?: keyof typeof EMPTY_VALUES; default?: NodeParameterValueType }
		| { type: NodePropertyTypes; default: NodeParameterValueType }
	);

/** A parameter whose name is given. */
export type NamedParameter<Name extends string = string> = Parameter & { name: Name };

/**
 * Completes a parameter.
 *
 * @param path the member or the setting of its value. Its last part in camel case is the name of the parameter.
 */
export function parameterFor(path: string, parameter: Parameter): INodeProperties {
	const { type = 'string', ...others } = parameter;
	const last = path.replace(/^.*\./, '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
	const empty: Partial<Record<string, () => NodeParameterValueType>> = EMPTY_VALUES;
	const { name = last, displayName = labelOf(name) } = parameter;
	return { displayName, name, type, default: empty[type]?.() ?? null, ...others };
}

/** Completes parameters that have their names. */
export const parameters = (all: NamedParameter[]): INodeProperties[] =>
	all.map((parameter) => parameterFor(parameter.name, parameter));
