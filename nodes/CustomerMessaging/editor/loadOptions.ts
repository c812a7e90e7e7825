import type { EditorContext } from '../api/client';
import type { INodePropertyOptions } from 'n8n-workflow';

import { WORKFLOW_ZONE } from '../messages/sendingOptions';
import { templateLanguage, templateName } from '../messages/template/templateRecord';
import { recordId } from '../values/ids';
import { objectsOf, ownMember } from '../values/json';
import { labelOf } from '../values/parameter';
import { stringOf } from '../values/text';
import { listSearch } from './listSearch';
import { distinct, lists, optionOf, readList, readOptions, type TenantList } from './lists';

/** Adds an option that tells that there are more, first, and without a value that somebody could use by mistake. */
function withMore(
	options: INodePropertyOptions[],
	isCut: boolean,
	elsewhere = 'give others by expression',
): INodePropertyOptions[] {
	const count = options.length.toLocaleString('en');
	const name = `Only the first ${count} are listed: ${elsewhere}`;
	return isCut ? [{ name, value: '' }, ...options] : options;
}

const listed = (list: TenantList) =>
	async function (this: EditorContext): Promise<INodePropertyOptions[]> {
		const { options, isCut } = await readOptions(this, list);
		return withMore(distinct(options), isCut);
	};

/** Number of chosen customers whose names are read, each by its ID. The others are shown by their IDs. */
const NAMED = 20;

/** Returns the customers that are chosen, and those that are found, or the first page: people have many. */
async function getCustomers(this: EditorContext): Promise<INodePropertyOptions[]> {
	const typed = stringOf(this.getCurrentNodeParameter('findCustomers'));
	const { results, paginationToken } = await listSearch.searchCustomers.call(this, typed);
	const known = new Set(results.map(({ value }) => value));
	const given: unknown = this.getCurrentNodeParameter('customerIds');
	const others = (Array.isArray(given) ? given.map(recordId) : []).flatMap((value) =>
		value === undefined || known.has(value) ? [] : value,
	);
	const chosen = await Promise.all(
		others.map(async (value, place) => {
			const record =
				place < NAMED && (await this.api.send({ url: `/customers/${value}` }).catch(() => undefined));
			return optionOf(lists.customers, record) ?? { name: String(value), value };
		}),
	);
	const listed = withMore(
		results,
		paginationToken !== undefined,
		'find others above, or give them by expression',
	);
	return [...chosen, ...listed];
}

/** Returns the languages of the chosen template. Without a chosen template, it returns all template languages. */
async function getTemplateLanguages(this: EditorContext): Promise<INodePropertyOptions[]> {
	const { options: languages, isCut } = await readOptions(this, lists.templateLanguages);
	const chosen = this.getCurrentNodeParameter('templateName', { extractValue: true });
	const templates = await readList(this, 'GET /templates');
	const codes = new Set(
		templates.records.filter((template) => templateName(template) === chosen).map(templateLanguage),
	);
	codes.delete('');
	if (codes.size === 0) return withMore(languages, isCut);
	const byCode = new Map(languages.map((language) => [language.value, language]));
	const options = [...codes].map((code) => byCode.get(code) ?? { name: code, value: code });
	return withMore(options, templates.isCut);
}

/** Fields of profiles in the interface, and the times that most tenants add. Which ones a tenant sorts by is not documented. */
const SORT_FIELDS = [
	...['address', 'created_at', 'custom_1', 'custom_2', 'custom_3', 'custom_4', 'custom_5', 'date_of_birth'],
	...['email', 'id', 'marketing_opt_in', 'name', 'phone_number', 'updated_at'],
].map((field): [string, string] => [field, labelOf(field)]);

/** Returns choices, and the values that the workflow has stored beside them, so that the editor shows those too. */
function withStored(choices: Array<[value: string, name: string]>, stored: unknown[]) {
	const own = stored
		.filter((value): value is string => typeof value === 'string' && value !== '' && !value.startsWith('='))
		.map((value) => [value, value] as const);
	return [...new Map([...own, ...choices])].map(([value, name]) => ({ name, value }));
}

async function getSortFields(this: EditorContext): Promise<INodePropertyOptions[]> {
	const given = this.getCurrentNodeParameter('orderBy');
	const stored = objectsOf(ownMember(given, 'sort')).map(({ field }) => field);
	return withStored(SORT_FIELDS, stored);
}

const valuesOf = (filter: string, ...known: Array<[value: string, name: string]>) =>
	async function (this: EditorContext): Promise<INodePropertyOptions[]> {
		const stored = ownMember(this.getCurrentNodeParameter('filters'), filter);
		return [{ name: 'Any', value: '' }, ...withStored(known, [stored])];
	};

async function getTimeZones(this: EditorContext): Promise<INodePropertyOptions[]> {
	const named = Intl.supportedValuesOf('timeZone').map((name) => ({ name, value: name }));
	return await Promise.resolve([
		{ name: 'Workflow', value: WORKFLOW_ZONE, description: 'The time zone in the settings of the workflow' },
		...named,
	]);
}

export const loadOptions = {
	getActivityTypes: listed(lists.activityTypes),
	getChannels: listed(lists.channels),
	getCustomers,
	getGroups: listed(lists.groups),
	getLanguages: listed(lists.templateLanguages),
	getMessageFrom: valuesOf('from', ['agent', 'Agent']),
	getMessageSource: valuesOf('source', ['api', 'API'], ['automation', 'Automation']),
	getMessageStatus: valuesOf('status', ['created', 'Created'], ['failed', 'Failed']),
	getSortFields,
	getTags: listed(lists.tags),
	getTemplateLanguages,
	getTemplates: listed(lists.templateRecords),
	getTimeZones,
	getUsers: listed(lists.users),
};
