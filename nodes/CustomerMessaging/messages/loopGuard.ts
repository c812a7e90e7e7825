import { bodyField, notice, setting } from '../core/field';
import type { Item } from '../core/item';
import { quoteInExpression } from '../n8nInternals/waiting';
import { boolean } from '../values/choices';
import type { Send } from './sendingOption';

/** Marks a message as sent by an automation ("Events" 1 of the interface). */
export const fromAutomation = bodyField('from_automation', boolean, {
	type: 'boolean',
	description: 'Whether the New Agent Message trigger hears of it',
});

const option = setting('options.allowLoop', boolean, {
	type: 'boolean',
	description: 'Whether to send although it starts this workflow again',
	displayOptions: { show: { fromAutomation: [true] } },
});

export const loopNotice = notice({
	displayName:
		'Messages with From Automation start the New Agent Message trigger. To prevent loops, a workflow that starts with this trigger cannot send them, unless Allow Loop is on.',
	name: 'loopNotice',
	displayOptions: { show: { '/options.fromAutomation': [true] } },
});

const TRIGGER = /\.customerMessagingTrigger$/;

/**
 * Stops a workflow that would message a customer forever. The trigger receives all messages that automations send,
 * including those of its own workflow ("Events" 1 of the interface).
 *
 * @throws NodeOperationError when that event started this execution and *Allow Loop* is off
 */
async function stopLoop(item: Item<typeof option>, send: Send) {
	const { context } = item;
	if (item.get(option)) return await send();
	const isStart = ({ name, type }: { name: string; type: string }) =>
		TRIGGER.test(type) &&
		context.evaluateExpression(`{{ $(${quoteInExpression(name)}).isExecuted }}`, context.getItemIndex()) ===
			true;
	if (!context.getParentNodes(context.getNode().name).some(isStart)) return await send();
	throw item.error(
		'This message would start its own workflow again and again',
		'The workflow starts from the Customer Messaging Trigger, which hears every message sent with From Automation. Switch From Automation off, or switch Allow Loop on if another condition ends the loop.',
	);
}

/** A body of one's own may have the member too, without *From Automation*, so the display of the option does not count. */
export const allowLoop = { ...option, watches: fromAutomation.target.name, guard: stopLoop };
