import type { INodeTypeDescription } from 'n8n-workflow';

import type { Operations } from '../core/operation';
import { accountResource, notificationResource } from './account';
import { agentResource } from './agent';
import { customerResource } from './customer';
import { fileResource } from './file';
import { groupResource } from './group';
import { mediaResource } from './media';
import { messageResource } from './message';
import { profileResource } from './profile';
import type { Resource } from './resource';
import { settingsResource } from './settings';
import { supportResource } from './support';
import { tagResource } from './tag';
import { templateResource } from './template';
import { userResource } from './user';

/** All resources, in the order of the editor: those that people look for most come first. */
export const resources: Resource[] = [
	messageResource,
	customerResource,
	profileResource,
	accountResource,
	agentResource,
	fileResource,
	groupResource,
	mediaResource,
	notificationResource,
	settingsResource,
	supportResource,
	tagResource,
	templateResource,
	userResource,
];

export const operationsByResource: Record<string, Operations> = Object.fromEntries(
	resources.map(({ value, operations }) => [value, operations]),
);

/** Returns the subtitle of the node, such as *Get many profiles* and *Send template message: order_shipped*. */
export function actionsAsSubtitle(): Pick<INodeTypeDescription, 'subtitle'> {
	const actions = resources.flatMap(({ value: resource, operations }) =>
		Object.entries(operations).map(([name, { action }]) => [`${resource} ${name}`, action]),
	);
	const [resource, operation, template] = ['resource', 'operation', 'templateName'].map(
		(name) => `$parameter["${name}"]`,
	);
	const action = `${JSON.stringify(Object.fromEntries(actions))}[${resource} + " " + ${operation}]`;
	const which = `${resource} === "message" && ${template} ? ": " + ${template} : ""`;
	return { subtitle: `={{ (${action} || ${operation} + ": " + ${resource}) + (${which}) }}` };
}
