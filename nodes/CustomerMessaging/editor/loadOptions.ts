import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { templateLanguage, templateName } from '../messaging/template/templateRecord';
import { getMessageFrom, getMessageSource, getMessageStatus, getSortFields } from './choices';
import { lists, optionOf, type TenantList, toldApart } from './lists';
import { readList } from './readList';

type LoadOptions = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/**
 * Makes an option that tells that there are more. It comes first, where everybody sees it. Its value is none, so that it
 * cannot be used by mistake.
 */
const moreOption = (count: number): INodePropertyOptions => ({
	name: `Only the first ${count.toLocaleString('en')} are listed: give others by expression`,
	value: '',
});

/** Makes the method of an options list. It returns all options at once. */
function optionsOf(list: TenantList): LoadOptions {
	return async function () {
		const { records, isCut } = await readList(this, list.endpoint);
		const options = toldApart(records.map((record) => optionOf(this, list, record)));
		return isCut ? [moreOption(options.length), ...options] : options;
	};
}

/** Returns the languages of the chosen template. Without a chosen template, it returns all template languages. */
async function getTemplateLanguages(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const known = await readList(this, lists.templateLanguages.endpoint);
	const languages = known.records.map((record) => optionOf(this, lists.templateLanguages, record));
	const chosen = this.getCurrentNodeParameter('templateName', { extractValue: true });
	const templates = await readList(this, 'GET /templates');
	const codes = new Set(
		templates.records.filter((template) => templateName(template) === chosen).map(templateLanguage),
	);
	codes.delete('');
	if (codes.size === 0) return known.isCut ? [moreOption(languages.length), ...languages] : languages;
	const byCode = new Map(languages.map((language) => [language.value, language]));
	const options = [...codes].map((code) => byCode.get(code) ?? { name: code, value: code });
	return templates.isCut ? [moreOption(options.length), ...options] : options;
}

/** The methods of the options lists, by the names that the fields use. */
export const loadOptions = {
	getActivityTypes: optionsOf(lists.activityTypes),
	getChannels: optionsOf(lists.channels),
	getCustomers: optionsOf(lists.customers),
	getGroups: optionsOf(lists.groups),
	getLanguages: optionsOf(lists.templateLanguages),
	getMessageFrom,
	getMessageSource,
	getMessageStatus,
	getSortFields,
	getTags: optionsOf(lists.tags),
	getTemplateLanguages,
	getTemplates: optionsOf(lists.templateRecords),
	getUsers: optionsOf(lists.users),
};
