import type { INodeProperties } from 'n8n-workflow';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials.ts';
import { CustomerMessagingWebhookApi } from '../../credentials/CustomerMessagingWebhookApi.credentials.ts';
import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node.ts';
import { CustomerMessagingPollingTrigger } from '../../nodes/CustomerMessaging/CustomerMessagingPollingTrigger.node.ts';
import { CustomerMessagingTrigger } from '../../nodes/CustomerMessaging/CustomerMessagingTrigger.node.ts';

/** A parameter, a choice, a mode or a group of fields, as far as a person reads it. */
interface Part {
	name: string;
	displayName?: string;
	action?: string;
	options?: Part[];
	values?: Part[];
	modes?: Part[];
	displayOptions?: INodeProperties['displayOptions'];
}

const nodes = [CustomerMessaging, CustomerMessagingTrigger, CustomerMessagingPollingTrigger].map(
	(type) => new type().description,
);
const credentials = [new CustomerMessagingApi(), new CustomerMessagingWebhookApi()];

/** What a person reads in the editor, with what can be chosen there: of a resource, its operations. */
const labels = new Map<string, Set<string>>();

function add(label: string, within?: string): void {
	labels.set(label, labels.get(label) ?? new Set());
	if (within !== undefined) labels.get(within)?.add(label);
}

function read(parts: Part[], within?: string): void {
	for (const part of parts) {
		const label = (part.displayName ?? part.name).replace(/ Names? or IDs?$/, '');
		add(label, within);
		if (part.displayName !== undefined) add(part.displayName, within);
		if (part.action !== undefined) add(part.action);
		read([...(part.options ?? []), ...(part.values ?? []), ...(part.modes ?? [])], label);
	}
}

for (const { displayName, properties } of [...nodes, ...credentials]) {
	add(displayName);
	read(properties as Part[]);
}
const [{ properties }] = nodes;
const resources = properties.find(({ name }) => name === 'resource')?.options as Array<{
	name: string;
	value: string;
}>;
for (const { name, value } of resources)
	for (const { displayOptions, options = [] } of properties.filter((one) => one.name === 'operation'))
		if (displayOptions?.show?.resource?.includes(value)) read(options as Part[], name);

/** What n8n, npm and GitHub call their own things. */
const OF_OTHERS = new Set([
	...['AI Agent', 'Compare Datasets', 'Execute Sub-workflow', 'Extract from File', 'Filter', 'If'],
	...[
		'Loop Over Items',
		'Batch Size',
		'MCP Server Trigger',
		'Encoding',
		'Latin1',
		'CSV UTF-8',
		'Convert to File',
		'Include Empty Cells',
		'Delimiter',
		'Description',
	],
	...['On Error', 'Continue', 'Continue (using error output)', 'Retry On Fail', 'Retry', 'Details'],
	...['Add first step…', 'Actions', 'Connect to Customer Messaging', 'Save', 'Execute step'],
	...['Execute workflow', 'Evaluations', 'Executions', 'Poll Times', 'Fetch Test Event'],
	...['Map Each Column Manually', 'Import', 'From file', 'Settings', 'Community nodes', 'Install'],
	...['Update', 'Uninstall package', 'Unreleased', 'Fixed', 'Removed', 'Too Many Requests'],
	...['Security', 'Report a vulnerability', 'Private vulnerability reporting', 'Trusted Publisher'],
	...['the service', 'your account'],
]);

/** Whether words are a label of the nodes or of n8n: alone, or as `resource: operation` and `parameter: choice`. */
export function isLabel(words: string): boolean {
	if (labels.has(words) || OF_OTHERS.has(words)) return true;
	const [within, ...rest] = words.split(': ');
	return labels.get(within)?.has(rest.join(': ')) ?? false;
}
