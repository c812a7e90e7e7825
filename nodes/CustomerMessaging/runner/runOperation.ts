import type { IExecuteFunctions, INodeExecutionData, INodeType, NodeExecutionHint } from 'n8n-workflow';

import { isErrorItem, MAX_MESSAGE } from '../api/errors';
import { withoutMarkup } from '../api/leaving';
import { beginAttempt, type NodeRun, nodeRunOf } from '../api/nodeRun';
import { EventLoopYielder } from './eventLoop';
import { displayedFields } from './displayedFields';
import type { AnyField } from './field';
import { ItemContexts } from './itemContext';
import { cut } from '../values/text';
import type { RunItems, Operation, Operations, RunItem } from './operation';

type CustomOperations = NonNullable<INodeType['customOperations']>;

/**
 * Runs the items of an operation, at most *Maximum in Flight* at the same time. n8n's own engine begins all at once. No
 * new item begins after the execution is stopped, or after one fails without *Continue*.
 */
async function runItems(
	batch: IExecuteFunctions,
	nodeRun: NodeRun | undefined,
	runItem: RunItem,
	fields: readonly AnyField[],
): Promise<INodeExecutionData[]> {
	const contexts = new ItemContexts(batch);
	const { length: count } = batch.getInputData();
	const shown = displayedFields(fields, batch.getNode());
	const eventLoop = new EventLoopYielder();
	const outputs: INodeExecutionData[][] = [];
	const signal = nodeRun?.signal ?? batch.getExecutionCancelSignal();
	let failure: { error: unknown } | undefined;
	let next = 0;

	const lane = async () => {
		while (next < count && !failure && !signal?.aborted) {
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

	const lanes = Math.min(nodeRun?.maximumInFlight ?? 1, count);
	await Promise.all(Array.from({ length: lanes }, lane));
	for (const act of contexts.atEnd) await act();
	if (failure) throw failure.error;
	return outputs.flat();
}

const MIN_TOLD_MS = 1000;

const inDigits = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 0 });

const inRequests = (count: number) => `${inDigits(count)} ${count === 1 ? 'request' : 'requests'}`;

/** Returns the hints about a run, which n8n shows above its output. */
export function hintsOf(
	inputs: number,
	outputs: INodeExecutionData[],
	nodeRun: Pick<NodeRun, 'cutLists' | 'outcomes' | 'waited'> | undefined,
	conclusion?: string,
): NodeExecutionHint[] {
	const failed = outputs.filter(isErrorItem).length;
	const counts = [...(failed > 0 ? [['failed', failed] as const] : []), ...(nodeRun?.outcomes ?? [])];
	const hints = counts.map(([what, count]): NodeExecutionHint => {
		const message = `${inDigits(count)} of ${inDigits(inputs)} items ${what}.`;
		return { message, location: 'outputPane', type: 'warning' };
	});
	if (conclusion !== undefined) hints.push({ message: conclusion, location: 'outputPane', type: 'info' });
	const { cutLists = 0 } = nodeRun ?? {};
	if (cutLists > 0) {
		const ended = cutLists === 1 ? 'The list ended' : `${inDigits(cutLists)} lists ended`;
		const message = `${ended} at Limit, and there may be more. To get everything, switch on Return All.`;
		hints.push({ message, location: 'outputPane', type: 'info' });
	}
	const { requests, milliseconds } = nodeRun?.waited ?? { requests: 0, milliseconds: 0 };
	if (milliseconds >= MIN_TOLD_MS) {
		const message = `${inRequests(requests)} waited for the service, ${inDigits(milliseconds / 1000)} s in all.`;
		hints.push({ message, location: 'outputPane', type: 'info' });
	}
	return hints;
}

function runOf({ run, fields, completeItems }: Operation): RunItems {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const nodeRun = await nodeRunOf(this).catch(() => undefined);
		if (nodeRun) beginAttempt(this, nodeRun);
		const [items] =
			'all' in run ? await run.all.call(this) : [await runItems(this, nodeRun, run.each, fields)];
		const show = withoutMarkup(nodeRun?.hide ?? cut);
		const hints = hintsOf(this.getInputData().length, items, nodeRun, await completeItems?.(items));
		for (const hint of hints) hint.message = show(hint.message, MAX_MESSAGE);
		this.addExecutionHints(...hints);
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
			ownMembers(Object.entries(operations).map(([name, operation]) => [name, runOf(operation)])),
		]),
	);
}
