import type { ILoadOptionsFunctions, INodeType } from 'n8n-workflow';

import { Api } from '../api/client';
import { hasCredential } from '../api/context';
import { nodeErrorOf } from '../api/errors';
import { ownMember } from '../values/json';
import type * as methods from './methods';

type Methods = Omit<typeof methods, 'withoutExpressions'>;

/** What a method gives that needs a credential, while there is none. */
const NOTHING = { listSearch: { results: [] }, loadOptions: [], resourceMapping: { fields: [] } };

/**
 * Makes methods whose code is loaded when a person edits, since no execution needs it. Their errors tell no secrets, and what
 * they list stays as it is.
 */
function lazy<Kind extends keyof Methods>(
	kind: Kind,
	...names: Array<keyof Methods[Kind]>
): NonNullable<NonNullable<INodeType['methods']>[Kind]> {
	const entries = names.map((name) => [
		name,
		async function (this: ILoadOptionsFunctions, ...given: never[]): Promise<unknown> {
			const { context } = new Api(this);
			try {
				const { [kind]: loaded, withoutExpressions } = await import('./methods');
				return withoutExpressions(
					await (loaded[name] as (...all: never[]) => Promise<object>).apply(context, given),
				);
			} catch (error) {
				if (kind in NOTHING && !hasCredential(this)) return ownMember(NOTHING, kind);
				const { withRemedyInMessage } = await import('../core/errorItems');
				throw withRemedyInMessage(nodeErrorOf(context, error));
			}
		},
	]);
	return Object.fromEntries(entries) as ReturnType<typeof lazy<Kind>>;
}

export const credentialTest = lazy('credentialTest', 'checkTenantAccess');

export const listSearch = lazy(
	'listSearch',
	...([
		'searchActivities',
		'searchAgents',
		'searchChatAppAgents',
		'searchCustomers',
		'searchGroups',
	] as const),
	...(['searchHeaderFiles', 'searchMedia', 'searchMessageTypes', 'searchNotifications'] as const),
	...(['searchProfiles', 'searchTags', 'searchTemplates', 'searchTenantFields', 'searchUsers'] as const),
);

export const loadOptions = lazy(
	'loadOptions',
	...(['getActivityTypes', 'getChannels', 'getCustomers', 'getGroups', 'getLanguages'] as const),
	...(['getMessageFrom', 'getMessageSource', 'getMessageStatus', 'getSortFields', 'getTags'] as const),
	...(['getTemplateLanguages', 'getTemplates', 'getTimeZones', 'getUsers'] as const),
);

export const resourceMapping = lazy(
	'resourceMapping',
	...(['getImportColumns', 'getTemplateText', 'getTemplateVariables', 'getTenantFields'] as const),
);
