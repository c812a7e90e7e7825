import {
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
	type INodePropertyOptions,
	isExpression,
} from 'n8n-workflow';

import { Api, type EditorContext } from '../api/client';
import { hasCredential } from '../api/context';
import { nodeErrorOf } from '../api/errors';
import { BEGINNING, PAGE_SIZE, type Position } from '../api/pages';
import { pathOf } from '../api/records';
import { withRemedyInMessage } from '../core/errorItems';
import { WORKFLOW_ZONE } from '../messages/sendingHours';
import { recordId } from '../values/ids';
import { objectsOf } from '../values/json';
import { labelOf } from '../values/field';
import { searchText } from '../values/phoneNumber';
import { stringOf } from '../values/text';
import {
	lists,
	literal,
	note,
	type Option,
	optionOf,
	optionsOf,
	readList,
	templatesIn,
	type TenantList,
} from './lists';

/** Returns the options that contain all typed words. A note tells of what is not there, whatever is typed. */
function selectBy(options: Option[], typed: string): Option[] {
	const words = typed.toLowerCase().split(/\s+/);
	return options.filter(({ name, value }) => {
		const text = `${name} ${value}`.toLowerCase();
		return value === '' || words.every((word) => text.includes(word));
	});
}

/**
 * Returns each entry once, and tells those of equal names apart by their values. Those of which n8n would make expressions are left
 * out, and a last one tells of them.
 */
function distinct(options: Option[]): Option[] {
	const all = [...new Map(options.map((option) => [option.value || option.name, option])).values()];
	const counts = new Map<string, number>();
	for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1);
	const shown = all
		.filter(({ value }) => !isExpression(value))
		.map(({ name, value }) => ({
			name: literal(counts.get(name) === 1 ? name : `${name} (${value})`),
			value,
		}));
	const left = all.length - shown.length;
	const told = `${left.toLocaleString('en')} more with a value that begins with = cannot be listed`;
	return left === 0 ? shown : [...shown, note(told)];
}

/** Reads the next page of a list. Where something is typed that the service cannot search for, it searches all pages. */
async function read(context: EditorContext, list: TenantList, typed: string, from: Position) {
	const { endpoint, path, query, isSearchable = false } = list;
	const values = path ? path(context) : {};
	// A record in its path is not chosen yet.
	if (!values) return { options: [] as Option[] };
	const isSearched = typed !== '' && !isSearchable;
	const qs = { ...query, ...(isSearchable && typed && { search: typed }) };
	const paged = { url: pathOf(endpoint, values), qs, perPage: isSearchable ? PAGE_SIZE : undefined };
	const { records, next } = await readList(context, paged, isSearched ? undefined : 1, from);
	const options = optionsOf(list, records);
	if (!isSearched) return { options, next };
	const searched = `Only the first ${records.length.toLocaleString('en')} were searched`;
	const cut = next ? [note(`${searched}: type more, or enter it yourself`)] : [];
	return { options: [...selectBy(options, typed), ...cut] };
}

type Search = (this: EditorContext, typed?: string, token?: string) => Promise<INodeListSearchResult>;

/** Makes the search method of a *From List* of records. */
const searchOf = (list: TenantList): Search =>
	async function (filter = '', token) {
		const { searchedBy } = list;
		const isOfPeople = list.isSearchable === true || searchedBy !== undefined;
		const text = filter.trim();
		const typed = isOfPeople ? searchText(text, await this.api.settings) : text;
		const position = token ? (JSON.parse(token) as Position) : BEGINNING;
		const reading = searchedBy && typed ? read(this, searchedBy, typed, position) : undefined;
		// It cannot search for this list if, for example, its records do not name those of this one.
		const found = await (token ? reading : reading?.catch(() => undefined));
		const { options, next } = found ?? (await read(this, list, typed, position));
		return { results: distinct(options), ...(next && { paginationToken: JSON.stringify(next) }) };
	};

/** Makes the search method of a *From List* whose entries come at once. */
export const searchAmong = (entries: (context: EditorContext) => Promise<Option[]>): Search =>
	async function (filter = '') {
		return { results: distinct(selectBy(await entries(this), filter.trim())) };
	};

/** Searches the templates. The names of their languages come from another list, if there is one. */
const searchTemplates: Search = async function (...typed) {
	const { options } = await readOptions(this, lists.templateLanguages).catch(() => ({ options: [] }));
	const names = new Map(options.map(({ name, value }) => [String(value), name]));
	return await searchOf(templatesIn(names)).apply(this, typed);
};

