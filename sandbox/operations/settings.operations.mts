import type { Operations } from './operation.mts';

export const settingsOperations: Operations<
	| 'getGeneralSettings'
	| 'updateGeneralSettings'
	| 'getThirdPartySettings'
	| 'updateThirdPartySettings'
	| 'getCrmSettings'
	| 'updateCrmSettings'
> = {
	getGeneralSettings: ({ store }) => ({ data: store.settings.get('general') }),
	updateGeneralSettings: ({ store, body }) => ({ data: store.settings.update('general', body) }),
	getThirdPartySettings: ({ store }) => ({ data: store.settings.get('third-party') }),
	updateThirdPartySettings: ({ store, body }) => ({ data: store.settings.update('third-party', body) }),
	getCrmSettings: ({ store }) => ({ data: store.settings.get('crm') }),
	updateCrmSettings: ({ store, body }) => ({ data: store.settings.update('crm', body) }),
};
