import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

/**
 * Returns the subtitle of the node: what its operation does, such as *Get many profiles*.
 *
 * @param properties the lists of operations; other properties do not count
 */
export function actionsAsSubtitle(properties: INodeProperties[]): Partial<INodeTypeDescription> {
	const actions = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			(options as INodePropertyOptions[]).map(({ value, action }) => [
				`${String(displayOptions?.show?.resource?.[0])} ${String(value)}`,
				action,
			]),
		);
	const byName = JSON.stringify(Object.fromEntries(actions));
	const [resource, operation] = ['$parameter["resource"]', '$parameter["operation"]'];
	return {
		subtitle: `={{ ${byName}[${resource} + " " + ${operation}] || ${operation} + ": " + ${resource} }}`,
	};
}
