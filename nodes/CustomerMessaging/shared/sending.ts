import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { nodeError, unclearSendError } from '../transport/errors';
import { request } from '../transport/request';
import { received } from '../transport/send';
import { guardAgainstLoop } from './loopGuard';
import { SentMemory } from './sentMemory';

/** Marks a message as sent by an automation ("Events" 1 of the interface). */
export const fromAutomation: INodeProperties = {
	displayName: 'From Automation',
	name: 'fromAutomation',
	type: 'boolean',
	default: false,
	description:
		'Whether to mark the message as sent by an automation, which also fires the New Agent Message webhook',
	routing: { send: { type: 'body', property: 'from_automation' } },
};

export const allowLoop: INodeProperties = {
	displayName: 'Allow Loop',
	name: 'allowLoop',
	type: 'boolean',
	default: false,
	description:
		'Whether a workflow that starts from the Customer Messaging Trigger may send with From Automation. Each such message starts the workflow again.',
	displayOptions: { show: { fromAutomation: [true] } },
};

export const skipSent: INodeProperties = {
	displayName: 'Skip Items Already Sent',
	name: 'skipSent',
	type: 'boolean',
	default: true,
	description:
		'Whether a retry of this node (Retry On Fail) leaves out the items that were sent, or may have been, by the try before',
};

/** Appears exactly when *From Automation* is on. */
export const loopNotice: INodeProperties = {
	displayName:
		'From Automation fires the New Agent Message webhook. A workflow that starts from that event and sends this way would message the customer without end, so it is stopped unless Allow Loop is on.',
	name: 'loopNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { '/options.fromAutomation': [true] } },
};

/**
 * Sends one message, at most once.
 *
 * It is not sent again when a retry of the node comes by after it was sent, or may have been. An unclear outcome is an
 * error of its own kind that carries what was sent.
 *
 * @param declared the request before anything was uploaded for it
 * @param complete makes the body that goes out; uploads belong here
 */
export async function sendMessage(
	context: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	declared: IHttpRequestOptions,
	complete: (body: IDataObject) => Promise<IDataObject>,
): Promise<INodeExecutionData[]> {
	const declaredBody = declared.body as IDataObject;
	guardAgainstLoop(context, declaredBody.from_automation === true);
	const memory = new SentMemory(context, declared);
	const { outcome } = memory;
	if (outcome && 'items' in outcome) return outcome.items;
	if (outcome)
		throw unclearSendError(context.getNode(), outcome.unclear, declaredBody, context.getItemIndex());

	const body = await complete(declaredBody);
	try {
		const items = await received(context, requestData, await request(context, { ...declared, body }));
		memory.sent(items);
		return items;
	} catch (error) {
		const failure = nodeError(context.getNode(), error, context.getItemIndex());
		if (failure.context.outcome !== 'unknown') throw failure;
		memory.unclear(failure.message);
		throw unclearSendError(context.getNode(), failure.message, body, context.getItemIndex());
	}
}
