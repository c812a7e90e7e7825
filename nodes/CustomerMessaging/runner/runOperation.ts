import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { beginAttempt, nodeRunOf } from '../transport/nodeRun';
import { EventLoopYielder } from './eventLoop';
import { displayedFields } from './displayedFields';
import { hintsOf } from './executionHints';
import type { AnyField } from './field';
import { ItemContexts } from './itemContext';
import type { RunItems, CompleteItems, Operations, RunItem } from './operation';

type CustomOperations = NonNullable<INodeType['customOperations']>;

/**
 * Makes the function that runs the items of an operation one by one.
 *
 * n8n's own routing engine begins all items at once and evaluates each parameter several times. Here, at most *Maximum
 * in Flight* items are in progress at the same time. No new item begins after the execution is stopped, or after an
 * item fails without *Continue*.
 */
function itemByItem(runItem: RunItem, fields: readonly AnyField[]): RunItems {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const contexts = new ItemContexts(this);
		const shown = displayedFields(fields, this.getNode());
		const eventLoop = new EventLoopYielder();
		const outputs: INodeExecutionData[][] = [];
		const nodeRun = await nodeRunOf(this).catch(() => undefined);
		const signal = nodeRun?.signal ?? this.getExecutionCancelSignal();
		let failure: { error: unknown } | undefined;
		let next = 0;

		const lane = async () => {
			while (next < items.length && !failure && !signal?.aborted) {
				const item = next++;
				if (eventLoop.isDue) await eventLoop.yield();
				try {
					outputs[item] = await runItem(contexts.of(item), shown);
				} catch (error) {
					// The items that are under way fail now too: they have lost their turns.
					failure ??= { error };
					nodeRun?.end();
				}
			}
		};

		// An unusable credential fails the items, not this function.
		const lanes = Math.min(nodeRun?.maximumInFlight ?? 1, items.length);
		await Promise.all(Array.from({ length: lanes }, lane));
		for (const act of contexts.atEnd) await act();
		if (failure) throw failure.error;
		return [outputs.flat()];
	};
}

/** Tells in the hints of the execution, once per run, what the items alone do not show. */
function withHints(run: RunItems, completeItems?: CompleteItems): RunItems {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const nodeRun = await nodeRunOf(this).catch(() => undefined);
		if (nodeRun) beginAttempt(this, nodeRun);
		const [items] = await run.call(this);
		this.addExecutionHints(...hintsOf(this.getInputData().length, items, nodeRun, completeItems?.(items)));
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
			ownMembers(
				Object.entries(operations).map(([name, { run, fields, completeItems }]) => [
					name,
					withHints('all' in run ? run.all : itemByItem(run.each, fields), completeItems),
				]),
			),
		]),
	);
}
