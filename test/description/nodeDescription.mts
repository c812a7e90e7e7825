import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { loadedPackage, newestVersion } from '../engine/engine.mts';

/** An operation of the node, as its description has it. */
export interface ShownOperation {
	resource: string;
	operation: string;
	/** The parameters that are shown for it, those that depend on others included. */
	properties: INodeProperties[];
}

export const nameOf = ({ resource, operation }: ShownOperation) => `${resource}: ${operation}`;

const filter = process.env.RESOURCE_FILTER ?? '';

/** Whether a run looks at an operation or a resource, by its name: all, or what `RESOURCE_FILTER` names. */
export const isLookedAt = (name: string) =>
	filter === '' || name === filter || name.startsWith(`${filter}: `);

/** The description of the action node, as n8n has it after loading the package. */
export async function nodeDescription(): Promise<INodeTypeDescription> {
	const { type } = (await loadedPackage()).getNode('customerMessaging');
	return (type as { description: INodeTypeDescription }).description;
}

const isFor = ({ displayOptions }: INodeProperties, name: string, value: string) =>
	displayOptions?.show?.[name]?.includes(value) ?? true;

/** Whether a node in a workflow has the parameter, which is no tool of an agent. Tools have tests of their own. */
const isInWorkflows = ({ displayOptions }: INodeProperties) => displayOptions?.show?.['@tool'] === undefined;

/** Whether a node that somebody adds now has the parameter, and not only one of an earlier version. */
function isOfNewest(property: INodeProperties, typeVersion: number): boolean {
	const { '@version': versions } = property.displayOptions?.show ?? {};
	const ofVersions = { ...property, displayOptions: { show: { '@version': versions } } };
	return versions === undefined || NodeHelpers.displayParameter({}, ofVersions, { typeVersion }, null);
}

/** All operations in the order of the description. */
export function shownOperations(description: INodeTypeDescription): ShownOperation[] {
	const { properties } = description;
	const version = newestVersion(description);
	const chosen = properties.filter(({ name }) => name === 'operation');
	return chosen.flatMap(({ displayOptions, options }) => {
		const resource = String(displayOptions?.show?.resource?.[0]);
		return (options as INodePropertyOptions[])
			.map(({ value }) => String(value))
			.filter((operation) => operation !== '__CUSTOM_API_CALL__')
			.map((operation) => ({
				resource,
				operation,
				properties: properties.filter(
					(property) =>
						property.name !== 'operation' &&
						property.name !== 'resource' &&
						isInWorkflows(property) &&
						isOfNewest(property, version) &&
						isFor(property, 'resource', resource) &&
						isFor(property, 'operation', operation),
				),
			}));
	});
}
