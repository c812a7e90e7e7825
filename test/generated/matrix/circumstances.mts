import type { IDataObject } from 'n8n-workflow';

import type { Behaviour } from './contractTenant.mts';
import type { Values } from './exchange.mts';

/** What has to be the case for a parameter to make a difference. */
export interface Circumstance {
	/** Path of the parameter. */
	parameter: string;
	when: string;
	/** Operations that it holds for; all that have the parameter unless given. */
	operations?: string[];
	/** Other parameters, by path. */
	with?: Values;
	/** Values to compare, where those of its kind would not do. */
	values?: unknown[];
	/** Fields of the input items. */
	items?: IDataObject[];
	/** Each item works on a record of its own, which its field `id` names. */
	eachItsOwn?: true;
	behaviour?: Behaviour;
	/** Type of the node before it. */
	sourceType?: string;
}

const LOCATION = { 'header.header.type': 'location' };
const TWO_ROWS: Partial<Circumstance> = {
	items: [{ name: 'First' }, { name: 'Second' }],
	with: { 'columns.name': '={{ $json.name }}' },
};

/** A field without a value beside another. */
const WITHOUT_VALUE = {
	'fields.field.name': 'nickname',
	'fields.field.value': ' ',
	'options.fieldsJson': '{ "colour": "blue" }',
};

export const CIRCUMSTANCES: Circumstance[] = [
	{ parameter: 'returnAll', when: 'the list is longer than the limit', with: { limit: 1 } },
	{
		parameter: 'confirmedCount',
		when: 'more than 1,000 customers are to be deleted',
		with: { customerIds: Array.from({ length: 1001 }, (_, index) => index + 1) },
		values: [1001, 7],
	},
	{
		parameter: 'options.invalidValues',
		when: 'a row holds a date that is none',
		with: { 'columns.dateOfBirth': 'soon' },
	},
	{
		parameter: 'options.ambiguousDates',
		when: 'a row holds a date that can be read in two ways',
		with: { 'columns.dateOfBirth': '04/12/1990' },
	},
	{
		parameter: 'type',
		operations: ['file: upload'],
		when: 'it names a kind of file; Automatic comes to one of them',
		values: ['audio', 'document', 'image', 'video'],
	},
	{ parameter: 'options.repeatedNumbers', when: 'two rows have the same number', ...TWO_ROWS },
	{
		parameter: 'userIds',
		operations: ['customer: removeUsers'],
		when: 'both users are attached',
		values: [[1], [2]],
	},
	{
		parameter: 'variablesMode',
		when: 'each way to fill in the variables has a text of its own',
		with: {
			'variables.body_1': 'Form',
			'bodyVariables.variable.name': '1',
			'bodyVariables.variable.text': 'Built',
			templateComponents: '[{ "type": "body", "parameters": [{ "type": "text", "text": "JSON" }] }]',
		},
	},
	{
		parameter: 'variables.body_2',
		when: 'the variable before it is filled in',
		with: { 'variables.body_1': 'First' },
	},
	{
		parameter: 'options.allowLoop',
		when: 'the workflow begins with the trigger',
		with: { 'options.fromAutomation': true },
		sourceType: 'n8n-nodes-customer-messaging.customerMessagingTrigger',
	},
	{
		parameter: 'options.languageFallback',
		when: 'the template lacks the language that is given',
		with: { templateName: 'Alpha', templateLanguage: 'Delta' },
		values: ['Alpha', 'Beta'],
	},
	{
		parameter: 'options.ifUndelivered',
		when: 'the message is not delivered',
		behaviour: { deliversNotFirst: true },
	},
	...[
		{ operations: ['customer: setUsers'], with: { userIds: [] } },
		{ operations: ['profile: setGroups'], with: { groupIds: [] } },
		{ operations: ['profile: setTags', 'media: setTags'], with: { tagIds: [], tags: '' } },
	].map((one) => ({ ...one, parameter: 'ifEmpty', when: 'the set is empty' })),
	...[
		{
			operations: ['profile: setTags', 'profile: addTags', 'media: setTags', 'media: addTags'],
			with: { tags: 'A;B/C' },
		},
		{ operations: ['customer: upsert'], with: { 'additionalFields.tags': 'A;B/C' } },
		{ operations: ['customer: bulkImport'], with: { 'columns.tags': 'A;B/C' } },
	].map((one) => ({
		...one,
		parameter: 'options.separator',
		when: 'a title contains one of the usual characters',
		values: ['/', ''],
	})),
	...[
		{ operations: ['agent: update'], with: { 'updateFields.proxyEmail': ' ', 'updateFields.botId': '7' } },
		{ operations: ['customer: upsert'], with: { 'additionalFields.address': ' ' } },
		{ operations: ['customer: bulkImport'], with: { 'columns.address': ' ' } },
		{
			operations: ['media: update'],
			with: { 'updateFields.title': ' ', 'updateFields.filename': 'sigma.png' },
		},
		{
			operations: ['profile: update'],
			with: { 'updateFields.address': ' ', 'updateFields.custom1': 'Sigma' },
		},
		{
			operations: ['user: update'],
			with: { 'updateFields.externalId': ' ', 'updateFields.name': 'Sigma' },
		},
		{ operations: ['group: update', 'settings: update', 'tag: update'], with: WITHOUT_VALUE },
	].map((one) => ({ ...one, parameter: 'options.emptyCells', when: 'a field has no value' })),
	{
		parameter: 'header.header.filename',
		when: 'the header is a document',
		with: { 'header.header.type': 'document' },
	},
	{ parameter: 'header.header.latitude', when: 'the header is a place', with: LOCATION },
	{ parameter: 'header.header.longitude', when: 'the header is a place', with: LOCATION },
	{ parameter: 'header.header.placeAddress', when: 'the header is a place', with: LOCATION },
	{ parameter: 'header.header.placeName', when: 'the header is a place', with: LOCATION },
	{ parameter: 'header.header.text', when: 'the header is a text', with: { 'header.header.type': 'text' } },
	{ parameter: 'header.header.name', when: 'the header is a text', with: { 'header.header.type': 'text' } },
	...[
		['approveLabel', 'disapproveLabel'],
		['disapproveLabel', 'approveLabel'],
	].map(([column, other]) => ({
		parameter: `approvalOptions.values.${column}`,
		when: 'the other button has another label',
		with: { [`approvalOptions.values.${other}`]: 'Delta' },
	})),
];

/** A parameter that rightly makes no difference. */
export interface WithoutEffect {
	/** Path of the parameter. */
	parameter: string;
	/** Operations that it holds for; all that have the parameter unless given. */
	operations?: string[];
	/** The only mode of a locator that it holds for, and not in every way in which the parameter is shown. */
	mode?: string;
	why: string;
}

/** Parameters that rightly make no difference. Those of the type notice are only read and not named here. */
export const WITHOUT_EFFECT: WithoutEffect[] = [
	{
		parameter: 'columns.channel',
		why: 'The interface has one channel that customers can be imported on.',
	},
	{
		parameter: 'findCustomers',
		why: 'It tells what the list in the editor shows to choose from.',
	},
	...['headerFile', 'header.header.file'].map((parameter) => ({
		...{ parameter, operations: ['message: previewTemplate'], mode: 'binary' },
		why: 'A binary field is checked, and has no address before it is uploaded.',
	})),
];
