import { type IExecuteFunctions, type INodeExecutionData, sleep } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import { stoppedError } from '../api/errors';
import { stringOf } from '../values/text';
import { countsFor, type VisibleField, visibleFields } from './displayedFields';
import { failedItem } from './errorItems';
import type { ItemContext, Setting } from './field';
import { Item, type ItemRequest } from './item';
import { ItemContexts } from './itemContext';
import { requestOf } from './itemRequest';
import type { ItemOperation } from './operation';

/** Members of a body that tell whose record is written, where the path does not. */
interface Owners {
	customer_id?: unknown;
	phone_number?: unknown;
	display_id?: unknown;
}

/**
 * Returns the key of the record that a request writes; undefined if it reads or creates. Items for one record are carried out in
 * their order, as n8n's own nodes do. The key is no path, because the steps of an item may put work on a path in order too.
 */
function orderKeyOf({ method, url, path, body }: ItemRequest<object>): string | undefined {
	if (method === 'GET') return undefined;
	const { customer_id: customer, phone_number: phone, display_id: display } = body as Owners;
	const owner = [customer, phone, display].map(stringOf).filter(Boolean).join(' ');
	const isOfOne = method !== 'POST' || Object.keys(path).length > 0 || owner !== '';
	return isOfOne ? `item ${url} ${owner}` : undefined;
}

/**
 * Runs one item of an operation: makes its request, and sends it or carries out the steps of the operation. Every output item is
 * linked to it.
 *
 * @param displayed the fields that the node displays, if the caller already knows them
 */
export async function runItem(
	operation: ItemOperation,
	context: ItemContext,
	displayed: VisibleField[] = visibleFields(operation.fields, context.getNode()),
): Promise<INodeExecutionData[]> {
	const { output, run } = operation;
	let item = new Item<Setting>(context, [], output);
	try {
		const shown = displayed.filter((one) => one.conditions.length === 0 || countsFor(context, one));
		item = new Item<Setting>(context, shown, output);
		item.request = await requestOf(item, operation, shown);
		const work = async () => (run ? await run(item) : item.output(await context.api.send(item.request)));
		const key = orderKeyOf(item.request);
		const items = await (key === undefined ? work() : context.api.inOrder(key, work));
		const pairedItem = { item: context.getItemIndex() };
		for (const made of items) made.pairedItem = pairedItem;
		return items;
	} catch (failure) {
		const isUnsent = item.request.url === '' || item.problems.some((one) => one === failure);
		return await failedItem(context, failure, (error) => item.failed(error), isUnsent);
	}
}

/** n8n has one thread. Who has had it for so long lets others have a turn. */
const MAX_TURN_MS = 5;

/**
 * Returns a function that waits if others are to have a turn. The requests of a run then go out one by one, as the responses to
 * others come in, and not all at once, which halves the time that single writes take.
 */
function makeYield(): () => Promise<void> {
	let since = performance.now();
	let pause: Promise<void> | undefined;
	const begin = () => {
		since = performance.now();
		pause = undefined;
	};
	return async () => {
		while (performance.now() - since >= MAX_TURN_MS) await (pause ??= sleep(0).then(begin));
	};
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
	const letOthers = makeYield();
	for (const [index, item] of context.getInputData().entries()) {
		await letOthers();
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
	const contexts = new ItemContexts(batch);
	const { length: count } = batch.getInputData();
	const shown = visibleFields(operation.fields, batch.getNode());
	const outputs: INodeExecutionData[][] = [];
	let failure: { error: unknown } | undefined;
	let next = 0;
	const letOthers = makeYield();

	const lane = async () => {
		while (next < count && !failure && !api.signal.aborted) {
			const item = next++;
			await letOthers();
			try {
				outputs[item] = await runItem(operation, contexts.of(item), shown);
			} catch (error) {
				// The items that are under way fail now too: they have lost their turns.
				failure ??= { error };
				api.end();
			}
		}
	};

	// With an unusable credential, each item fails for itself.
	const settings = await api.settings().catch(() => ({ maximumInFlight: 1 }));
	await Promise.all(Array.from({ length: Math.min(settings.maximumInFlight, count) }, lane));
	if (failure) throw failure.error;
	return outputs.flat();
}
