import { bodyField, notice, setting } from '../runner/field';
import { boolean } from '../values/choices';

/** Marks a message as sent by an automation ("Events" 1 of the interface). */
export const fromAutomation = bodyField('from_automation', boolean, {
	displayName: 'From Automation',
	name: 'fromAutomation',
	type: 'boolean',
	default: false,
	description:
		'Whether to mark the message as sent by an automation, which also fires the New Agent Message webhook',
});

export const allowLoop = setting('options.allowLoop', boolean, {
	displayName: 'Allow Loop',
	name: 'allowLoop',
	type: 'boolean',
	default: false,
	description:
		'Whether a workflow of the Customer Messaging Trigger may send with From Automation, which starts it again with each message',
	displayOptions: { show: { fromAutomation: [true] } },
});

/** The editor displays it only when *From Automation* is on. */
export const loopNotice = notice({
	displayName:
		'From Automation fires the New Agent Message webhook. A workflow that starts from that event and sends this way would message the customer without end, so it is stopped unless Allow Loop is on.',
	name: 'loopNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { '/options.fromAutomation': [true] } },
});
