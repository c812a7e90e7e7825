import type { INodeProperties } from 'n8n-workflow';

/** The category of settings; each is an endpoint of its own. */
export const settingsCategory: INodeProperties = {
	displayName: 'Category',
	name: 'category',
	type: 'options',
	options: [
		{ name: 'CRM', value: 'crm', routing: { request: { url: '/settings/crm' } } },
		{ name: 'General', value: 'general', routing: { request: { url: '/settings/general' } } },
		{ name: 'Third Party', value: 'thirdParty', routing: { request: { url: '/settings/third-party' } } },
	],
	default: 'general',
	description: 'The category of the settings',
};
