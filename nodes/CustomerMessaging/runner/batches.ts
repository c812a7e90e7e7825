import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { errorItem, nodeError } from '../transport/errors';

/** Maximum number of records in one request. The interface does not document the service's own maximum. */
export const MAX_PER_REQUEST = 500;

/** A value of an input item that is sent in one request with values of other items. */
export interface BatchRow<T> {
	/** Index of the input item. */
	item: number;
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
 * Sends rows in requests of up to 500 rows, one request after another. If a request fails, only its rows fail, and the
 * next request follows.
 *
 * @param send sends some of the values and returns the fields of the output item for them
 * @returns one item for each request, linked to its rows; with *Continue*, one error item for each failed row
 * @throws NodeOperationError that names the failed items, after the last request
 */
export async function sendBatches<T>(
	context: IExecuteFunctions,
	rows: Array<BatchRow<T>>,
	send: (values: T[]) => Promise<IDataObject>,
): Promise<INodeExecutionData[]> {
	const results: INodeExecutionData[] = [];
	const failed: Array<{ items: number[]; message: string }> = [];
	for (let start = 0; start < rows.length; start += MAX_PER_REQUEST) {
		const batch = rows.slice(start, start + MAX_PER_REQUEST);
		const items = batch.map(({ item }) => item);
		try {
			const json = await send(batch.map(({ value }) => value));
			results.push({ json, pairedItem: items.map((item) => ({ item })) });
		} catch (failure) {
			const error = nodeError(context.getNode(), failure, items[0]);
			failed.push({ items, message: [error.message, error.description].filter(Boolean).join('\n') });
			for (const item of items) results.push(errorItem(error, item));
		}
	}
	if (failed.length > 0 && !context.continueOnFail()) {
		const count = failed.reduce((sum, { items }) => sum + items.length, 0);
		throw new NodeOperationError(context.getNode(), `${count} of ${rows.length} records failed`, {
			itemIndex: failed[0].items[0],
			description: failed.map(({ items, message }) => `Items ${ranges(items)}: ${message}`).join('\n'),
		});
	}
	return results;
}
