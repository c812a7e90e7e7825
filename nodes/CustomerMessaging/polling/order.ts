import { NodeApiError } from 'n8n-workflow';

import type { RequestContext } from '../transport/context';
import { BEGINNING, readPage } from '../transport/pages';
import { objectsOf } from '../values/json';
import type { Feed } from './feeds';
import { placed } from './rows';

/** Reads the first page in an order; undefined if the tenant refuses it. */
async function firstIn(context: RequestContext, feed: Feed, member: string, order: string) {
	const list = { ...feed.list, qs: { ...feed.list.qs, order_by: order } };
	const page = await readPage(context, list, BEGINNING).catch((error: unknown) => {
		if (error instanceof NodeApiError && (error.httpCode === '400' || error.httpCode === '422'))
			return undefined;
		throw error;
	});
	return page && objectsOf(page.records).map((record) => placed(context, feed, member, record));
}

/** Whether numbers never get larger, or never smaller for the direction -1. */
const falls = (keys: number[], direction: 1 | -1) =>
	keys.every((key, index) => index === 0 || (keys[index - 1] - key) * direction >= 0);

/**
 * Finds out whether the tenant sorts a list of more than one page. It does if both directions give other records, each in
 * its order. A list that only looks sorted would hide changes.
 *
 * @returns the value of `order_by` with the newest first; empty if the tenant does not sort; undefined if all records
 * have the same time, so that nobody can tell
 */
export async function findOrder(
	context: RequestContext,
	feed: Feed,
	member: string,
): Promise<string | undefined> {
	const orders = (direction: string) =>
		member === 'id'
			? [`id:${direction}`]
			: [`${member}:${direction},id:${direction}`, `${member}:${direction}`];
	for (const [index, newestFirst] of orders('desc').entries()) {
		const falling = await firstIn(context, feed, member, newestFirst);
		const rising = falling && (await firstIn(context, feed, member, orders('asc')[index]));
		if (!rising?.length || !falling?.length) continue;
		// A record that was never changed has no time, and stands at either end.
		const [down, up] = [falling, rising].map((rows) => rows.map(({ key }) => key).filter((key) => key > 0));
		const isOther = falling[0].id !== rising[0].id;
		if (isOther && falls(down, 1) && falls(up, -1) && (down[0] ?? 0) >= (up[0] ?? 0)) return newestFirst;
		if (!isOther && new Set([...down, ...up]).size < 2) return undefined;
	}
	return '';
}
