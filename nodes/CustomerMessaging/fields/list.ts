import type { INodeExecutionData } from 'n8n-workflow';

import { nodeErrorOf } from '../api/errors';
import { PAGE_SIZE, pagesOf } from '../api/pages';
import { isTool } from '../core/displayedFields';
import { queryField, setting } from '../core/field';
import { findLimitedView } from '../core/hints';
import type { Item } from '../core/item';
import type { Run } from '../core/operation';
import { list } from '../core/outputs';
import { boolean, choice } from '../values/choices';
import { filled, manyRows, rowsBy } from '../values/columns';
import { integerFrom } from '../values/numbers';
import { InvalidValue, type Parse } from '../values/parse';
import { trimmedText } from '../values/text';

const returnAll = setting('returnAll', boolean, {
	type: 'boolean',
	description: 'Whether to return all results or only up to a given limit',
});

const limit = setting('limit', integerFrom(1), {
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
});

/** The settings for the number of records to read. */
export const howMany = [returnAll, limit] as const;

/** The setting for the records of one request, for lists whose page size the interface lets one choose. */
export const pageSize = setting('options.pageSize', integerFrom(1), {
	type: 'number',
	typeOptions: { minValue: 1 },
	default: PAGE_SIZE,
	description: 'Max number of results to ask for in one request',
});

/** Makes a parameter for one choice among those that the tenant can list. */
export const choiceParameter = (displayName: string, loadOptionsMethod: string) => ({
	displayName,
	type: 'options' as const,
	typeOptions: { loadOptionsMethod },
	default: '',
	description:
		'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
});

/** Limits a list to the records of one channel. */
export const channelFilter = queryField(
	'channel',
	trimmedText,
	choiceParameter('Channel Name or ID', 'getChannels'),
);

/** Parses the name of one field to sort by. An empty text means that the user left the row empty. */
const sortField: Parse<string> = (value) => {
	const name = value === '' ? value : filled(trimmedText)(value);
	if (!/[:,]/.test(name)) return name;
	throw new InvalidValue(`"${name}" is not one name`, 'Add a row for each field to sort by.');
};

const sortColumns = [
	setting('field', sortField, choiceParameter('Field Name or ID', 'getSortFields')),
	setting(
		'direction',
		...choice({ asc: ['Ascending'], desc: ['Descending'] }, 'asc', {
			description: 'Whether the smallest or the largest comes first',
		}),
	),
] as const;

const sortRows = rowsBy('sort', sortColumns);

/** Makes the sort order in the format of the interface: `field:direction`, separated by commas. */
const sortOrder: Parse<string> = (value) =>
	sortRows(value)
		.filter(({ field }) => field !== '')
		.map(({ field, direction }) => `${field}:${direction}`)
		.join(',');

/** The sort order of a list, by one field or several. */
export const orderBy = queryField('order_by', sortOrder, {
	...manyRows('Field', 'sort', sortColumns, true),
	description: 'The most important first',
});

interface ListReading {
	/** How many to ask for in one request; undefined if the interface has no parameter for it. */
	size?: number;
	/** Whether a record stays, which the query of the list cannot ask for. */
	isWanted?: (record: unknown) => boolean;
	/** Whether no record behind this page would stay. */
	isDone?: () => boolean;
	/** That of the list, if it is not the request's own. */
	url?: string;
}

/**
 * Reads a list page by page, up to so many records.
 *
 * @throws NodeApiError or NodeOperationError when the list cannot be read to its end, see `pagesOf`; its context has how
 * many were read
 */
async function readRecords(
	item: Item<never>,
	most: number,
	{ size, isWanted, isDone, url = item.request.url }: ListReading = {},
) {
	const { api, context, request } = item;
	const { qs, labels } = request;
	const items: INodeExecutionData[] = [];
	try {
		const perPage = size && (isWanted ? size : Math.min(most, size));
		for await (const { records, hasNext } of pagesOf(api, { url, qs, labels, perPage })) {
			const wanted = isWanted ? records.filter(isWanted) : records;
			// A page may have any number of records, and items take more memory than records.
			const kept = wanted.slice(0, most - items.length);
			for (const made of item.output(kept)) items.push(made);
			if (items.length < most && !isDone?.()) continue;
			if (kept.length < wanted.length || (hasNext && !isDone?.())) api.cutLists++;
			break;
		}
		// A list leaves out customers that are not attached to the user, without a word. A tool shows no hints.
		const isOfAll = most === Infinity && ['/customers', '/profiles'].includes(request.url);
		if (isOfAll && !isTool(context.getNode())) await findLimitedView(api);
	} catch (error) {
		const failure = nodeErrorOf(context, error, context.getItemIndex());
		if (items.length > 0) failure.context.read = { count: items.length };
		throw failure;
	}
	return items;
}

type OfList = Item<(typeof howMany)[number]>;

/** Reads a list up to the operation's `limit`, or all of it with `returnAll`. */
export const readPages = async (item: OfList, reading?: ListReading) =>
	await readRecords(item, item.get(returnAll) ? Infinity : item.get(limit), reading);

/** What an operation has that only reads a list. */
export const pages = { fields: howMany, run: readPages, output: list };

/** Reads a list that the interface gives at once. If a tenant divides it, all pages are read. */
export const readWhole: Run = async (item) => await readRecords(item, Infinity);
