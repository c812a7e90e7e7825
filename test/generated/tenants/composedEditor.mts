import type { INodeParameters } from 'n8n-workflow';

import { editorOf } from '../../engine/engine.mts';
import {
	changed,
	numberId,
	type PlainAnswer,
	sendAnswer,
	type Trait,
	traitsFor,
	usual,
	without,
} from './composedAnswers.mts';
import { mistakeIn } from './composedOperations.mts';
import type { Outcome } from './composedRuns.mts';
import type { Meeting } from './generated.mts';
import type { Json, StoredRecord } from './records.mts';
import { BASE_PATH, type ServedTenant, type TenantServer } from './tenantServer.mts';

type Kind = 'listSearch' | 'loadOptions' | 'resourceMapping';

/** A method with which the editor asks the tenant. */
interface EditorMethod {
	kind: Kind;
	method: string;
	/** The path whose answer varies. */
	path: string;
	/** Members of a record that show its name, and the one that is its value. */
	names: string[];
	value: string;
	parameters: INodeParameters;
	/** Whether the values are those of the records of this path. */
	givesRecords: boolean;
}

/** A method of the editor and an unusual answer to its request. */
export interface EditorCase {
	name: string;
	asked: EditorMethod;
	trait: Trait;
}

const chosen = (value: number | string) => ({ __rl: true, mode: 'list', value });

const asks = (
	kind: Kind,
	method: string,
	path: string,
	names: string[],
	more: Partial<EditorMethod> = {},
): EditorMethod => ({ kind, method, path, names, value: 'id', parameters: {}, givesRecords: true, ...more });

const search = (method: string, path: string, names: string[], more?: Partial<EditorMethod>) =>
	asks('listSearch', method, path, names, more);

const options = (method: string, path: string, names: string[], more?: Partial<EditorMethod>) =>
	asks('loadOptions', method, path, names, more);

const TEMPLATE: INodeParameters = {
	...{ resource: 'message', operation: 'sendTemplate' },
	...{ templateName: chosen('Record 3'), templateLanguage: 'en_US' },
};

const OPENAPI = '/support/openapi';

export const EDITOR_METHODS: EditorMethod[] = [
	search('searchActivities', '/profiles/7/activities', ['type'], {
		parameters: { resource: 'profile', operation: 'getActivity', profileId: chosen(7) },
	}),
	search('searchAgents', '/agents', ['name']),
	search('searchChatAppAgents', '/agents', ['name']),
	search('searchCustomers', '/customers', ['name']),
	search('searchGroups', '/groups', ['name']),
	search('searchMedia', '/media', ['title']),
	search('searchMessageTypes', '/support/channels', ['channel'], { givesRecords: false }),
	search('searchMessageTypes', OPENAPI, [], { givesRecords: false }),
	search('searchNotifications', '/me/notifications', ['title'], { value: 'uuid' }),
	search('searchProfiles', '/profiles', ['name']),
	search('searchTags', '/tags', ['title']),
	search('searchTemplates', '/templates', ['name'], { value: 'name' }),
	search('searchTenantFields', OPENAPI, [], {
		parameters: { resource: 'group', operation: 'create' },
		givesRecords: false,
	}),
	search('searchTemplates', '/support/chatapp-template-languages', ['language'], { givesRecords: false }),
	search('searchUsers', '/users', ['name']),
	options('getActivityTypes', '/support/activity-types', ['label'], { value: 'type' }),
	options('getChannels', '/support/channels', ['label'], { value: 'channel' }),
	options('getCustomers', '/customers', ['name'], { givesRecords: false }),
	options('getGroups', '/groups', ['name']),
	options('getLanguages', '/support/chatapp-template-languages', ['language'], { value: 'code' }),
	options('getTags', '/tags', ['title']),
	options('getTemplateLanguages', '/support/chatapp-template-languages', ['language'], {
		parameters: { resource: 'message', operation: 'sendTemplate' },
		value: 'code',
	}),
	options('getTemplateLanguages', '/templates', ['name'], { parameters: TEMPLATE, givesRecords: false }),
	options('getTemplates', '/templates', ['name']),
	options('getUsers', '/users', ['name']),
	asks('resourceMapping', 'getTemplateVariables', '/templates', ['name'], {
		parameters: TEMPLATE,
		givesRecords: false,
	}),
	asks('resourceMapping', 'getImportColumns', OPENAPI, [], { givesRecords: false }),
	asks('resourceMapping', 'getTenantFields', OPENAPI, [], {
		parameters: { resource: 'group', operation: 'create' },
		givesRecords: false,
	}),
];

