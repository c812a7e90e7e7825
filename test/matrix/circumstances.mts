import type { IDataObject, INode } from 'n8n-workflow';

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
	values?: [unknown, unknown];
	/** Fields of the input items. */
	items?: IDataObject[];
	/** Each item works on a record of its own, which its field `id` names. */
	eachItsOwn?: true;
	behaviour?: Behaviour;
	/** Settings of the node. */
	settings?: Partial<INode>;
	/** Type of the node before it. */
	sourceType?: string;
	/** Whether how many requests go out together, and whether they are spread over a long time, count. */
	pace?: true;
}

const THREE_ITEMS: IDataObject[] = [{ id: 7101 }, { id: 7102 }, { id: 7103 }];
const LOCATION = { 'header.header.type': 'location' };
const TWO_ROWS: Partial<Circumstance> = {
	items: [{ name: 'First' }, { name: 'Second' }],
	with: { 'columns.name': '={{ $json.name }}' },
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
		parameter: 'invalidValues',
		when: 'a row holds a date that is none',
		with: { 'columns.dateOfBirth': 'soon' },
	},
	{ parameter: 'repeatedNumbers', when: 'two rows have the same number', ...TWO_ROWS },
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
		parameter: 'options.allowLoop',
		when: 'the workflow begins with the trigger',
		with: { 'options.fromAutomation': true },
		sourceType: 'n8n-nodes-customer-messaging.customerMessagingTrigger',
	},
	{
		parameter: 'options.skipSent',
		when: 'the tenant breaks down while it sends, and the node is tried again',
		behaviour: { failsFirstWrite: true },
		settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	},
	...[
		{
			operations: ['message: send'],
			recipient: { 'options.fallbackTemplate.template.phoneNumber': '491717101000' },
		},
		{ operations: ['message: sendTemplate'], recipient: {} },
	].map(({ operations, recipient }) => ({
		parameter: 'options.ifUndelivered',
		operations,
		when: 'the message is not delivered, and a template can be sent instead',
		behaviour: { deliversNotFirst: true },
		with: {
			'options.fallbackTemplate.template.name': 'instead',
			'options.fallbackTemplate.template.language': 'en',
			...recipient,
		},
	})),
	...['templateName', 'name', 'language', 'components', 'phoneNumber', 'customerId', 'agentId'].map(
		(column) => {
			// A customer stands for a phone number, and the name of an earlier version for a chosen template.
			const other = { phoneNumber: 'customerId', name: 'templateName', templateName: 'name' }[column];
			return {
				parameter: `options.fallbackTemplate.template.${column}`,
				when: 'the message is not delivered',
				...(other && { with: { [`options.fallbackTemplate.template.${other}`]: '' } }),
				behaviour: { deliversNotFirst: true },
			};
		},
	),
	{
		parameter: 'options.sendOnceKey',
		when: 'there are two items',
		items: [{ name: 'First' }, { name: 'Second' }],
		values: ['same', '={{ $json.name }}'],
	},
	...[
		{ operations: ['customer: setUsers'], with: { userIds: [] } },
		{ operations: ['profile: setGroups'], with: { groupIds: [] } },
		{ operations: ['profile: setTags', 'media: setTags'], with: { tagIds: [], tags: '' } },
	].map((one) => ({ ...one, parameter: 'ifEmpty', when: 'the set is empty' })),
	{ parameter: 'header.header.file', when: 'the header is a file', with: { 'header.header.type': 'image' } },
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
	...['sample', 'text', 'type'].map((column) => ({
		parameter: `templateButtons.button.${column}`,
		when: 'the button has what each type asks for',
		with: {
			'templateButtons.button.phoneNumber': '+49 171 7102000',
			'templateButtons.button.text': 'Sigma',
			'templateButtons.button.url': 'https://files.example/sigma.png',
		},
	})),
	...['name', 'text'].map((column) => ({
		parameter: `bodySamples.variable.${column}`,
		when: 'the template has a body',
		with: { templateBody: 'Dear {{1}}' },
	})),
	{
		parameter: 'requestOptions.batching.batch.batchInterval',
		when: 'there are several items',
		items: THREE_ITEMS,
		with: { 'requestOptions.batching.batch.batchSize': 1 },
		values: [0, 600],
		pace: true,
	},
	{
		parameter: 'requestOptions.batching.batch.batchSize',
		when: 'there are several items',
		items: THREE_ITEMS,
		with: { 'requestOptions.batching.batch.batchInterval': 600 },
		values: [1, 3],
		pace: true,
	},
	{
		parameter: 'requestOptions.proxy',
		when: 'nothing listens there',
		values: ['', 'http://127.0.0.1:1'],
	},
	{
		parameter: 'requestOptions.timeout',
		when: 'the tenant takes its time',
		behaviour: { latency: 400 },
		values: [100, 20_000],
	},
];

/** A parameter that rightly makes no difference. */
export interface WithoutEffect {
	/** Path of the parameter. */
	parameter: string;
	/** Operations that it holds for; all that have the parameter unless given. */
	operations?: string[];
	why: string;
}

/** Parameters that rightly make no difference. Those of the type notice are only read and not named here. */
export const WITHOUT_EFFECT: WithoutEffect[] = [
	{
		parameter: 'channel',
		operations: ['customer: create', 'customer: upsert'],
		why: 'The interface has one channel that customers can be created on, so there is nothing to change it to.',
	},
	{
		parameter: 'columns.channel',
		why: 'The interface has one channel that customers can be imported on.',
	},
	...['requestOptions.batching.batch.batchInterval', 'requestOptions.batching.batch.batchSize'].map(
		(parameter) => ({
			parameter,
			operations: ['customer: bulkDelete', 'customer: bulkImport'],
			why: 'All items go out in one request, further ones after the answer: there is nothing to space out.',
		}),
	),
	...['requestOptions.batching.batch.batchInterval', 'requestOptions.batching.batch.batchSize'].map(
		(parameter) => ({
			parameter,
			operations: ['message: sendAndWait'],
			why: 'It takes one item: there is nothing to space out.',
		}),
	),
	{
		parameter: 'options.sendOnceHours',
		why: 'It tells how long a key counts. One run sees nothing of that.',
	},
	{
		parameter: 'requestOptions.allowUnauthorizedCerts',
		why: "n8n's own option; it makes a difference only to a tenant whose certificate nobody trusts.",
	},
];
