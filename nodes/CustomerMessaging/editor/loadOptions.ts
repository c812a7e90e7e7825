import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { templateLanguage, templateName } from '../messaging/templateRecord';
import { lists, type TenantList } from './lists';
import { readList } from './readList';

type LoadOptions = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** Makes the method of an options list. It returns all options at once. */
function optionsOf({ endpoint, label, value }: TenantList): LoadOptions {
	return async function () {
		return (await readList(this, endpoint)).map((record) => ({
			name: label(record) ?? '',
			value: value(record) ?? '',
		}));
	};
}

/** Returns the languages of the chosen template. Without a chosen template, it returns all template languages. */
async function getTemplateLanguages(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const languages = (await readList(this, 'GET /support/chatapp-template-languages')).map(
		({ language, code }) => ({ name: `${String(language)} (${String(code)})`, value: String(code) }),
	);
	const chosen = this.getCurrentNodeParameter('templateName', { extractValue: true });
	const templates = (await readList(this, 'GET /templates')).filter(
		(template) => templateName(template) === chosen,
	);
	const codes = [...new Set(templates.map(templateLanguage))].filter((code) => code !== '');
	if (codes.length === 0) return languages;
	return codes.map((code) => languages.find(({ value }) => value === code) ?? { name: code, value: code });
}

/** The methods of the options lists, by the names that the fields use. */
export const loadOptions = {
	getActivityTypes: optionsOf(lists.activityTypes),
	getChannels: optionsOf(lists.channels),
	getCustomers: optionsOf(lists.customers),
	getGroups: optionsOf(lists.groups),
	getTags: optionsOf(lists.tags),
	getTemplateLanguages,
	getUsers: optionsOf(lists.users),
};
