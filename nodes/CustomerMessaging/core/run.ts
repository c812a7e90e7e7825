import { type IExecuteFunctions, type INodeExecutionData, sleep } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import { stoppedError } from '../api/errors';
import { stringOf } from '../values/text';
import { countsFor, type VisibleField, visibleFields } from './displayedFields';
import { failedItem } from './errorItems';
import type { ItemContext, Setting } from './field';
import { Item, type ItemRequest } from './item';
import { itemContext } from './itemContext';
import { requestOf } from './itemRequest';
import type { ItemOperation, Run } from './operation';

/** Members of a body that tell whose record is written, where the path does not. */
interface Owners {
	customer_id?: unknown;
	phone_number?: unknown;
	display_id?: unknown;
}

/**
 * Returns the key of the record that a request writes; undefined if it creates one. Items for one record are carried out in
 * their order, as n8n's own nodes do. The key is no path, because the steps of an item may put work on a path in order too.
 */
function orderKeyOf({ method, url, path, body }: ItemRequest<object>): string | undefined {
	const { customer_id: customer, phone_number: phone, display_id: display } = body as Owners;
	const owner = [customer, phone, display].map(stringOf).filter(Boolean).join(' ');
	const isOfOne = method !== 'POST' || Object.keys(path).length > 0 || owner !== '';
	return isOfOne ? `item ${url} ${owner}` : undefined;
}

/** What an operation does that has no steps of its own. */
const sendRequest: Run<Setting> = async (item) => item.output((await item.api.send(item.request)).content);

/**
 * Runs one item of an operation: makes its request, and sends it or carries out the steps of the operation. Whoever calls it links
 * the output to the item.
 *
 * @param displayed the fields that the node displays, if the caller already knows them
 */
export async function runItem(
	operation: ItemOperation,
	context: ItemContext,
	displayed: VisibleField[] = visibleFields(operation.fields, context.getNode()),
): Promise<INodeExecutionData[]> {
	const { output, run = sendRequest } = operation;
	const item = new Item<Setting>(context, output);
	try {
		// Most count for all items, and are not asked about.
		for (const one of displayed)
			if (one.conditions.length === 0 || countsFor(context, one)) item.shown.push(one);
		item.request = await requestOf(item, operation);
		const key = item.request.method === 'GET' ? undefined : orderKeyOf(item.request);
		return await (key === undefined ? run(item) : context.api.inOrder(key, async () => await run(item)));
	} catch (failure) {
		const isUnsent = item.request.url === '' || item.problems.some((one) => one === failure);
		return await failedItem(context, failure, (error) => item.failed(error), isUnsent);
	}
}

/** n8n has one thread. Who has had it for so long lets others have a turn. */
const MAX_TURN_MS = 5;

interface Turn {
	/** Time of the process. */
	since: number;
	/** Others have a turn until then. */
	pause?: Promise<void>;
}

/**
 * Waits if others are to have a turn. The requests of a run then go out one by one, as the responses to others come in, and not all
 * at once, which halves the time that single writes take.
 */
async function letOthers(turn: Turn): Promise<void> {
	const begin = () => void Object.assign(turn, { since: performance.now(), pause: undefined });
	while (performance.now() - turn.since >= MAX_TURN_MS) await (turn.pause ??= sleep(0).then(begin));
}

/**
 * Does something with each input item of a batch.
 *
 * @throws UserError when the execution is stopped
 */
export async function forEachItem(
	context: IExecuteFunctions,
	act: (item: INodeExecutionData, index: number) => void,
): Promise<void> {
	const signal = context.getExecutionCancelSignal();
	const turn: Turn = { since: performance.now() };
	for (const [index, item] of context.getInputData().entries()) {
		await letOthers(turn);
		if (signal?.aborted) throw stoppedError();
		act(item, index);
	}
}

/**
 * Runs the items of an operation, at most *Maximum in Flight* at the same time. n8n's own engine begins all at once. No
 * new item begins after the execution is stopped, or after one fails without *Continue*.
 */
export async function runItems(
	batch: RunContext<IExecuteFunctions>,
	operation: ItemOperation,
): Promise<INodeExecutionData[]> {
	const { api } = batch;
	const { length: count } = batch.getInputData();
	const displayed = visibleFields(operation.fields, batch.getNode());
	const stored = new Map<string, unknown>();
	const outputs: INodeExecutionData[][] = [];
	let failure: { error: unknown } | undefined;
	let next = 0;
	const turn: Turn = { since: performance.now() };

	const lane = async () => {
		while (next < count && !failure && !api.signal.aborted) {
			const item = next++;
			await letOthers(turn);
			try {
				outputs[item] = await runItem(operation, itemContext(batch, item, stored), displayed);
				const pairedItem = { item };
				for (const made of outputs[item]) made.pairedItem = pairedItem;
			} catch (error) {
				// The items that are under way fail now too: they have lost their turns.
				failure ??= { error };
				api.end();
			}
		}
	};

	// With an unusable credential, each item fails for itself.
	const settings = await api.settings.catch(() => ({ maximumInFlight: 1 }));
	await Promise.all(Array.from({ length: Math.min(settings.maximumInFlight, count) }, lane));
	if (failure) throw failure.error;
	return outputs.flat();
}
