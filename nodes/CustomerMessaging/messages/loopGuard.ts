import { quoted } from '../n8nInternals/waiting';
import type { Item } from '../core/item';
import { boolean } from '../values/choices';
import { orUndefinedIfInvalid } from '../values/parse';
import { isBlank } from '../values/text';
import { allowLoop } from './sendingOptions';

const TRIGGER = /\.customerMessagingTrigger$/;

/**
 * Stops a workflow that would message a customer forever. The trigger receives all messages that automations send,
 * including those of its own workflow ("Events" 1 of the interface).
 *
 * @throws NodeOperationError when that event started this execution and *Allow Loop* is off
 */
export function guardAgainstLoop(item: Item<typeof allowLoop, { from_automation?: unknown }>): void {
	const { context } = item;
	const { from_automation: fromAutomation } = item.request.body;
	// A body of the user's own can hold any value; a tenant may read every value but a clear no as a yes.
	const isOff = orUndefinedIfInvalid(boolean, fromAutomation) === false;
	if (isBlank(fromAutomation) || isOff || item.get(allowLoop)) return;
	const isStart = ({ name, type }: { name: string; type: string }) =>
		TRIGGER.test(type) &&
		context.evaluateExpression(`{{ $(${quoted(name)}).isExecuted }}`, context.getItemIndex()) === true;
	if (!context.getParentNodes(context.getNode().name).some(isStart)) return;
	throw item.error(
		'This message would start its own workflow again, without end',
		'The workflow starts from the Customer Messaging Trigger, which hears every message sent with From Automation. Switch From Automation off, or switch Allow Loop on if another condition ends the loop.',
	);
}
