import {
	type IDataObject,
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';

import type { RunContext } from '../api/client';
import { MAX_DESCRIPTION, nodeErrorOf } from '../api/errors';
import { cut } from '../values/text';
import { errorItem } from './errorItems';

/** Maximum number of records in one request. The interface does not document the service's own maximum. */
export const MAX_PER_REQUEST = 500;

export interface BatchRow<T> {
	/** Index of the input item. */
	item: number;
	/** Further items with the same value. */
	alsoOf?: number[];
	value: T;
}

/** Formats 4, 7, 8, 9 as "4, 7 to 9". */
function ranges(numbers: number[]): string {
	const parts: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = parts.at(-1);
		if (last && number === last[1] + 1) last[1] = number;
		else parts.push([number, number]);
	}
	return parts.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`)).join(', ');
}

/**
 * Returns an item with the error for each input item, or throws it without *Continue*. n8n would pass the input on as a
 * success.
 */
export async function allFailed(
	context: RunContext<IExecuteFunctions>,
	failure: unknown,
): Promise<INodeExecutionData[]> {
	const error = nodeErrorOf(context, failure);
	if (!context.continueOnFail()) throw error;
	return context.getInputData().map((_, item) => errorItem(error, item));
}

/** Returns the index of a batch's first item among all input items: not 0 in a batch with a single item. */
export const firstIndexOf = (context: IExecuteFunctions | IExecuteSingleFunctions) =>
	'getItemIndex' in context ? context.getItemIndex() : 0;

interface Sent {
	rows: number;
	items: number[];
	results: INodeExecutionData[];
	failure?: string;
}

/**
 * Sends rows in requests of up to 500, in their order. If a request fails, only its rows fail, and the next request
 * follows.
 *
 * @param send returns the fields of the output item, which is linked to all items of a request
 * @param inFlight how many requests are under way at once
 * @throws NodeOperationError that names the failed items and those that were sent, after the last request
 */
export async function sendBatches<Row extends BatchRow<unknown>>(
	context: RunContext<IExecuteFunctions>,
	rows: Row[],
	send: (rows: Row[]) => Promise<IDataObject>,
	inFlight = 1,
): Promise<INodeExecutionData[]> {
	const requests: Sent[] = [];
	let next = 0;
	const lane = async () => {
		while (next < rows.length) {
			const batch = rows.slice(next, (next += MAX_PER_REQUEST));
			const items = [...new Set(batch.flatMap(({ item, alsoOf = [] }) => [item, ...alsoOf]))].sort(
				(a, b) => a - b,
			);
			const request: Sent = { rows: batch.length, items, results: [] };
			requests.push(request);
			try {
				const json = await send(batch);
				request.results = [{ json, pairedItem: items.map((item) => ({ item })) }];
			} catch (failure) {
				const error = nodeErrorOf(context, failure, items[0]);
				request.failure = [error.message, error.description].filter(Boolean).join('\n');
				request.results = items.map((item) => errorItem(error, item));
			}
		}
	};
	await Promise.all(Array.from({ length: inFlight }, lane));
	const failed = requests.filter(({ failure }) => failure !== undefined);
	if (failed.length > 0 && !context.continueOnFail()) {
		const sent = requests.filter(({ failure }) => failure === undefined).flatMap(({ items }) => items);
		const sum = failed.reduce((before, { rows }) => before + rows, 0);
		const lines = failed.map(
			({ items, failure }) => `${items.length === 1 ? 'Item' : 'Items'} ${ranges(items)}: ${failure}`,
		);
		if (sent.length > 0) lines.push(`The other requests were carried out: items ${ranges(sent)}.`);
		throw new NodeOperationError(context.getNode(), `${sum} of ${rows.length} records failed`, {
			itemIndex: failed[0].items[0],
			description: cut(lines.join('\n'), MAX_DESCRIPTION),
		});
	}
	return requests.flatMap(({ results }) => results);
}
