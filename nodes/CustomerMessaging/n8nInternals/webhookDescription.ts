import type { NodeParameterValueType } from 'n8n-workflow';

// n8n 2.41 reads the fields of a webhook's description by functions that stand under a symbol, where a description has
// them. Its own nodes have, and nothing promises it to others. Older versions do not know the symbol and evaluate the
// expressions, with the same result.

const RESOLVERS = Symbol.for('n8n.webhookDescriptionResolvers');

/** A field of a webhook's description that depends on the node's parameters. */
export interface DependentField {
	/** The expression for it. */
	template: string;
	/** Gives what the expression gives, some milliseconds sooner for each delivery. */
	resolve: (parameters: Record<string, unknown>) => NodeParameterValueType | undefined;
}

/** Fields of a webhook's description, for both ways in which n8n reads them. */
export function dependentFields<Name extends string>(
	fields: Record<Name, DependentField>,
): Record<Name, string> {
	const templates: Partial<Record<Name, string>> = {};
	for (const name of Object.keys(fields) as Name[]) templates[name] = fields[name].template;
	return { ...(templates as Record<Name, string>), [RESOLVERS]: fields };
}
