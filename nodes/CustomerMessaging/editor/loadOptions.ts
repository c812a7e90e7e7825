import type { EditorContext } from '../api/client';
import type { INodePropertyOptions } from 'n8n-workflow';

import { WORKFLOW_ZONE } from '../messages/sendingOptions';
import { templateLanguage, templateName } from '../messages/template/templateRecord';
import { recordId } from '../values/ids';
import { objectsOf, ownMember } from '../values/json';
import { labelOf } from '../values/parameter';
import { stringOf } from '../values/text';
import { listSearch } from './listSearch';
import { distinct, lists, note, optionOf, readList, readOptions, type TenantList } from './lists';

/** Adds a note that there are more, first. */
const withMore = (
	options: INodePropertyOptions[],
	isCut: boolean,
	elsewhere = 'give others by expression',
) => {
	const count = options.length.toLocaleString('en');
	return isCut ? [note(`Only the first ${count} are listed: ${elsewhere}`), ...options] : options;
};

const listed = (list: TenantList) =>
	async function (this: EditorContext) {
		const { options, isCut } = await readOptions(this, list);
		return withMore(distinct(options), isCut);
	};

/** Number of chosen customers whose names are read, each by its ID. The others are shown by their IDs. */
const NAMED = 20;

/** Returns the customers that are chosen, and those that are found, or the first page: people have many. */
async function getCustomers(this: EditorContext) {
	const typed = stringOf(this.getCurrentNodeParameter('findCustomers'));
	const { results, paginationToken } = await listSearch.searchCustomers.call(this, typed);
	const given: unknown = this.getCurrentNodeParameter('customerIds');
	const chosen = new Set(Array.isArray(given) ? given.flatMap((id) => recordId(id) ?? []) : []);
	for (const { value } of results) chosen.delete(value as number);
	const named = [...chosen].map(async (value, place) => {
		const reading = place < NAMED ? this.api.send({ url: `/customers/${value}` }) : undefined;
		const record = await reading?.catch(() => undefined);
		return optionOf(lists.customers, record) ?? { name: String(value), value };
	});
	const elsewhere = 'find others above, or give them by expression';
	return [...(await Promise.all(named)), ...withMore(results, paginationToken !== undefined, elsewhere)];
}

/** Returns the languages of the chosen template. Without a chosen template, it returns all template languages. */
async function getTemplateLanguages(this: EditorContext) {
	const { options, isCut } = await readOptions(this, lists.templateLanguages);
	const chosen = this.getCurrentNodeParameter('templateName', { extractValue: true });
	const { records, next } = await readList(this, { url: '/templates' });
	const named = objectsOf(records).filter((template) => templateName(template) === chosen);
	const codes = new Set(named.flatMap((template) => templateLanguage(template) || []));
	if (codes.size === 0) return withMore(options, isCut);
	const own = [...codes].map(
		(code) => options.find(({ value }) => value === code) ?? { name: code, value: code },
	);
	return withMore(own, next !== undefined);
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

function getSortFields(this: EditorContext) {
	const given = this.getCurrentNodeParameter('orderBy');
	return withStored(
		SORT_FIELDS,
		objectsOf(ownMember(given, 'sort')).map(({ field }) => field),
	);
}

const valuesOf = (filter: string, ...known: Array<[value: string, name: string]>) =>
	function (this: EditorContext) {
		const stored = ownMember(this.getCurrentNodeParameter('filters'), filter);
		return [{ name: 'Any', value: '' }, ...withStored(known, [stored])];
	};

const getTimeZones = () => [
	{ name: 'Workflow', value: WORKFLOW_ZONE, description: 'The time zone in the settings of the workflow' },
	...Intl.supportedValuesOf('timeZone').map((name) => ({ name, value: name })),
];

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
