import type { INodeProperties, NodeParameterValueType, NodePropertyTypes } from 'n8n-workflow';

/** The empty value of each type that has one. A number has none. */
const EMPTY_VALUES = {
	boolean: false,
	collection: {},
	fixedCollection: {},
	multiOptions: [],
	notice: '',
	string: '',
} satisfies Partial<Record<NodePropertyTypes, NodeParameterValueType>>;

/**
 * A parameter of the editor without what can be derived: its name, its type if it is `string`, and its default if it is
 * the empty value of its type.
 */
export type Parameter = Omit<INodeProperties, 'default' | 'name' | 'type'> & { name?: string } & (
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
	const { displayName, type = 'string', ...others } = parameter;
	const name = path.replace(/^.*\./, '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
	const empty: Partial<Record<string, NodeParameterValueType>> = structuredClone(EMPTY_VALUES);
	return { displayName, name, type, default: empty[type] ?? null, ...others };
}