const DESCRIPTION = `openapi: 3.1.0
paths:
  /third-party/v1/groups:
    post:
      requestBody:
        content:
          application/json:
            schema: { type: object, properties: { lead: { type: string } } }
`;

/** What only names and values of options may be. */
const ofNames = ({ names, value }: EditorMethod): Trait[] => {
	const [name] = names;
	const others = (record: StoredRecord, change: (text: Json) => Json) =>
		name === value ? record : { ...record, [name]: change(record[name]) };
	return [
		changed('no names', (record) => (name === value ? record : without(record, name))),
		changed('names of null', (record) => others(record, () => null)),
		changed('empty names', (record) => others(record, () => '')),
		changed('names by language', (record) => others(record, (text) => ({ en: text, de: text }))),
		changed('names as lists', (record) => others(record, (text) => [text])),
		changed('values of null', (record) => ({ ...record, [value]: null })),
		changed('no values', (record) => without(record, value)),
		changed('values as objects', (record) => ({ ...record, [value]: { code: record[value] } })),
	];
};

/** Only what a text can be answered with. */
const OF_TEXTS = ['as shown', 'slow', 'the first answer lost'];

export const EDITOR_CASES: EditorCase[] = EDITOR_METHODS.flatMap((asked) => {
	const isText = asked.path === OPENAPI;
	const traits = traitsFor(!isText).filter(({ name, isUnreadable, status }) =>
		isText
			? isUnreadable || status !== undefined || OF_TEXTS.includes(name)
			: // It would be another value for a list whose value is the uuid.
				asked.value !== 'uuid' || name !== 'IDs named uuid',
	);
	return [...traits, ...(isText ? [] : ofNames(asked))].map((trait) => ({
		name: `editor: ${asked.method}: ${asked.path}: ${trait.name}`,
		asked,
		trait,
	}));
});

const LARGE = '9007199254740993';

/** The records of a path; each serves every method. */
function recordsOf(path: string, value: string, { hasLargeIds }: Trait): StoredRecord[] {
	return [hasLargeIds ? LARGE : '3', '4'].map((id) => ({
		id: numberId(id),
		...{ name: `Record ${id}`, title: `Record ${id}`, label: `Record ${id}`, type: `type-${id}` },
		...(value === 'uuid' ? { uuid: `uuid-${id}` } : {}),
		...{ channel: `channel-${id}`, message_type: ['text', 'image'], code: `code-${id}` },
		language: path === '/templates' ? 'en_US' : `Language ${id}`,
		components: [{ type: 'BODY', text: 'Hello {{1}}' }],
	}));
}

const shownValue = (value: Json) => String(value).replaceAll('#', '');

/** What a method gave: names and values, or fields with a notice. */
interface Given {
	pairs: Array<{ name: unknown; value: unknown }>;
	notice?: string;
}

/** What the editor shows beside the records, which nobody can choose: that a list is cut, or that it has others that cannot be listed. */
const NOTE = /^Only the first|^1 more without a name or an ID cannot be listed$/;

const withoutNotes = (pairs: Given['pairs']) =>
	pairs.filter(({ name, value }) => value !== '' || !NOTE.test(String(name)));

async function give(
	server: TenantServer,
	{ kind, method, parameters }: EditorMethod,
	token: string,
): Promise<Given> {
	const { methods, context } = await editorOf({
		parameters,
		credentials: { tenantDomain: server.origin, accessToken: token },
	});
	if (kind === 'listSearch') {
		const pairs: Given['pairs'] = [];
		let next: string | undefined;
		for (let page = 0; page < 5 && (page === 0 || next !== undefined); page++) {
			const found = await methods.listSearch?.[method].call(context, undefined, next);
			pairs.push(...(found?.results ?? []));
			next = found?.paginationToken as string | undefined;
		}
		return { pairs: withoutNotes(pairs) };
	}
	if (kind === 'loadOptions') {
		const pairs = (await methods.loadOptions?.[method].call(context)) ?? [];
		// Whether a list that says that it is cut has to be whole is asked below.
		return { pairs: withoutNotes(pairs) };
	}
	const mapping = await methods.resourceMapping?.[method].call(context);
	const pairs = (mapping?.fields ?? []).map(({ displayName, id }) => ({ name: displayName, value: id }));
	return { pairs, notice: mapping?.emptyFieldsNotice };
}

