import type { INodeExecutionData } from 'n8n-workflow';

import { setting } from '../runner/field';
import { fieldError } from '../runner/fieldError';
import { flow, type Item } from '../runner/operation';
import { nodeError } from '../transport/errors';
import { PAGE_SIZE, pagesOf } from '../transport/pages';
import { boolean } from '../values/choices';
import { ValueProblem } from '../values/conversion';
import { integerFrom } from '../values/numbers';

const returnAll = setting('returnAll', boolean, {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limit = setting('limit', integerFrom(1), {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
});

/** The settings for the number of records to read. */
export const howMany = [returnAll, limit] as const;

/** n8n hides *Limit*, and forgets its value, if the workflow stores text for *Return All*. */
const STORED_TEXT = new ValueProblem('is neither on nor off', 'Switch it on or off in the node.');

/** The setting for the records of one request, for lists whose page size the interface lets one choose. */
export const pageSize = setting('options.pageSize', integerFrom(1), {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: PAGE_SIZE,
	description: 'Max number of results to ask for in one request',
});

type OfList = Item<(typeof howMany)[number]>;

/** Returns the number of records that the user wants. */
function wantedOf({ context, read, shows }: OfList): number {
	const isAll = read(returnAll);
	if (!isAll && !shows(limit)) throw fieldError(context, returnAll.parameter.displayName, STORED_TEXT);
	return isAll ? Infinity : read(limit);
}

/** @param size records to ask for in one request; undefined if the interface has no parameter for it */
async function recordsOf(
	{ context, request: { url, qs, labels }, output }: Pick<OfList, 'context' | 'output' | 'request'>,
	most: number,
	size?: number,
) {
	const items: INodeExecutionData[] = [];
	try {
		const perPage = size && Math.min(most, size);
		for await (const { response } of pagesOf(context, { url, qs, labels, perPage })) {
			for (const item of output(response)) items.push(item);
			if (items.length >= most) break;
		}
	} catch (error) {
		const failure = nodeError(context.getNode(), error, context.getItemIndex());
		if (items.length > 0) failure.context.read = items.map(({ json }) => json);
		throw failure;
	}
	return items.length > most ? items.slice(0, most) : items;
}

/**
 * Makes a flow that reads a list page by page: up to the operation's `limit`, or all of it with `returnAll`.
 *
 * @throws NodeApiError or NodeOperationError when the list cannot be read to its end, see `pagesOf`; its context has what
 * was read
 */
export const readPages = () => flow(howMany, async (item) => await recordsOf(item, wantedOf(item)));

/** Makes the same flow for a list with a page size. */
export const readPagesOfSize = () =>
	flow([...howMany, pageSize], async (item) => await recordsOf(item, wantedOf(item), item.read(pageSize)));

/** Makes the same flow for a list that the interface gives at once. If a tenant divides it, all pages are read. */
export const readWhole = () => flow([], async (item) => await recordsOf(item, Infinity));
