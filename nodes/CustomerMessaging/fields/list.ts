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

/** Limits a list to the records of one channel. */
export const channelFilter = queryField('channel', trimmedText, {
	displayName: 'Channel Name or ID',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getChannels' },
	default: '',
	description:
		'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
});

/** Parses the name of one field to sort by. An empty text means that the user left the row empty. */
const sortField: Parse<string> = (value) => {
	const name = value === '' ? value : filled(trimmedText)(value);
	if (!/[:,]/.test(name)) return name;
	throw new InvalidValue(`"${name}" is not one name`, 'Add a row for each field to sort by.');
};

const sortColumns = [
	setting('field', sortField, {
		displayName: 'Field Name or ID',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getSortFields' },
		default: '',
		description:
			'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	}),
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

/** Narrows a list by what its query cannot ask for. */
interface Narrowing {
	/** Returns the records of a page that stay, at most so many. */
	keep: (records: unknown[], most: number) => unknown[];
	/** Whether no record behind this page would stay. */
	isDone: () => boolean;
}

interface ListReading {
	/** How many records to read. */
	most?: number;
	/** How many to ask for in one request; undefined if the interface has no parameter for it. */
	size?: number;
	narrowing?: Narrowing;
	/** That of the list, if it is not the request's own. */
	url?: string;
}

/**
 * Reads a list page by page, to its end by default.
 *
 * @throws NodeApiError or NodeOperationError when the list cannot be read to its end, see `pagesOf`; its context has how
 * many were read
 */
async function readRecords(
	item: Item<never>,
	{ most = Infinity, size, narrowing, url = item.request.url }: ListReading = {},
) {
	const { api, context, request } = item;
	const { qs, labels } = request;
	const items: INodeExecutionData[] = [];
	try {
		const perPage = size && (narrowing ? size : Math.min(most, size));
		for await (const { records, hasNext } of pagesOf(api, { url, qs, labels, perPage })) {
			const left = most - items.length;
			// A page may have any number of records, and items take more memory than records.
			const kept = narrowing ? narrowing.keep(records, left) : records.slice(0, left);
			for (const made of item.output(kept)) items.push(made);
			if (narrowing?.isDone()) break;
			if (items.length < most) continue;
			if (kept.length < records.length || hasNext) api.cutLists++;
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
export const readPages = async (item: OfList, reading: Omit<ListReading, 'most'> = {}) =>
	await readRecords(item, { ...reading, most: item.get(returnAll) ? Infinity : item.get(limit) });

/** What an operation has that only reads a list. */
export const pages = { fields: howMany, run: readPages, output: list };

/** Reads a list that the interface gives at once. If a tenant divides it, all pages are read. */
export const readWhole: Run = async (item) => await readRecords(item);
