import type { IExecuteFunctions, INodeExecutionData, INodeType, NodeExecutionHint } from 'n8n-workflow';
import { withApi } from '../api/client';
import type { RunContext, Api } from '../api/client';

import { MAX_MESSAGE, withoutMarkup } from '../api/errors';
import { yieldAt } from './eventLoop';
import { displayedFields } from './displayedFields';
import type { AnyField } from './field';
import { ItemContexts } from './itemContext';
import { isErrorItem } from './runItem';
import type { Operation, Operations, RunItem } from './operation';

type CustomOperations = NonNullable<INodeType['customOperations']>;

/**
 * Runs the items of an operation, at most *Maximum in Flight* at the same time. n8n's own engine begins all at once. No
 * new item begins after the execution is stopped, or after one fails without *Continue*.
 */
async function runItems(
	batch: RunContext<IExecuteFunctions>,
	runItem: RunItem,
	fields: readonly AnyField[],
): Promise<INodeExecutionData[]> {
	const contexts = new ItemContexts(batch);
	const { length: count } = batch.getInputData();
	const shown = displayedFields(fields, batch.getNode());
	const outputs: INodeExecutionData[][] = [];
	const { api } = batch;
	let failure: { error: unknown } | undefined;
	let next = 0;

	const lane = async () => {
		while (next < count && !failure && !api.signal.aborted) {
			const item = next++;
			await yieldAt(item);
			try {
				outputs[item] = await runItem(contexts.of(item), shown);
			} catch (error) {
				// The items that are under way fail now too: they have lost their turns.
				failure ??= { error };
				api.end();
			}
		}
	};

	// With an unusable credential, each item fails for itself.
	const inFlight = await api.settings().then(
		({ maximumInFlight }) => maximumInFlight,
		() => 1,
	);
	const lanes = Math.min(inFlight, count);
	await Promise.all(Array.from({ length: lanes }, lane));
	for (const act of api.atEnd) await act();
	if (failure) throw failure.error;
	return outputs.flat();
}

const MIN_TOLD_MS = 1000;

const inDigits = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 0 });

const inRequests = (count: number) => `${inDigits(count)} ${count === 1 ? 'request' : 'requests'}`;

/**
 * Returns the hints about a run, which n8n shows above its output.
 *
 * @param show makes what comes from values and from the service fit for a hint
 */
export function hintsOf(
	inputs: number,
	outputs: INodeExecutionData[],
	{ cutLists, notes, waited }: Pick<Api, 'cutLists' | 'notes' | 'waited'>,
	conclusion?: string,
	show = (words: string) => words,
): NodeExecutionHint[] {
	const failed = outputs.filter(isErrorItem).length;
	const counts = [...(failed > 0 ? [['failed', failed] as const] : []), ...notes];
	const hints = counts.map(([what, count]): NodeExecutionHint => {
		const message = `${inDigits(count)} of ${inDigits(inputs)} items ${show(what)}.`;
		return { message, location: 'outputPane', type: 'warning' };
	});
	if (conclusion !== undefined)
		hints.push({ message: show(conclusion), location: 'outputPane', type: 'info' });
	if (cutLists > 0) {
		const ended = cutLists === 1 ? 'The list ended' : `${inDigits(cutLists)} lists ended`;
		const message = `${ended} at Limit, and there may be more. To get everything, switch on Return All.`;
		hints.push({ message, location: 'outputPane', type: 'info' });
	}
	const { requests, milliseconds } = waited;
	if (milliseconds >= MIN_TOLD_MS) {
		const message = `${inRequests(requests)} waited for the service, ${inDigits(milliseconds / 1000)} s in all.`;
		hints.push({ message, location: 'outputPane', type: 'info' });
	}
	return hints;
}

function runOf({ run, fields, completeItems }: Operation): CustomOperations[string][string] {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const context = withApi(this);
		const { api } = context;
		const [items] = 'all' in run ? await run.all(context) : [await runItems(context, run.each, fields)];
		const conclusion = await completeItems?.(items);
		const hints = hintsOf(this.getInputData().length, items, api, conclusion, (words) =>
			withoutMarkup(api.redact(words, MAX_MESSAGE)),
		);
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
