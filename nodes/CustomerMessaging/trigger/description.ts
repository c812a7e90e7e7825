import type { INodeTypeDescription } from 'n8n-workflow';

import { choice } from '../values/choices';
import { type NamedParameter, parameters } from '../values/field';
import { DEFAULT_EVENT, EVENT_KINDS } from './events';

export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
	header: 'Listen for a test event',
	executionsHelp: {
		inactive:
			'To try this workflow, enter the <strong>Test URL</strong> in the webhook settings of your account and press <strong>Execute step</strong>: it then waits for one event, or says why it refused it. For everyday use, enter the <strong>Production URL</strong> there and publish the workflow.',
		active:
			'This workflow runs by itself for every event that arrives at its <strong>Production URL</strong>; the Executions tab shows each run. To try a change first, enter the <strong>Test URL</strong> in the webhook settings of your account and press <strong>Execute step</strong>.',
	},
	activationHint:
		'To go live, enter the Production URL in the webhook settings of your account, then publish this workflow.',
};

/** A filter by a member of the message. The interface does not show its values. */
const valueFilter = (name: string, example: string): NamedParameter => ({
	name,
	placeholder: `e.g. ${example}`,
	description: `Values of the ${name} field, separated by commas`,
});

const [, authentication] = choice(
	{
		credential: 'Only webhooks with the right secret, login or signature start the workflow',
		none: 'Anyone who knows the URL can start the workflow',
	},
	'credential',
	{ name: 'authentication', description: 'How to verify that a webhook comes from the service' },
);

const [, output] = choice(
	{
		message: "The message, with the event's own fields under event",
		raw: 'The event as received',
		simplified: 'The fields that are needed most, with text, template, language and the reason of a failure',
	},
	'message',
	{ name: 'output', description: 'What each item contains' },
);

const [, respond] = choice(
	{
		onReceived: ['Immediately', 'As soon as the event has arrived'],
		responseNode: ["Using 'Respond to Webhook' Node", 'Response defined in that node'],
		lastNode: ['When Last Node Finishes', 'Returns data of the last-executed node'],
	},
	'onReceived',
	{ displayName: 'Respond', name: 'responseMode', description: 'When and how to respond to the webhook' },
);

const toggle = (name: string, defaultValue: boolean, description: string): NamedParameter => ({
	name,
	type: 'boolean',
	default: defaultValue,
	description,
});

export const triggerProperties = parameters([
	{
		displayName: `Copy the Production URL from Webhook URLs above. (The Test URL is for Execute step only.) The administrator of your account enters it for the event ${DEFAULT_EVENT.kind}, with the values of the credential.`,
		name: 'setUpNotice',
		type: 'notice',
		default: '',
	},
	{
		name: 'event',
		type: 'options',
		options: EVENT_KINDS.map(({ name, value, description }) => ({ name, value, description })),
		default: DEFAULT_EVENT.value,
		required: true,
		description: 'The event that starts the workflow',
	},
	authentication,
	{
		displayName:
			'Without authentication, anyone who learns the webhook URL can start this workflow with made-up messages.',
		name: 'authenticationNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { authentication: ['none'] } },
	},
	output,
	respond,
	{
		displayName:
			"n8n's Respond to Webhook node only accepts triggers of n8n itself, or a Wait node in front of it. Put a Wait node of 0 seconds between this trigger and that node.",
		name: 'responseNodeNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { responseMode: ['responseNode'] } },
	},
	{
		name: 'filters',
		type: 'collection',
		default: {},
		placeholder: 'Add Filter',
		description: 'Only messages that pass all filters start the workflow',
		options: parameters([
			{
				displayName: 'Conversation IDs',
				name: 'conversation',
				placeholder: 'e.g. 42, 43',
				description: 'IDs of conversations, separated by commas',
			},
			valueFilter('from', 'agent'),
			toggle('onlyFailed', true, 'Whether only messages that could not be delivered start the workflow'),
			valueFilter('source', 'automation'),
			valueFilter('status', 'created, failed'),
			{
				displayName: 'Templates',
				name: 'template',
				placeholder: 'e.g. order_shipped',
				description: 'IDs or names of templates that were sent, separated by commas',
			},
		]),
	},
	{
		displayName: 'Options',
		name: 'additionalOptions',
		type: 'collection',
		default: {},
		placeholder: 'Add option',
		options: parameters([
			toggle(
				'ignoreRedeliveries',
				true,
				'Whether to ignore a message that arrives again with the same status within 24 hours',
			),
			toggle('includeHeaders', false, 'Whether to include the headers, without those of the credential'),
			{
				...toggle('passUnknown', false, 'Whether to start the workflow for events of other kinds too'),
				displayName: 'Pass Unknown Events',
			},
		]),
	},
	{
		// n8n reads this option for nodes of version 1. It leaves the body as it arrived, for the checks of signature, size
		// and type.
		displayName: 'Raw Body',
		name: 'options',
		type: 'hidden',
		default: { binaryData: true },
	},
]);
