import type { RequestPlace } from './requestSchema';

/** The requests whose fields are read from the tenant's description, since the interface shows none or not all of them. */
export const REQUEST_PLACES = {
	crmSettings: { method: 'patch', path: '/settings/crm' },
	generalSettings: { method: 'patch', path: '/settings/general' },
	thirdPartySettings: { method: 'patch', path: '/settings/third-party' },
	groupCreate: { method: 'post', path: '/groups' },
	groupUpdate: { method: 'patch', path: '/groups/{id}' },
	messageSend: { method: 'post', path: '/conversations/{conversationId}/messages' },
	profileImport: { method: 'post', path: '/customers/bulk-import', within: ['customers', 'profile'] },
	profileUpdate: { method: 'patch', path: '/profiles/{id}' },
	tagCreate: { method: 'post', path: '/tags' },
	tagUpdate: { method: 'patch', path: '/tags/{id}' },
	templateCreate: { method: 'post', path: '/templates' },
} as const satisfies Record<string, RequestPlace>;

export type RequestName = keyof typeof REQUEST_PLACES;
