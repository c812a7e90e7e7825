import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { quoted } from '../n8nInternals/waiting';
import { boolean } from '../values/booleans';
import { isBlank } from '../values/text';

/** Type of this package's trigger, under any package name in n8n. */
const TRIGGER = /\.customerMessagingTrigger$/;

/** Whether the New Agent Message trigger started this execution. */
function startedByTrigger(context: IExecuteSingleFunctions): boolean {
	return context
		.getParentNodes(context.getNode().name)
		.some(
			({ name, type }) =>
				TRIGGER.test(type) &&
				context.evaluateExpression(`{{ $(${quoted(name)}).isExecuted }}`, context.getItemIndex()) === true,
		);
}

/**
 * Whether a message fires the event of the trigger. A body of the user's own can hold any value; a tenant may read every
 * value but a clear no as a yes.
 */
export function firesEvent(fromAutomation: unknown): boolean {
	return !isBlank(fromAutomation) && boolean(fromAutomation) !== false;
}

/**
 * Stops a workflow that would message a customer forever. The trigger receives all messages that automations send,
 * including those of its own workflow ("Events" 1 of the interface).
 *
 * @param mayLoop whether the message fires the event and *Allow Loop* is off
 * @throws NodeOperationError when that event started this execution
 */
export function guardAgainstLoop(context: IExecuteSingleFunctions, mayLoop: boolean): void {
	if (!mayLoop || !startedByTrigger(context)) return;
	throw new NodeOperationError(
		context.getNode(),
		'This message would start its own workflow again, without end',
		{
			itemIndex: context.getItemIndex(),
			description:
				'The workflow starts from the Customer Messaging Trigger, which hears every message sent with From Automation. Switch From Automation off, or switch Allow Loop on if another condition ends the loop.',
		},
	);
}
