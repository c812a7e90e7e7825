import * as account from './account.mts';
import * as agent from './agent.mts';
import * as customer from './customer.mts';
import * as file from './file.mts';
import * as group from './group.mts';
import * as media from './media.mts';
import * as message from './message.mts';
import * as notification from './notification.mts';
import type { OperationId, Operations } from './operation.mts';
import * as profile from './profile.mts';
import type { Resource } from './resource.mts';
import * as settings from './settings.mts';
import * as support from './support.mts';
import * as tag from './tag.mts';
import * as template from './template.mts';
import * as user from './user.mts';
import * as webhook from './webhook.mts';

/**
 * Every resource, under the name of its records in the store. Demo data is added in this order: what others refer to comes
 * first.
 */
export const resources = {
	support,
	users: user,
	account,
	notifications: notification,
	settings,
	agents: agent,
	tags: tag,
	groups: group,
	templates: template,
	files: file,
	media,
	customers: customer,
	profiles: profile,
	conversations: message,
	webhooks: webhook,
};

/** The same as a list of what they have in common. */
export const allResources: Array<[name: string, Resource]> = Object.entries(resources);

/** Every operation, by its name in the contract. */
export const allOperations: Operations = Object.assign(
	{},
	...allResources.map(([, { operations }]) => operations),
);

/** Operations of the contract that no resource answers. */
type Unanswered = Exclude<
	OperationId,
	{
		[Name in keyof typeof resources]: (typeof resources)[Name] extends { operations: infer Answered }
			? keyof Answered
			: never;
	}[keyof typeof resources]
>;

/** Does not compile while one is left. */
export const isAllAnswered: [Unanswered] extends [never]
	? true
	: `sandbox/resources: no operation for "${Unanswered}" of openapi.yaml` = true;
