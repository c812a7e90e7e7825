import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { templateLanguage, templateName } from '../messaging/templateRecord';
import { lists, type TenantList } from './lists';
import { readList } from './readList';

type LoadOptions = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** Makes the method of an options list, which gives all of it at once. */
function optionsOf({ endpoint, label, value }: TenantList): LoadOptions {
	return async function () {
		return (await readList(this, endpoint)).map((record) => ({
			name: label(record) ?? '',
			value: value(record) ?? '',
		}));
	};
}

/** The languages in which the chosen template exists; all languages of templates while none is chosen. */
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

/** The lists of options, by the names that the fields use. */
export const loadOptions = {
	getActivityTypes: optionsOf(lists.activityTypes),
	getChannels: optionsOf(lists.channels),
	getCustomers: optionsOf(lists.customers),
	getGroups: optionsOf(lists.groups),
	getTags: optionsOf(lists.tags),
	getTemplateLanguages,
	getUsers: optionsOf(lists.users),
};
