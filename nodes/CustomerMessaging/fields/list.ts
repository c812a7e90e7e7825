import type { IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type ItemContext, setting } from '../runner/field';
import { fieldError } from '../runner/fieldError';
import { type Flow, flow } from '../runner/operation';
import { unwrapped } from '../transport/answer';
import { cancelSignalOf } from '../transport/context';
import { nodeRunOf } from '../transport/nodeRun';
import { nextPage, PAGE_SIZE } from '../transport/pages';
import { request } from '../transport/request';
import { wait } from '../transport/wait';
import { boolean } from '../values/booleans';
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

function endlessList(context: ItemContext, read: number): NodeOperationError {
	return new NodeOperationError(context.getNode(), 'The service sent the same page of the list twice', {
		description: `Reading stopped after ${read} records, since the list would never end. Set a Limit of at most ${read}, and tell the operator of the tenant.`,
		itemIndex: context.getItemIndex(),
	});
}

/** Whether a page is equal to the page before. An empty page is not. */
function repeats(page: unknown, previous: unknown): boolean {
	if (!Array.isArray(page) || !Array.isArray(previous) || page.length === 0) return false;
	const text = (value: unknown) => JSON.stringify(value);
	// The first record is enough to distinguish nearly all pages.
	return text(page[0]) === text(previous[0]) && text(page) === text(previous);
}

/**
 * Makes a flow that reads a list page by page: up to the operation's `limit`, or all of it with `returnAll`.
 *
 * @param pageSizeParameter query parameter for the page size, if the interface has one
 * @throws NodeOperationError when a page repeats, because the list would then never end
 */
export function readPages(pageSizeParameter?: 'per_page'): Flow<(typeof howMany)[number]> {
	return flow(howMany, async ({ context, request: first, read, shows, output }) => {
		const isAll = read(returnAll);
		if (!isAll && !shows(limit)) throw fieldError(context, returnAll.parameter.displayName, STORED_TEXT);
		const most = isAll ? Infinity : read(limit);
		const { pageDelay } = await nodeRunOf(context);
		const items: INodeExecutionData[] = [];
		const asked = new Set<string>();
		let previous: unknown;
		let page: IHttpRequestOptions | undefined = pageSizeParameter
			? { ...first, qs: { ...first.qs, [pageSizeParameter]: Math.min(most, PAGE_SIZE) } }
			: first;
		while (page && items.length < most) {
			const target = `${page.url}?${String(new URLSearchParams(page.qs as Record<string, string>))}`;
			if (asked.has(target)) throw endlessList(context, items.length);
			asked.add(target);
			const answer = await request(context, page);
			const content = unwrapped(answer.body);
			if (repeats(content, previous)) throw endlessList(context, items.length);
			previous = content;
			for (const item of output(answer)) items.push(item);
			page = await nextPage(context, page, answer.body);
			if (page && pageDelay > 0) await wait(pageDelay, cancelSignalOf(context));
		}
		return items.length > most ? items.slice(0, most) : items;
	});
}
