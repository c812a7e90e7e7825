import {
	type IExecuteFunctions,
	type IGetNodeParameterOptions,
	type IHttpRequestMethods,
	type INodeExecutionData,
	type INodePropertyRouting,
	type INodeType,
	isExpression,
	NodeOperationError,
} from 'n8n-workflow';

import { type RunContext, Api } from '../api/client';
import { nodeErrorOf } from '../api/errors';
import { allFailed } from './batches';
import { isTool } from './displayedFields';
import { failedItem, refuse, withRemedyInMessage } from './errorItems';
import type { ItemContext } from './field';
import { itemError } from './fieldError';
import { hintsOf } from './hints';
import type { Operation, Operations, RunAll } from './operation';
import { runItem, runItems } from './run';

// n8n has two engines. It runs a step by `customOperations`, with all items. Its routing engine runs tools, and steps whose Operation
// is an expression, item by item. Nothing outside this file knows of both.

type CustomOperations = NonNullable<INodeType['customOperations']>;

/** Throws what a run has thrown: a model sees the message of an error only. */
export function rethrow(context: RunContext, error: unknown): never {
	throw isTool(context.getNode()) ? withRemedyInMessage(nodeErrorOf(context, error)) : error;
}

/** Runs a batch with a single item, in the context of this item. Its error names the item. */
async function batchOfOne(context: ItemContext, run: RunAll): Promise<INodeExecutionData[]> {
	const ownMembers = {
		getInputData: () => [context.getInputData()],
		getNodeParameter: (name: string, _item: number, fallback?: object, options?: IGetNodeParameterOptions) =>
			context.getNodeParameter(name, fallback, options),
	};
	const batch = Object.assign(
		Object.create(context) as object,
		ownMembers,
	) as unknown as RunContext<IExecuteFunctions>;
	try {
		return await run(batch);
	} catch (failure) {
		const error = nodeErrorOf(context, failure);
		error.context.itemIndex = context.getItemIndex();
		throw error;
	}
}

/**
 * Makes n8n's routing engine pass each item to the operation and send no request of its own. If an expression chooses the
 * resource, the operation would be the one of that name in any of them, so it is refused.
 */
export function routingOf({ endpoints: [endpoint], run, waits }: Operation): INodePropertyRouting {
	const [method, url] = endpoint.split(' ');
	const runOne = async (context: ItemContext) => {
		if (isExpression(context.getNode().parameters.resource)) return await refuse(context, 'Resource');
		// A value may depend on it. If it is unusable, the first request says why.
		await context.api.settings.catch(() => undefined);
		if (waits) return await failedItem(context, cannotWait(context));
		const items = 'all' in run ? await batchOfOne(context, run.all) : await runItem(run.each, context);
		const pairedItem = { item: context.getItemIndex() };
		for (const made of items) made.pairedItem = pairedItem;
		return items;
	};
	return {
		request: { method: method as IHttpRequestMethods, url },
		operations: {
			async pagination() {
				const { context } = new Api(this);
				return await runOne(context).catch((error: unknown) => rethrow(context, error));
			},
		},
	};
}

/** Only an execution can wait for an answer, and only when n8n runs the operation as a step. */
const cannotWait = (context: ItemContext) =>
	itemError(
		context,
		'This operation cannot wait for an answer here',
		'Nothing was sent. Use it as a step of the workflow, with Resource and Operation chosen from their lists. To have people decide about the tools of an AI Agent, add it as the human review of a tool.',
	);

const oneAtATime = (context: IExecuteFunctions, count: number) =>
	new NodeOperationError(context.getNode(), `This operation takes one item at a time, but got ${count}`, {
		description:
			'Nothing was sent. An execution waits for one answer. Put the node Loop Over Items before this one, with a Batch Size of 1.',
	});

function stepOf({ run, waits, countHint }: Operation): CustomOperations[string][string] {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { context } = new Api(this);
		const { length } = this.getInputData();
		let running: Promise<INodeExecutionData[]>;
		if ('all' in run) running = run.all(context);
		else if (waits && length > 1) running = allFailed(context, oneAtATime(context, length));
		else running = runItems(context, run.each);
		const items = await running.catch((error: unknown) => rethrow(context, error));
		this.addExecutionHints(...hintsOf(length, items, context.api, countHint?.(items)));
		return [items];
	};
}

/** Makes an object that has nothing of all objects, since n8n looks for whatever a workflow names. */
const ownMembers = <T>(entries: Array<[string, T]>): Record<string, T> =>
	Object.assign(Object.create(null) as Record<string, T>, Object.fromEntries(entries));

/** Returns the operations of all resources in the form that n8n runs. */
export function customOperations(resources: Record<string, Operations>): CustomOperations {
	return ownMembers(
		Object.entries(resources).map(([resource, operations]) => [
			resource,
			ownMembers(Object.entries(operations).map(([name, operation]) => [name, stepOf(operation)])),
		]),
	);
}
