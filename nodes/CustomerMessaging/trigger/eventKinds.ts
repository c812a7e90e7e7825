/** The events that start a workflow ("Events" of the interface), in the order of the editor. */
export const EVENT_KINDS = [
	{
		name: 'New Agent Message',
		/** The choice as workflows store it. */
		value: 'newAgentMessage',
		/** The kind as the interface spells it. */
		kind: 'new-agent-message',
		description: 'An agent message was sent with From Automation switched on',
	},
];

/** The event of a message that tells no kind. */
export const [DEFAULT_EVENT] = EVENT_KINDS;

/** An event that starts a workflow. */
export type EventKind = (typeof EVENT_KINDS)[number];
