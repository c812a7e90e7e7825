import type { INodeProperties, INodePropertyOptions, INodePropertyRouting } from 'n8n-workflow';

import { loadedPackage } from '../engine/engine.mts';

/** An operation as the compiled node describes it. */
export interface DescribedOperation {
	resource: string;
	operation: string;
	/** `resource: operation`, as tests call it. */
	name: string;
	routing: INodePropertyRouting | undefined;
}

/** All operations of the node, from its description. */
export async function describedOperations(): Promise<DescribedOperation[]> {
	const { description } = (await loadedPackage()).getNode('customerMessaging').type as {
		description: { properties: INodeProperties[] };
	};
	return description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(options as INodePropertyOptions[])
				.filter(({ value }) => value !== '__CUSTOM_API_CALL__')
				.map(({ value, routing }) => {
					const resource = String(displayOptions?.show?.resource?.[0]);
					const operation = String(value);
					return { resource, operation, name: `${resource}: ${operation}`, routing };
				}),
		);
}
