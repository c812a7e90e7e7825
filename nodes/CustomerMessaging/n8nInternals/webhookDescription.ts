import type { NodeParameterValueType } from 'n8n-workflow';

// n8n 2.41 resolves the fields of a webhook's description with functions, if the description has them under a symbol.
// n8n's own nodes have them. n8n does not promise this to other packages. Older versions ignore the symbol and evaluate
// the expressions, with the same result.

const RESOLVERS = Symbol.for('n8n.webhookDescriptionResolvers');

/** A field of a webhook's description that depends on the node's parameters. */
interface DependentField {
	/** The expression for the field. */
	template: string;
	/** Returns the value of the expression. It saves some milliseconds for each delivery. */
	resolve: (parameters: Record<string, unknown>) => NodeParameterValueType | undefined;
}

/** Returns fields of a webhook's description in both forms that n8n reads: expressions and functions. */
export function dependentFields<Name extends string>(
	fields: Record<Name, DependentField>,
): Record<Name, string> {
	const templates: Partial<Record<Name, string>> = {};
	for (const name of Object.keys(fields) as Name[]) templates[name] = fields[name].template;
	return { ...(templates as Record<Name, string>), [RESOLVERS]: fields };
}