/** Returns the types of messages that the channels take. */
async function messageTypes(context: EditorContext): Promise<Option[]> {
	const { records } = await readList(context, { url: '/support/channels' });
	const types = objectsOf(records).flatMap(({ message_type: accepted }) => accepted ?? []);
	const names = types.map(stringOf).sort();
	return names.map((name) => ({ name, value: name }));
}

const searches = {
	searchActivities: searchOf(lists.activities),
	searchAgents: searchOf(lists.agents),
	searchChatAppAgents: searchOf(lists.chatAppAgents),
	searchCustomers: searchOf(lists.customers),
	searchGroups: searchOf(lists.groups),
	searchHeaderFiles: searchOf(lists.headerFiles),
	searchMedia: searchOf(lists.media),
	searchMessageTypes: searchAmong(messageTypes),
	searchNotifications: searchOf(lists.notifications),
	searchProfiles: searchOf(lists.profiles),
	searchTags: searchOf(lists.tags),
	searchTemplates,
	searchUsers: searchOf(lists.users),
};

/** Adds a note that there are more, first. */
const withMore = (options: INodePropertyOptions[], isCut: boolean) => {
	const count = options.length.toLocaleString('en');
	return isCut
		? [note(`Only the first ${count} are listed: give others by expression`), ...options]
		: options;
};

/** Reads all options of a list, as far as `readList` reads. */
async function readOptions(context: EditorContext, list: TenantList) {
	const { records, next } = await readList(context, { url: pathOf(list.endpoint) });
	return { options: distinct(optionsOf(list, records)), isCut: next !== undefined };
}

const listed = (list: TenantList) =>
	async function (this: EditorContext) {
		const { options, isCut } = await readOptions(this, list);
		return withMore(options, isCut);
	};

/** Number of chosen customers whose names are read, each by its ID. The others are shown by their IDs. */
const NAMED = 20;

/** Returns the customers that are chosen, and those that are found, or the first page: people have many. */
async function getCustomers(this: EditorContext) {
	const typed = stringOf(this.getCurrentNodeParameter('findCustomers'));
	const { results, paginationToken } = await searches.searchCustomers.call(this, typed);
	const given: unknown = this.getCurrentNodeParameter('customerIds');
	const chosen = new Set(Array.isArray(given) ? given.flatMap((id) => recordId(id) ?? []) : []);
	for (const { value } of results) chosen.delete(value as number);
	const named = [...chosen].map(async (value, place) => {
		const reading = place < NAMED ? this.api.send({ url: `/customers/${value}` }) : undefined;
		const found = await reading?.catch(() => undefined);
		return optionOf(lists.customers, found?.content) ?? { name: String(value), value };
	});
	return [...(await Promise.all(named)), ...withMore(results, paginationToken !== undefined)];
}

/** Fields of profiles in the interface, and the times that most tenants add. Which ones a tenant sorts by is not documented. */
const SORT_FIELDS = `address created_at custom_1 custom_2 custom_3 custom_4 custom_5 date_of_birth
	email id marketing_opt_in name phone_number updated_at`.split(/\s+/);

const getSortFields = () => SORT_FIELDS.map((value) => ({ name: labelOf(value), value }));

const getTimeZones = () => [
	{ name: 'Workflow', value: WORKFLOW_ZONE, description: 'The time zone in the settings of the workflow' },
	...Intl.supportedValuesOf('timeZone').map((name) => ({ name, value: name })),
];

/**
 * Gives methods a client. Their errors tell no secrets, and what to do. n8n asks for the lists and forms of a new node before it has a
 * credential: then, they are empty.
 */
export const withClient = <Given extends unknown[], Result>(
	methods: Record<string, (this: EditorContext, ...given: Given) => Promise<Result> | Result>,
	nothing: Result,
) =>
	Object.fromEntries(
		Object.entries(methods).map(([name, method]) => [
			name,
			async function (this: ILoadOptionsFunctions, ...given: Given): Promise<Result> {
				const { context } = new Api(this);
				try {
					return await method.apply(context, given);
				} catch (error) {
					if (!hasCredential(this)) return nothing;
					throw withRemedyInMessage(nodeErrorOf(context, error));
				}
			},
		]),
	);

export const listSearch = withClient(searches, { results: [] });

const optionLists = {
	getActivityTypes: listed(lists.activityTypes),
	getChannels: listed(lists.channels),
	getCustomers,
	getGroups: listed(lists.groups),
	getLanguages: listed(lists.templateLanguages),
	getSortFields,
	getTags: listed(lists.tags),
	getTimeZones,
	getUsers: listed(lists.users),
};

export const loadOptions = withClient<[], INodePropertyOptions[]>(optionLists, []);