/** Words that nobody can choose. */
const NO_WORDS = /undefined|\[object|^null\b|\(null\)|\bNaN\b/;

const isUsable = (word: unknown) =>
	(typeof word === 'number' || (typeof word === 'string' && word.trim() !== '')) &&
	!NO_WORDS.test(String(word));

function givenProblem(
	{ pairs, notice }: Given,
	{ asked, trait }: EditorCase,
	records: StoredRecord[],
): string | undefined {
	const { kind, givesRecords, value } = asked;
	const odd = pairs.find((pair) => !isUsable(pair.name) || !isUsable(pair.value));
	if (odd) return `it offers ${JSON.stringify(odd)}`;
	const [words] = NO_WORDS.exec(notice ?? '') ?? [];
	if (words !== undefined) return `its notice says "${words}"`;
	if (kind === 'resourceMapping') {
		// What cannot be read does not tell that there is nothing.
		const isSilent = notice === undefined || /has no template|describes no/.test(notice);
		if (trait.isUnreadable && isSilent) return 'it does not say that the answer cannot be read';
		return trait.must && pairs.length === 0 ? 'it gives no fields' : undefined;
	}
	if (!givesRecords)
		return pairs.length === 0 && (trait.must ?? trait.isUnreadable) ? 'it offers nothing' : undefined;
	if (trait.isUnreadable) return 'it gives a list for an answer that cannot be read';
	// A template from the list brings its language.
	const offered = pairs.map((pair) => String(pair.value).replace('\u00a0·\u00a0en_US', ''));
	const real = records.map((record) => shownValue(record[value]));
	const wrong = offered.find((one) => !real.includes(one));
	if (wrong !== undefined) return `it offers ${wrong}, which the tenant does not have`;
	const isWhole = trait.must !== undefined || trait.name.startsWith('pages:') || trait.hasLargeIds;
	return isWhole && offered.length < real.length
		? `it offers ${offered.length} of ${real.length}, without an error`
		: undefined;
}

/** Has the editor ask a tenant that answers in an unusual way. @returns what is wrong with what came */
export async function meetEditor(server: TenantServer, one: EditorCase): Promise<Outcome> {
	const { asked, trait } = one;
	const records = recordsOf(asked.path, asked.value, trait);
	let count = 0;
	const tenant: ServedTenant = {
		log: [],
		offences: [],
		answer: ({ path, query }, response) => {
			const isVaried = path === asked.path;
			if (isVaried) count++;
			if (path === OPENAPI && (!isVaried || trait.text === undefined || trait.name === usual.name)) {
				if (isVaried && trait.delivery === 'lost' && count === 1) response.destroy();
				else response.writeHead(200, { 'content-type': 'text/yaml' }).end(DESCRIPTION);
				return;
			}
			const plain: PlainAnswer = {
				subject: isVaried ? records : recordsOf(path, 'id', usual),
				isBare: false,
				otherIdName: 'record_id',
				query,
				address: `${server.origin}${BASE_PATH}${path}`,
			};
			const isWell = path === OPENAPI && trait.once === true && count > 1;
			if (isWell) response.writeHead(200, { 'content-type': 'text/yaml' }).end(DESCRIPTION);
			else sendAnswer(response, isVaried ? trait : usual, plain, count);
		},
	};
	const token = server.nextToken();
	server.serve(token, tenant);
	try {
		const given = await give(server, asked, token);
		return { problem: givenProblem(given, one, records), isMet: count > 0 };
	} catch (thrown) {
		const error = thrown as NonNullable<Meeting['error']>;
		const isMistake = /^(Range|Reference|Syntax|Type)Error$/.test(error.name);
		const wrong = isMistake ? `the error is a ${error.name}` : mistakeIn(error);
		const problem = wrong ?? (trait.must ? `it failed: ${error.message}` : undefined);
		return { problem, isMet: count > 0 };
	}
}
