import type { INodeProperties } from 'n8n-workflow';

/** Marks a message as sent by an automation ("Events" 1 of the interface). */
export const fromAutomation: INodeProperties = {
	displayName: 'From Automation',
	name: 'fromAutomation',
	type: 'boolean',
	default: false,
	description:
		'Whether to mark the message as sent by an automation, which also fires the New Agent Message webhook. A workflow that starts from that webhook and sends this way would never end.',
	routing: { send: { type: 'body', property: 'from_automation' } },
};
